package constrain

import (
	"errors"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/internal/limits"
)

// grammarOf returns a grammar whose root is the expression that f returns.
func grammarOf(f func(b *builder) *node) *rule {
	b := newBuilder()
	root := b.declare("root")
	root.rule.body = f(b)
	b.measure()
	return root.rule
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		name    string
		grammar func(b *builder) *node
		yes, no []string
	}{
		{"literal", func(b *builder) *node { return b.literal("aé") }, []string{"aé"}, []string{"", "a", "aéa", "a\xc3", "\xc3\xa9"}},
		{"class", func(b *builder) *node { return b.class(anything.without(chars("ab"))) }, []string{"c", "é", "\x00"}, []string{"", "a", "b", "cc"}},
		{"repeat", func(b *builder) *node { return b.repeat(b.literal("ab"), 2, 3) }, []string{"abab", "ababab"}, []string{"", "ab", "abababab", "aba"}},
		{"unbounded", func(b *builder) *node { return b.repeat(b.class(span('0', '9')), 2, limits.Unbounded) }, []string{"12", "12345"}, []string{"", "1", "1a"}},
		{"repeat of none", func(b *builder) *node { return b.seq(b.literal("a"), b.repeat(never, 0, 5)) }, []string{"a"}, []string{"", "aa"}},
		{"words", func(b *builder) *node {
			return b.words([]word{{"ab", empty}, {"a", b.literal("x")}, {"abc", empty}, {"é", empty}, {"è", empty}, {"", b.literal("!")}})
		}, []string{"ab", "ax", "abc", "é", "è", "!"}, []string{"", "a", "abx", "c", "\xc3"}},
		{"balanced", func(b *builder) *node {
			r := b.declare("r")
			r.rule.body = b.opt(b.seq(b.literal("("), r, b.literal(")")))
			return r
		}, []string{"", "()", "((()))"}, []string{"(", ")", "(()"}},
		{"endless", func(b *builder) *node {
			r := b.declare("r")
			r.rule.body = b.seq(b.literal("a"), r)
			return b.alt(r, b.literal("b"))
		}, []string{"b"}, []string{"", "a", "ab"}},
	} {
		g := grammarOf(c.grammar)
		for _, text := range c.yes {
			if !g.match(text) {
				t.Errorf("%s: %q is not derived: %s", c.name, text, gbnfOf(g))
			}
		}
		for _, text := range c.no {
			if g.match(text) {
				t.Errorf("%s: %q is derived: %s", c.name, text, gbnfOf(g))
			}
		}
	}
}

// Long chains of rules are measured in a few passes, whichever end was declared first: with a pass
// for each rule this test would take minutes.
func TestMeasureChains(t *testing.T) {
	const n = 1 << 17
	for _, step := range []int{1, -1} {
		b := newBuilder()
		refs := make([]*node, n)
		for i := range refs {
			refs[i] = b.declare("r")
		}
		at := 0
		if step < 0 {
			at = n - 1
		}
		start := refs[at].rule
		for ; at+step >= 0 && at+step < n; at += step {
			refs[at].rule.body = refs[at+step]
		}
		refs[at].rule.body = empty
		b.measure()
		if start.shortest > n {
			t.Errorf("step %d: %v", step, start.shortest)
		}
	}
}

func TestCheck(t *testing.T) {
	loop := grammarOf(func(b *builder) *node {
		r := b.declare("r")
		r.rule.body = b.alt(b.literal("x"), b.seq(b.opt(b.literal("a")), r, b.literal("b")))
		return r
	})
	repeated := grammarOf(func(b *builder) *node { return b.repeat(b.opt(b.literal("a")), 0, limits.Unbounded) })
	fine := grammarOf(func(b *builder) *node {
		return b.repeat(b.seq(b.opt(b.literal("a")), b.literal("b")), 0, limits.Unbounded)
	})
	for g, want := range map[*rule]bool{loop: false, repeated: false, fine: true} {
		if err := g.check(); (err == nil) != want {
			t.Errorf("%s%v", gbnfOf(g), err)
		}
	}
}

func TestCharset(t *testing.T) {
	for want, set := range map[string]charset{
		"[a]": chars("a"), "[a-c]": span('a', 'c'), "[ab]": chars("ab"), `[\u0022\u002d\u005b-\u005e]`: chars("^-]\\[\""), `[\u0000\u000a~]`: chars("\x00\n~"),
		"[^<]": anything.without(chars("<")), `[^\u0000-\u001f]`: anything.without(span(0, 0x1f)), `[^\u0000-\u007f]`: charset(others), `[^\u0000]`: anything,
	} {
		if got := gbnf.set(set); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		rest := anything.without(set)
		for r := range rune(0x82) {
			if set.has(r) == rest.has(r) || set.has(0x80) != set.has(0x1f600) {
				t.Errorf("%s: %U", want, r)
			}
		}
	}
}

// has reports whether the text is in the set.
func (a automaton) has(text string) bool {
	at := 0
next:
	for _, r := range text {
		for _, s := range a[at].steps {
			if string(s.chars) == string(r) || s.chars.has(r) {
				at = s.to
				continue next
			}
		}
		return false
	}
	return a[at].accepts
}

// A machine accepts what the patterns match.
func TestAutomaton(t *testing.T) {
	patterns := []string{
		`^a*b$`, `a`, `^$`, ``, `^[^"\\]{2,4}$`, `^(ab|a)(c|bcd)$`, `[0-9]+\.[0-9]{2}$`, `^é+$`, `(?i)^K$`, `^a.c$`, `(?s)^a.c$`, `^[\x00-\x1f]$`, `^(a|b|^c)d?$`, `x$|^y`, `$^`, `a|$^`, `a^b|c`, `(a^|a)*b`, `(a$)?b`,
		`^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$`,
	}
	texts := rapid.OneOf(
		rapid.StringOf(rapid.SampledFrom([]rune("abcdxykK\u212a01.\n\"\\éz"))),
		rapid.SampledFrom([]string{"2024-02-29", "2024-02-30T10:00:00Z", "123e4567-e89b-12d3-a456-426614174000", "12.34", "abcd", "\x00"}))
	for _, p := range patterns {
		re := regexp.MustCompile(p)
		a, err := intersect([]string{p}, "")
		if err != nil {
			t.Errorf("%s: %v", p, err)
			continue
		}
		b, err := intersect([]string{p, `^.{1,3}$`}, `^[ab]*$`)
		if err != nil {
			t.Errorf("%s: %v", p, err)
			continue
		}
		short, ab := regexp.MustCompile(`^.{1,3}$`), regexp.MustCompile(`^[ab]*$`)
		rapid.Check(t, func(t *rapid.T) {
			text := texts.Draw(t, "text")
			if want := re.MatchString(text); a.has(text) != want {
				t.Errorf("%s: %q: %t", p, text, !want)
			}
			if want := re.MatchString(text) && short.MatchString(text) && !ab.MatchString(text); b.has(text) != want {
				t.Errorf("%s and another pattern: %q: %t", p, text, !want)
			}
		})
	}
}

// Schemas write escapes as in ECMA-262.
func TestAutomatonEscapes(t *testing.T) {
	for p, texts := range map[string][2]string{ // a text that matches, and one that does not
		`^[\u0041-\u005a]$`: {"B", "b"}, `^\u00e9$`: {"é", "e"}, `^\u{e9}$`: {"é", "e"}, `^\u0041\u0042$`: {"AB", "A"}, `^\\\u0041$`: {`\A`, "A"}, `^\\u0041$`: {`\u0041`, `\A`},
	} {
		a, err := intersect([]string{p}, "")
		if err != nil || !a.has(texts[0]) || a.has(texts[1]) {
			t.Errorf("%s: %v", p, err)
		}
	}
	for _, p := range []string{`\ud83d\ude00`, `\u12`, `\u`, `\`} {
		if _, err := intersect([]string{p}, ""); err == nil {
			t.Errorf("%s is accepted", p)
		}
	}
}

func TestAutomatonRefuses(t *testing.T) {
	for p, want := range map[string]error{
		`\bx`: errLookAround, `(?m)^x`: errLookAround, `[à-ü]`: errUnicode, `[^é]`: errUnicode, `\pL`: errUnicode,
		`(a|b)*a(a|b){12}$`: errStates, `^x{1000}{2}$`: nil, `(?=x)`: nil, `(`: nil,
	} {
		if _, err := intersect([]string{p}, ""); err == nil || want != nil && !errors.Is(err, want) {
			t.Errorf("%s: %v", p, err)
		}
	}
}

// A sample of a recursive type nests no deeper than a reader allows.
func TestSamplesAreShallow(t *testing.T) {
	c := one(t, `{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}},"required":["a"],`+
		`"$defs":{"A":{"type":"array","items":{"$ref":"#/$defs/A"}}}}`)
	g := newGrammar(t, c, Options{})
	for seed := range uint64(2000) {
		text := g.Sample(rand.New(rand.NewPCG(seed, 1)), 1000)
		if strings.Contains(text, strings.Repeat("[", 50)) {
			t.Fatalf("seed %d: %s", seed, text)
		}
	}
}

// The expression of a pattern shares parts, with very many paths to them.
func TestSharedPartsAreMeasuredOnce(t *testing.T) {
	e := grammarOf(func(b *builder) *node { return b.literal("a") }).body
	for n := range 60 {
		e = &node{id: n, op: opAlt, list: []*node{e, e}}
	}
	if n := e.shortest(); n != 1 {
		t.Errorf("got %v", n)
	}
}
