package grammar

import (
	"testing"
)

func TestQwen3Coder(t *testing.T) {
	const o, c = "<tool_call><function=t>", "</function></tool_call>"
	p := func(key, value string) string { return "<parameter=" + key + ">" + value + "</parameter>" }
	known := func(name string) bool { return name == "t" }
	for _, tt := range []struct{ text, want string }{
		{o + c, `t {} [0,46)`},
		{o + p("a", "\n\nx\n") + p("b", "1") + c, `t {"a":"\nx","b":1} [0,101)`},
		{o + p("a", "[1, {}]") + p("a", "[1,") + c, `t {"a":[[1,{}],"[1,"]} [0,106)`},
		{o + p("a", "</parameter> x") + c, `t {"a":"</parameter> x"} [0,85) ambiguous-text@36`},
		{o + p("a", "1") + p("b", "2") + p("a", "3") + c, `duplicate-key@86 [0,124) true`},
		{o + "x" + c, `expected-key@23 [0,47) true`},
		{"<tool_call><function=u>" + c, `unknown-tool@21 [0,46) true`},
		{"<tool_call><function=>" + c, `expected-name@21 [0,45) true`},
		{"<tool_call>()</tool_call>", `text [0,25)`},
		{o + p("a", "\xff<tool_call><function=t>") + c, `invalid-utf8@36 [0,95) true`},
		{o + p("a", "x")[:20], `unterminated-call@43 [0,43) false`},
	} {
		if got := show(ByName("qwen3-coder").Read([]byte(tt.text), Options{Known: known})); got != tt.want {
			t.Errorf("%q\ngot  %s\nwant %s", tt.text, got, tt.want)
		}
	}
}
