package lexer_test

import (
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/guard"
	"github.com/callwire/callwire/lexer"
)

// regionsOf returns the kinds of the tokens of text, cut into pieces of n bytes,
// pieces of one kind joined.
func regionsOf(t *testing.T, c lexer.Config, text string, n int) (kinds string, steps int) {
	t.Helper()
	l, err := lexer.New(c)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	read := func() {
		for toks := l.Tokens(); len(toks) > 0; toks = l.Tokens() {
			for _, tok := range toks {
				if k := tok.Kind.String(); len(all) == 0 || all[len(all)-1] != k {
					all = append(all, k)
				}
			}
		}
	}
	for ; len(text) > n; text = text[n:] {
		l.Feed([]byte(text[:n]))
		read()
	}
	l.Feed([]byte(text))
	read()
	l.Close()
	read()
	return strings.Join(all, " "), l.Steps()
}

// Regions are the same at any split.
func TestRegions(t *testing.T) {
	for _, c := range []struct {
		config     lexer.Config
		text, want string
	}{
		{lexer.Config{Reasoning: true}, "a<think>b</think>c", "Text ThoughtOpen Thought ThoughtClose Text"},
		{lexer.Config{Reasoning: true}, "<think>b</thin", "ThoughtOpen Thought"},
		{lexer.Config{Reasoning: true}, "<thinkx>", "Text"},
		{lexer.Config{Code: true}, "`<call>t</call>` b", "Text Open Fault Damage Close Text"},
		{lexer.Config{Code: true}, "`a` <call>t</call>", "Text Open Name Close"},
		{lexer.Config{NearMisses: true}, "a <CALL>t</CALL> b", "Text Open Fault Damage Close Text"},
		{lexer.Config{NearMisses: true}, `<call t a="/>"/>b`, "Open Fault Damage Close Text"},
		{lexer.Config{NearMisses: true}, "<tool_call>{</tool_call>b", "Open Fault Damage Close Text"},
		{lexer.Config{NearMisses: true}, "<tool_call> <call>t</call>", "Text Open Name Close"},
		{lexer.Config{NearMisses: true}, "<callback> <call me maybe> <tool_call>", "Text"},
		{lexer.Config{}, "<think><CALL>t</CALL>`</think>", "Text"},
	} {
		for n := 1; n <= len(c.text); n++ {
			if got, _ := regionsOf(t, c.config, c.text, n); got != c.want {
				t.Errorf("%q cut by %d: %s, want %s", c.text, n, got, c.want)
			}
		}
	}
}

// The work is linear in the text plus the chunks, whatever seems to begin.
func TestRegionSteps(t *testing.T) {
	all := lexer.Config{Reasoning: true, Code: true, NearMisses: true}
	for _, unit := range []string{"<", "<call ", "<tool_call>", "<think", "`", "<call aaaaaaaa ", "<call:aaaaaaa ", "<call>\"", "<call>***", "<call>`aaaaaa", "```tool_code", "[TOOL_CALLS", "<CALL> ", "</think>"} {
		text := strings.Repeat(unit, 4000/len(unit))
		for _, n := range []int{1, 4, len(text)} {
			if _, steps := regionsOf(t, all, text, n); steps > 8*len(text)+64*(len(text)/n+1) {
				t.Errorf("%q cut by %d: %d steps for %d bytes", unit, n, steps, len(text))
			}
		}
	}
}

// A near miss is one by what follows it: attributes for our opener, the beginning of a
// call for most others, and nothing for a tag that no prose has.
func TestNearMissesGoOn(t *testing.T) {
	const miss, text = "Open Fault Damage Close", "Text"
	guard := guard.New(lexer.DefaultDelims.Openers()...)
	for _, c := range []struct{ text, want string }{
		{`<call x="1">t</call>`, miss},
		{`<call x ="1">t</call>`, miss},
		{`<call x y="1">t</call>`, miss},
		{`<call x y ="1">t</call>`, miss},
		{`<call x>t</call>`, miss},
		{`<call x {"a":1}</call>`, miss},
		{`<call x >t</call>`, miss},
		{`<call x />`, miss},
		{`<call x/>`, miss},
		{`<call x y />`, text},
		{`<call x y>t</call>`, text},
		{`<call x y z="1">t</call>`, text},
		{`<call ="1">t</call>`, text},
		{`<call x:"1">t</call>`, text},
		{`<call:x a="1">t</call>`, miss},
		{`<call:x>t</call>`, miss},
		{`<call=x a="1"></call>`, miss},
		{`<call: x a="1"></call>`, miss},
		{`<call:>t</call>`, text},
		{`<call: >t</call>`, text},
		{`<call: x, y></call>`, text},
		{`<call:"x"></call>`, text},
		{`<call>"x" a=1</call>`, miss},
		{`<call> 'x' a=1</call>`, miss},
		{"<call>`x` a=1</call>", miss},
		{"<call>`x a=1`</call>", miss},
		{`<call>**x** a=1</call>`, miss},
		{`<call>****x**** a=1</call>`, text},
		{`<call>'s x' a=1</call>`, text},
		{`<call>"", a=1</call>`, text},
		{`<call>"x, y" a=1</call>`, text},
		{`<call>" x" a=1</call>`, text},
		{"<call>`s are x</call>", text},
		{"<call>`x a =1`</call>", miss},
		{`<tool_call name="x">{}</tool_call>`, miss},
		{`<tool_call n="x">{}</tool_call>`, text},
		{"<|channel|>analysis to=x<|message|>{}<|call|>", miss},
		{"<|channel|>analysis<|message|>x", text},
		{"<tool_call>1</tool_call>", text},
		{"<｜tool▁calls▁begin｜>1<｜tool▁calls▁end｜>", miss},
		{"<|tool_call|>1<|/tool_call|>", miss},
	} {
		if c.want == miss && !guard.In(c.text) {
			t.Errorf("%q is not neutralized", c.text)
		}
		for n := range len(c.text) {
			if got, _ := regionsOf(t, lexer.Config{NearMisses: true}, c.text, n+1); got != c.want {
				t.Errorf("%q in chunks of %d: %s, want %s", c.text, n+1, got, c.want)
				break
			}
		}
	}
}

// An opener that begins with another byte than ours is seen where text is read byte by byte.
func TestNearMissesOfOtherBytes(t *testing.T) {
	const miss, text = "Open Fault Damage Cut", "Text"
	for _, c := range []struct{ text, want string }{
		{`[TOOL_CALLS][{"name":"t"}]`, miss},
		{`[TOOL_CALLS] t[ARGS]{}`, miss},
		{"[TOOL_CALLS], as they say", text},
		{"```tool_code\nt()", miss},
		{"x\n```tool_call\n{}", "Text " + miss},
		{"x ```tool_code\nt()", text},
		{"```tool_codes\nt()", text},
		{"````tool_code\nt()", text},
	} {
		for n := range len(c.text) {
			if got, _ := regionsOf(t, lexer.Config{NearMisses: true, Code: true}, c.text, n+1); got != c.want {
				t.Errorf("%q in chunks of %d: %s, want %s", c.text, n+1, got, c.want)
				break
			}
		}
	}
}

// The quick look at prose stops before all that may be a near miss, in any case and as far
// as it has come, and passes most of what cannot be one.
func TestNearMissesAreNotSimpleText(t *testing.T) {
	for _, d := range []lexer.Delims{{}, {Open: "<t>", Close: "</t>"}, {Open: "<>", Close: "</>"}, {Open: "<call-a7f3>", Close: "</call-a7f3>"}} {
		tags := lexer.Config{Delims: d, NearMisses: true}.Tags()
		for _, open := range d.OrDefault().Openers() {
			if open[0] != '<' {
				continue // see strangers
			}
			for _, text := range []string{open, strings.ToUpper(open)} {
				for n := 1; n <= len(text); n++ {
					if got, opened := tags.ConsumeSimpleText([]byte("x" + text[:n])); got != 1 || opened {
						t.Errorf("%v: %d bytes before %q, want 1", d, got, text[:n])
					}
				}
				if got, _ := tags.ConsumeSimpleText([]byte("x" + text + `{"a":1,"b":2}`)); got != 1 {
					t.Errorf("%v: %d bytes before %q, want 1", d, got, text)
				}
			}
		}
	}
	tags := lexer.Config{NearMisses: true}.Tags()
	if n, _ := tags.ConsumeSimpleText([]byte(`x<call>"t" a=1</call>`)); n != 1 {
		t.Errorf("%d bytes before a name in quotes, want 1", n)
	}
	const html = `a < b <= c << d <div class="x"><p>x</p><table><tr><td></td></tr></table><ul><li><i>x</i></ul><code>`
	if n, _ := tags.ConsumeSimpleText([]byte(html)); n != len(html) {
		t.Errorf("a look is needed at %q", html[n:])
	}
}
