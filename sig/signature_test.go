package sig

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/unseen"
)

// signatureOf returns the signature of a tool under default options.
func signatureOf(tool *Tool) string {
	plan, _ := tool.Plan(Auto)
	return SignatureOptions{}.Signature(plan)
}

// Twice the constraints of one place take twice the memory to write, and to find the
// omissions. A schema that expands into exponentially many places has a signature of about
// its own length.
func TestSignaturesAreLinear(t *testing.T) {
	for _, each := range []string{
		`{"minLength":N,"pattern":"^aN$","maxLength":N}`, `{"multipleOf":N}`, `{"minimum":N,"exclusiveMinimum":N}`,
		`{"propertyNames":{"pattern":"^aN$"}}`, `{"dependentRequired":{"x":["aN"]}}`, `{"description":"number N"}`,
	} {
		allocated := func(n int) int {
			tool := &Tool{Args: argumentsOf(t, `{"type":"object","properties":{"v":{"allOf":[`+repeat(n, each)+`]}}}`)}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			line := signatureOf(tool)
			SignatureOptions{}.Omitted(Plan{Tool: tool})
			runtime.ReadMemStats(&after)
			if strings.Contains(each, "multipleOf") && strings.Count(line, "multiple of") != n {
				t.Errorf("%.200s: not all of %d are written", line, n)
			}
			return int(after.TotalAlloc - before.TotalAlloc)
		}
		if once, eight := allocated(500), allocated(4000); eight > 12*once {
			t.Errorf("%s: %d bytes are allocated for 500, %d for 4000", each, once, eight)
		}
	}
	const levels = 40
	var defs strings.Builder
	for i := range levels {
		fmt.Fprintf(&defs, `"n%d":{"type":"object","properties":{"left":{"$ref":"#/$defs/n%d"},"right":{"$ref":"#/$defs/n%[2]d"}}},`, i, i+1)
	}
	schema := fmt.Sprintf(`{"type":"object","properties":{"root":{"$ref":"#/$defs/n0"}},"$defs":{%s"n%d":{"type":"integer"}}}`, defs.String(), levels)
	line := signatureOf(&Tool{Args: argumentsOf(t, schema)})
	if len(line) > len(schema) || !strings.Contains(line, "@n38{left?:{left?:int right?:int}") {
		t.Errorf("%d bytes for %d: %s", len(line), len(schema), line)
	}
}

// No path goes below more than maxPathDepth objects.
func TestPlanDepth(t *testing.T) {
	for n, want := range map[int]bool{maxPathDepth: true, maxPathDepth + 1: false} {
		tool := Tool{Name: "t", Args: argumentsOf(t, nest(n, `{"type":"object","properties":{"a":`, `{"type":"object","properties":{"b c":{}}}`, "}}"))}
		if p, err := tool.Plan(Auto); err != nil || p.JSON != want {
			t.Errorf("%d levels: %v %v", n, p.Reasons, err)
		}
	}
}

// Zero and invalid values have signatures and names.
func TestZeroValues(t *testing.T) {
	plan, err := (*Tool)(nil).Plan(Auto)
	if err != nil || plan.Tool.Callable() || (*Tool)(nil).Callable() {
		t.Errorf("a tool without a name: %+v, %v", plan, err)
	}
	for _, o := range []SignatureOptions{{}, {Classic: true}, {Budget: 1}, {Description: -9, Budget: -9}} {
		for _, p := range []Plan{{}, plan, {JSON: true}} {
			if got := o.Signature(p); strings.ContainsAny(got, "\n") || len(o.Omitted(p)) > 0 {
				t.Errorf("%q", got)
			}
		}
		o.Type(nil)
	}
	for _, c := range []struct {
		value fmt.Stringer
		want  string
	}{
		{Kinds(255), "any"}, {Kinds(128), "never"}, {Number | Integer, "number"}, {Any &^ Null, "boolean|number|string|array|object"},
	} {
		if got := c.value.String(); got != c.want {
			t.Errorf("%T: %s, want %s", c.value, got, c.want)
		}
	}
}

// Text is written so that it cannot be read as anything else.
func TestText(t *testing.T) {
	w := writer{guard: defaultGuard}
	quoted := func(text string) string { return w.quoted(text) }
	for _, c := range []struct {
		write func(string) string
		cases []string // text and what is written
	}{
		{balanced, []string{"f(x)", "f(x)", "a) b", "a] b", "(a", "[a", "((a)", "[(a)", "a)(b", "a][b"}},
		{quoted, []string{
			`a"b\c`, `"a\"b\\c"`, "a\nb", `"a\u000ab"`, "<call>x", `"\u003ccall>x"`, "a<b", `"a<b"`,
			"\U000e0041", `"\udb40\udc41"`, "é`", "\"é`\"",
		}},
		{func(json string) string { return w.ticked([]byte(json)) }, []string{"{\"a\":\"`</call>\"}", "`{\"a\":\"\\u0060\\u003c/call>\"}`"}},
		{unseen.Escape, []string{"a\u202eb", `a\u202eb`, "é", "é", "\x1b", `\u001b`}},
		{unseen.Remove, []string{"a\u202e\nb\x00", "a\nb"}},
		{oneLine, []string{
			"", "", "  a\n\n\tb\r\n c  ", "a b c", "a\u2028b\u0085c\u00a0d", "a b c d", "a\x00\x1b[31mb\x7f", "a [31mb",
			"\u202eevil\u202c", "evil", "a\U000e0041\ufeff\u200b\u00adb", "ab", "a\u061c\u180e\ufff9\ufffb\U0001bca0\U0001d173\u3164\uffa0b", "ab",
			"\u0600١", "\u0600١", "👩\u200d💻 ok", "👩\u200d💻 ok", "\xffa", "\ufffda", "\n", "", "a  b", "a b", " a", "a", "a ", "a",
		}},
	} {
		for i := 0; i < len(c.cases); i += 2 {
			if got := c.write(c.cases[i]); got != c.cases[i+1] {
				t.Errorf("%q: got %q, want %q", c.cases[i], got, c.cases[i+1])
			}
		}
	}
	for text, want := range map[string]bool{
		"a": true, "a-b": true, "x.y/z": true, "$ref": true, "größe": true, "字": true, "2fa": true, "+1": true,
		"": false, "-": false, "-a": false, "a b": false, "a:b": false, "a|b": false, "a?": false, "*": false, "@a": false,
		"a\u00a0b": false, "\u202ea": false, "—": false, "\xff": false, "a(b)": false, "<a": false, "a\x7f": false,
	} {
		if isWord(text) != want {
			t.Errorf("%q: want %v", text, want)
		}
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
		want string
	}{
		{"Get the weather", 15, "Get the weather"},
		{"Get the weather", 14, "Get the…"},
		{"Get the weather, now", 17, "Get the weather…"},
		{"Get it. Or leave it.", 12, "Get it."},
		{"Get it. Or leave it at once.", 20, "Get it. Or leave it…"},
		{"Use e.g. this or that thing", 10, "Use e.g.…"},
		{strings.Repeat("x", 50), 10, "…"},
		{"天気を調べる関数です", 5, "天気を調…"},
		{"天気。天気を調べる", 5, "天気。"},
		{"abc", 0, ""},
	} {
		got := cut(c.text, c.n)
		if n := utf8.RuneCountInString(got); got != c.want || n > max(c.n, len("…")) {
			t.Errorf("%q to %d: got %q, want %q", c.text, c.n, got, c.want)
		}
	}
}
