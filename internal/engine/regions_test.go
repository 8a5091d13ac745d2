package engine_test

import (
	"strings"
	"testing"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/fuzz"
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse/protocol/yaml"
	"github.com/callwire/callwire/sig"
)

// everyCut returns the parts of a message, which are the same at every cut in two.
func everyCut(t *testing.T, s fuzz.Setup, message string) []fuzz.Part {
	t.Helper()
	want, err := s.Read([]byte(message))
	if err != nil {
		t.Fatal(err)
	}
	for i := range message {
		got, err := s.Read([]byte(message[:i]), []byte(message[i:]))
		if diff := fuzz.Differ(want, got); err != nil || diff != "" {
			t.Fatalf("%s: %q cut at %d: %v, %s", s.Format, message, i, err, diff)
		}
	}
	return want
}

// TestRegions: in every format, calls in Markdown code and in reasoning are not delivered, however
// they come.
func TestRegions(t *testing.T) {
	for _, f := range fuzz.Formats {
		text := callOfNow(t, f)
		safe := fuzz.Setup{Catalog: weather}
		safe.Format, safe.AllowAfterMalformed, safe.Reasoning = f, true, format.TaggedReasoning
		all := fuzz.Setup{Catalog: weather}
		all.Format, all.AllowInCode = f, true
		for _, s := range []struct {
			text         string
			calls, wrong int
			code         lexer.Code
		}{
			{"Say:\n~~~\nCALL\n~~~\nCALL", 1, 1, lexer.InCode},
			{"Say:\n~~~ xml\nCALL\n~~~ xml\nCALL", 0, 2, lexer.InCode},
			{"> ~~~\n> CALL\n\nCALL", 1, 1, lexer.InCode},
			{"- a\n\n  ~~~\n  CALL\n  ~~~\n\nCALL", 1, 1, lexer.InCode},
			{"It is `` CALL `` or CALL", 1, 1, lexer.InCode},
			{"\n~~~xml\nCALL\n~~~\nCALL", 2, 0, ""},
			{"<think>CALL</think>CALL", 1, 0, ""},
			{"<think>Now: CALL", 0, 1, lexer.InReasoning},
		} {
			if strings.Contains(text, "\n") && s.text[0] == '>' {
				continue // the lines of the call leave the quote
			}
			message := strings.ReplaceAll(s.text, "CALL", text)
			count := map[string]int{}
			for _, p := range everyCut(t, safe, message) {
				count[p.Type]++
				if p.Type == corpus.MalformedEvent && p.Code != string(s.code) {
					t.Errorf("%s: %q: %s", f, message, p.Code)
				}
			}
			if count[corpus.ToolCallEvent] != s.calls || count[corpus.MalformedEvent] != s.wrong {
				t.Errorf("%s: %q is read as %v, want %d calls and %d refused",
					f, message, count, s.calls, s.wrong)
			}
			calls := 0
			for _, p := range everyCut(t, all, message) {
				if p.Type == corpus.ToolCallEvent {
					calls++
				}
			}
			if want := strings.Count(s.text, "CALL"); calls != want {
				t.Errorf("%s: %q has %d calls, want %d", f, message, calls, want)
			}
		}
	}
}

// TestMentions: what follows a tool's tag waits for its end tag, but inside a line not for long,
// and not longer than to the next call. That is in doubt, unless it is of another format and only
// words of the same line come between.
func TestMentions(t *testing.T) {
	set := format.Any(format.Wire, format.Hermes, format.MorphXML)
	const hermes = `<tool_call>{"name": "now", "arguments": {}}</tool_call>`
	for _, m := range []struct {
		format       *format.Format
		text         string // up to the end of a call
		calls, wrong int
	}{
		{set, "Use <now> so <call>now</call>", 1, 0},
		{set, "Use <now> so " + hermes, 1, 0},
		{set, "Use <now> so <now/>", 0, 1},
		{set, "<now> so <call>now</call>", 0, 1},
		{set, "a\n<now> so <call>now</call>", 0, 1},
		{set, "a <now>x<b><call>now</call>", 0, 1},
		{set, "a <now> b><call>now</call>", 0, 1},
		{set, "a <now>\nb <call>now</call>", 0, 1},
		{set, "a <now> b \"<call>now</call>", 0, 1},
		{set, "a <now> b '<call>now</call>", 0, 1},
		{set, "Use <now>: <call>now</call>", 0, 1},
		{set, "a <now>x</now> <call>now</call>", 0, 2},
		{format.MorphXML, "Use <now>" + strings.Repeat(" so", 2000) + "<now/>", 0, 1},
		{format.MorphXML, "Use <now>" + strings.Repeat(" so", 2000) + "</now>", 0, 0},
		{yaml.XML, "Use <now> as" + strings.Repeat(" so:", 2000) + "</now>", 0, 0},
		{format.MorphXML, "<now>{" + strings.Repeat(" so", 2000) + "}</now>", 0, 1},
	} {
		s := fuzz.Setup{Catalog: weather}
		s.Format = m.format
		r := fuzz.NewReader(s)
		for i := range m.text {
			r.Feed([]byte(m.text[i : i+1]))
			if held := i - r.Done; held > 5000 && m.text[0] != '<' {
				t.Fatalf("%s: %.30q: %d bytes are held back", s.Format, m.text, held)
			}
		}
		calls, wrong := 0, 0
		for _, p := range r.Events {
			switch p.Type {
			case corpus.ToolCallEvent:
				calls++
			case corpus.MalformedEvent:
				wrong++
			}
		}
		if calls != m.calls || wrong != m.wrong {
			t.Errorf("%s: %.40q has %d calls and %d are refused, want %d and %d",
				s.Format, m.text, calls, wrong, m.calls, m.wrong)
		}
	}
}

// TestReasoningTags: the tags of reasoning, as they are and in other spellings. What is between {
// and } is reasoning, tags included.
func TestReasoningTags(t *testing.T) {
	for _, s := range []string{
		"a {<think>b</think>} c", "{<THINK>b</Think>}", "{<think >b</think\n>}",
		"{<Thinking a=1 b=\"x>y\" c='z'>b</thinking>}", "{<think\ta=b>c</think >}",
		"{<antThinking>b</antthinking>}", "{<seed:think>b</SEED:think>}",
		"{<think>b</think a=b></think>}", "{<think a>b</think>}", "{<think a b=c >d}",
		"<think a b=c d>e", "<thinker>b</thinker>", "< think>b", "<think/>b", "<think a/>b",
		"<think a?>b", "<think a", "<think about it>", "<think a=\"b\nc\">d",
		"<think a=" + strings.Repeat("x", 200) + ">b", "{[THINK]a[/THINK]}b", "[Think]a[/Think]",
		"[THINK ]a", "{◁think▷a◁/think▷}b", "{<|START_THINKING|>a<|END_THINKING|>}b",
		"<|start_thinking|>a",
		"a{<|channel|>analysis<|message|>b<|end|>}<|channel|>final<|message|>c",
		"{<|start|>assistant<|channel|>analysis<|message|>b<|end|>}<|start|>assistant",
		" \n{<scratchpad>a</scratchpad>}b<scratchpad>c</scratchpad>",
		"{<Reflection>a</reflection>}", "a<reflection>b</reflection>",
		"{<think>a</think>}<scratchpad>b</scratchpad>", "Write `<think>` and b",
		"Write `a <think>b</think>` c", "{<think>a</thinking>b</think>}c</think>", "a</think>b",
		"{<think>a}",
	} {
		checkReasoning(t, s, format.TaggedReasoning)
	}
}

// TestStartedReasoning: a message may begin in reasoning. Any tag that closes reasoning ends it.
func TestStartedReasoning(t *testing.T) {
	for _, s := range []string{
		"{a</think>}b", "{a</THINKING >}b{<think>c</think>}", "{a<think>b[/THINK]}c", "{a<|end|>}b",
		"{a}", "",
	} {
		checkReasoning(t, s, format.StartedReasoning)
	}
}

// checkReasoning checks what is reasoning in text, which has braces around it.
func checkReasoning(t *testing.T, text string, r format.Reasoning) {
	t.Helper()
	message := strings.NewReplacer("{", "", "}", "").Replace(text)
	s := fuzz.Setup{Catalog: sig.AnyTool}
	s.Reasoning = r
	got := ""
	for _, p := range everyCut(t, s, message) {
		if span := message[p.Start:p.End]; p.Type == corpus.ReasoningEvent {
			got += "{" + span + "}"
		} else {
			got += span
		}
	}
	if got != text {
		t.Errorf("%q is read as %q", text, got)
	}
}

// TestLimitInString: wherever the limit on a call's bytes is, a call in a string of the damage is
// not read.
func TestLimitInString(t *testing.T) {
	for _, f := range []*format.Format{
		format.Wire, format.Hermes, format.GemmaFence, format.KimiK2, format.DeepSeekV31,
	} {
		inner := f.Call.Open + `{"name":"u","arguments":{}}` + f.Call.Close
		head, tail := `{"name":"t","arguments":`, "}"
		if len(f.NameKeys) == 0 {
			inner = f.Call.Open + "u" + f.Function.End + "{}" + f.Call.Close
			head, tail = "t"+f.Function.End, ""
		}
		if f.Body == format.Arguments {
			head = "t "
		}
		quoted := strings.ReplaceAll(inner, `"`, `\"`)
		args := `{"a":"x ` + quoted + ` y","b":"` + quoted + `"}`
		in := f.Call.Open + head + args + tail + f.Call.Close
		for n := len(f.Call.Open) + len(head) + 1; n < len(in); n++ {
			s := fuzz.Setup{Catalog: sig.AnyTool}
			s.Format, s.AllowInCode, s.AllowAfterMalformed, s.Limits.Bytes = f, true, true, n
			for cut := max(0, n-1); cut <= min(n+1, len(in)); cut++ {
				parts, err := s.Read([]byte(in[:cut]), []byte(in[cut:]))
				if err != nil || len(parts) != 1 ||
					parts[0].Code != string(lexer.CallTooLong) || parts[0].At != n {
					t.Fatalf("%s: %q under %d bytes: %+v, %v", f, in, n, parts, err)
				}
			}
		}
	}
}
