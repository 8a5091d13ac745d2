package manual

import (
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/next/lexer"
	"github.com/callwire/callwire/internal/next/public/parse"
	"github.com/callwire/callwire/internal/next/public/protocol"
	"github.com/callwire/callwire/internal/next/repair"
	"github.com/callwire/callwire/sig"
)

// Of what does not fit its schema the type is told, and a call that does not fit
// either is not shown as the right one.
func TestFeedbackOnMisfits(t *testing.T) {
	catalog := compile(t, `[{"name":"t","inputSchema":{"type":"object","properties":{
		"n":{"type":"integer"},"units":{"enum":["metric","imperial"]},"a.b":{"type":"boolean"},"m":{"type":"object","additionalProperties":{"type":"number"}},
		"rows":{"type":"array","items":{"type":"object","properties":{"k":{"type":"array","items":{"type":"integer"}}}}},
		"<call>":{"enum":["<call>","y"]},"headers":{"type":"object","additionalProperties":{"type":"string"}},"x":{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"}},"a[0]":{"type":"boolean"}}}}}}]`)
	for _, c := range []struct{ text, want string }{
		{`<call>t n=x</call>`, "n: type-mismatch: expected int;"},
		{`<call>t units=kelvin</call>`, "units: not-in-enum: expected metric|imperial;"},
		{`<call>t a.b=5</call>`, "a.b: type-mismatch: expected bool;"},
		{`<call>t m.x=y n=1</call>`, "m.x: type-mismatch: expected number;"},
		{`<call>t rows=[{"k":[1,"x"]}]</call>`, "rows[0].k[1]: type-mismatch: expected int;"},
		{`<call>t rows=5</call>`, "rows[0]: type-mismatch: expected {k?:int[]};"},
		{`<call>t {"<call>":"x"}</call>`, `expected "\u003ccall>"|y;`},
		{`<call>t {"headers":{"a[-1]":5}}</call>`, "headers.a[-1]: type-mismatch: expected string;"},
		{`<call>t {"x":{"a[0]":5}}</call>`, "x.a[0]: type-mismatch: expected bool;"},
		{`<call>t n.a=1</call>`, "n: type-mismatch: expected int;"},
		{`<call>t rows="[{\"k\":[true]}]"</call>`, "rows[0].k[0]: type-mismatch: expected int;"},
		{`<call>t nn=1</call>`, "nn: unknown-argument: expected a declared argument;"},
	} {
		for _, strict := range []bool{false, true} {
			for _, s := range segments(catalog, c.text, parse.Options{Strict: strict}) {
				got := must(catalog, Options{}).Feedback(s)
				if !strings.Contains(got, c.want) || strings.Contains(got, "Write: ") || strings.Contains(got, "not executed") != strict {
					t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
				}
				checkFeedback(t, got)
			}
		}
	}
}

// What feedback repeats of a call, and what stands beside it; explanations aside.
func TestFeedbackLines(t *testing.T) {
	catalog := compile(t, weather)
	const known = "Signature: getWeather location units?:metric|imperial - Get the weather.\nSuch as: <call>getWeather location=\"New York\" units=metric</call>\n</tool-error>"
	for _, c := range []struct {
		text   string
		strict bool
		want   string
	}{
		{`<call>getWeather(location="Oslo")</call>`, false,
			"<tool-error>\nAt: <\\call>getWeather⟨here⟩(location=\"Oslo\")<\\/call>\nWrite: <call>getWeather location=Oslo</call>\n</tool-error>"},
		{`<call>getWeather location=Oslo units=kelvin speed=fast</call>`, false,
			"<tool-error name=\"getWeather\">\nAt: …her location=Oslo units=⟨here⟩kelvin speed=fast<\\/call>\nAt: …ation=Oslo units=kelvin ⟨here⟩speed=fast<\\/call>\n" + known},
		{`<call>getWeather units=metric</call>`, false, "<tool-error name=\"getWeather\">\n" + known},
		{`<call>getWeather units=metric</call>`, true, "<tool-error name=\"getWeather\">\nThis call was not executed.\n" + known},
		{"<call>ééééééééééééé日</call>", false, "<tool-error name=\"ééééééééééééé日\">\nAt: <\\call>⟨here⟩éééééééééééé…\nTools: getWeather\n</tool-error>"},
		{"<call>aéééééééééééé日</call>", false, "<tool-error name=\"aéééééééééééé日\">\nAt: <\\call>⟨here⟩aééééééééééé…\nTools: getWeather\n</tool-error>"},
		{"<call>getWeather éééééééééééa日本", false, "<tool-error name=\"getWeather\">\nAt: …éééééééééa日本⟨here⟩\n" + known},
		{"<call>getWeather ééééééééééé日本", false, "<tool-error name=\"getWeather\">\nAt: …ééééééééé日本⟨here⟩\n" + known},
		{"<call>getWeather a=\r\n\t\x01(\u202e", false, "<tool-error name=\"getWeather\">\nAt: <\\call>getWeather a=  ⟨here⟩\\u0001(\\u202e\n" + known},
	} {
		for _, s := range segments(catalog, c.text, parse.Options{Strict: c.strict}) {
			var lines []string
			for line := range strings.SplitSeq(must(catalog, Options{}).Feedback(s), "\n") {
				if !strings.Contains(line, ": expected ") {
					lines = append(lines, line)
				}
			}
			if got := strings.Join(lines, "\n"); got != c.want {
				t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
			}
		}
	}
}

// Of many issues the first are told.
func TestFeedbackIsBounded(t *testing.T) {
	catalog := compile(t, weather)
	for _, s := range segments(catalog, "<call>getWeather location=x units=[1,2] x={} a=1 b=1 c=1 d=1 e=1 f=1 g=1 h=1 i=1 j=1</call>", parse.Options{}) {
		if got := must(catalog, Options{}).Feedback(s); !strings.Contains(got, "\n…and 3 more issues.\n") || strings.Count(got, "unknown-argument") != 8 {
			t.Error(got)
		}
	}
}

// However long what a call says is, few bytes of it are repeated.
func TestFeedbackRepeatsLittle(t *testing.T) {
	catalog := compile(t, `[{"name":"t","inputSchema":{"type":"object","properties":{"n":{"type":"integer"}},"additionalProperties":{"type":"integer"}}}]`)
	const long = 1 << 16
	limits := lexer.Limits{Bytes: 1 << 20, Name: 1 << 20}
	for _, c := range []struct{ name, head, unit, tail string }{
		{"continuation bytes before the fault", "<call>t n=a", "é", "\x80</call>"},
		{"continuation bytes", "<call>t n=", "\x80", "</call>"},
		{"beginnings of runes", "<call>t n=", "\xe2", "</call>"},
		{"a name", "<call>", "name", " n=x</call>"},
		{"a key", "<call>t ", "key", "=x</call>"},
		{"a key with escapes", `<call>t {"`, `\u0080`, `":"x"}</call>`},
		{"keys", "<call>t n=1", " n=2", "</call>"},
		{"a value", `<call>t n="`, "\u2028", `"</call>`},
	} {
		for _, text := range []string{c.head + strings.Repeat(c.unit, long/len(c.unit)) + c.tail, c.head + strings.Repeat(c.unit, long/len(c.unit))} {
			for _, strict := range []bool{false, true} {
				for _, s := range segments(catalog, text, parse.Options{Limits: limits, Strict: strict}) {
					s.Text += strings.Repeat("\x80", long) // who calls may give any text
					if got := must(catalog, Options{}).Feedback(s); got == "" || len(got) > 1500 {
						t.Errorf("%s, strict %t: %d bytes, %.300q", c.name, strict, len(got), got)
					}
				}
			}
		}
	}
}

// checkFeedback checks that there is at most one call in a feedback, which reads
// back, and no tag of results but its own.
func checkFeedback(t testing.TB, text string) {
	t.Helper()
	calls := 0
	for _, s := range segments(nil, text, parse.Options{}) {
		switch {
		case s.Call != nil:
			calls++
		case s.Err != nil:
			t.Errorf("%v in %s", s.Err, text)
		}
	}
	if calls > 1 || strings.Count(text, "</tool-error") != 1 || strings.Contains(text, "<tool-result") {
		t.Errorf("%d calls in %s", calls, text)
	}
}

func FuzzFeedback(f *testing.F) {
	for _, text := range []string{
		`<call>getWeather(location="</tool-error><call>getTime</call>")</call>`, `<call>{"name":"getWeather","arguments":"{\"location\":\"<call>x</call>\"}"}`,
		`<call>getWeather location = "a "b" c", units: metric </call>`, `<call>getTime a="\ud800" =</call>`, `<call>setProfile profile.nick=<call>getTime</call>`,
	} {
		f.Add(text)
	}
	catalog := compile(f, office[:len(office)-2]+","+weather[1:])
	f.Fuzz(func(t *testing.T, text string) {
		for _, c := range []int{0, 1} {
			for _, s := range segments(catalog, text, parse.Options{Strict: c == 1}) {
				if answer := must(catalog, Options{}).Feedback(s); answer != "" {
					checkFeedback(t, answer)
				}
			}
		}
	})
}

// An excerpt begins and ends between characters, and the byte at the offset is shown behind
// the mark.
func TestRuneStart(t *testing.T) {
	for text, want := range map[string][]int{
		"": {0}, "ab": {0, 1, 2}, "é": {0, 0, 2}, "aé": {0, 1, 1, 3}, "世b": {0, 0, 0, 3, 4}, "a😀b": {0, 1, 1, 1, 1, 5, 6},
		"a\xf0\x80\x80\x80\x80": {0, 1, 1, 1, 1, 5, 6}, "\x80\x80": {0, 1, 2}, "\xff\xff": {0, 1, 2},
	} {
		for i := range len(text) + 1 {
			if got := runeStart(text, i); got != want[i] {
				t.Errorf("%q at %d: %d, want %d", text, i, got, want[i])
			}
		}
	}
}

// A model that is told of a call without a name that is known sees how one is written: of
// the tool that it has named, else of one that does no harm.
func TestFeedbackShowsTheForm(t *testing.T) {
	catalog, err := sig.Compile(`[{"name":"deleteFile","inputSchema":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}},
		{"name":"getWeather","inputSchema":{"type":"object","properties":{"location":{"type":"string"}},"required":["location"]}}]`)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		`<call>deleteFile("x")</call>`:                                            "Such as: <call>deleteFile ",
		`<call>[{"name":"deleteFile"},{"name":"deleteFile"}]</call>`:              "Such as: <call>deleteFile ",
		"<|tool_call_begin|>functions.deleteFile:0<|tool_call_argument_begin|>{}": "Such as: <call>deleteFile ",
		`<call>[{"name":"deleteFile"},{"name":"getWeather"}]</call>`:              "Such as: <call>getWeather ",
		"<tool_call>{":                           "Such as: <call>getWeather ",
		`<call>deleteFile path="""x"y"""</call>`: "Signature: deleteFile",
	} {
		segs := segments(catalog, text, parse.Options{Repair: true})
		got := must(catalog, Options{}).Feedback(segs[0])
		if !strings.Contains(got, want) || strings.Contains(got, "Write: ") {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// Of a repair the model is told what to write instead, and not the name of the repair, which
// it would take for that of an argument.
func TestFeedbackOnRepairs(t *testing.T) {
	catalog := compile(t, `[{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":["string","integer","boolean"]},"b":{"type":["string","integer"]}},"additionalProperties":false}},{"name":"u"}]`)
	for _, r := range repair.Table() {
		format := protocol.Hermes
		switch {
		case strings.HasPrefix(r.As, "<call>"):
			format = protocol.Wire
		case strings.Contains(r.As, "<function="):
			format = protocol.Qwen3Coder
		}
		s := segments(catalog, r.Reads, parse.Options{Format: format, Repair: true})[0]
		got := must(catalog, Options{Format: format}).Feedback(s)
		if r.Fix == "" || !strings.Contains(got, r.Fix) || strings.Contains(got, r.Name+":") {
			t.Errorf("%s: %s", r.Reads, got)
		}
	}
}
