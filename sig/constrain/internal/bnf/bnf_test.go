package bnf

import (
	"errors"
	"regexp"
	"testing"

	"pgregory.net/rapid"
)

// grammarOf returns a grammar whose root is the expression that f returns.
func grammarOf(f func(b *Builder) *Node) *Grammar {
	b := NewBuilder()
	root := b.Declare("root")
	root.Body = f(b)
	return b.Grammar(root, root)
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		name    string
		grammar func(b *Builder) *Node
		yes, no []string
	}{
		{"literal", func(b *Builder) *Node { return b.Literal("aé") }, []string{"aé"}, []string{"", "a", "aéa", "a\xc3", "\xc3\xa9"}},
		{"class", func(b *Builder) *Node { return b.Class(Anything.Without(Chars("ab"))) }, []string{"c", "é", "\x00"}, []string{"", "a", "b", "cc"}},
		{"repeat", func(b *Builder) *Node { return b.Repeat(b.Literal("ab"), 2, 3) }, []string{"abab", "ababab"}, []string{"", "ab", "abababab", "aba"}},
		{"unbounded", func(b *Builder) *Node { return b.Repeat(b.Class(Between('0', '9')), 2, -1) }, []string{"12", "12345"}, []string{"", "1", "1a"}},
		{"repeat of none", func(b *Builder) *Node { return b.Seq(b.Literal("a"), b.Repeat(Never, 0, 5)) }, []string{"a"}, []string{"", "aa"}},
		{"words", func(b *Builder) *Node {
			return b.Words([]Word{{"ab", Empty}, {"a", b.Literal("x")}, {"abc", Empty}, {"é", Empty}, {"è", Empty}, {"", b.Literal("!")}})
		}, []string{"ab", "ax", "abc", "é", "è", "!"}, []string{"", "a", "abx", "c", "\xc3"}},
		{"balanced", func(b *Builder) *Node {
			r := b.Declare("r")
			r.Body = b.Opt(b.Seq(b.Literal("("), b.Ref(r), b.Literal(")")))
			return b.Ref(r)
		}, []string{"", "()", "((()))"}, []string{"(", ")", "(()"}},
		{"endless", func(b *Builder) *Node {
			r := b.Declare("r")
			r.Body = b.Seq(b.Literal("a"), b.Ref(r))
			return b.Alt(b.Ref(r), b.Literal("b"))
		}, []string{"b"}, []string{"", "a", "ab"}},
	} {
		g := grammarOf(c.grammar)
		for _, text := range c.yes {
			if !g.Match(nil, text) {
				t.Errorf("%s: %q is not derived: %s", c.name, text, g.GBNF(nil))
			}
		}
		for _, text := range c.no {
			if g.Match(nil, text) {
				t.Errorf("%s: %q is derived: %s", c.name, text, g.GBNF(nil))
			}
		}
	}
}

func TestCheck(t *testing.T) {
	loop := grammarOf(func(b *Builder) *Node {
		r := b.Declare("r")
		r.Body = b.Alt(b.Literal("x"), b.Seq(b.Opt(b.Literal("a")), b.Ref(r), b.Literal("b")))
		return b.Ref(r)
	})
	repeated := grammarOf(func(b *Builder) *Node { return b.Repeat(b.Opt(b.Literal("a")), 0, -1) })
	fine := grammarOf(func(b *Builder) *Node { return b.Repeat(b.Seq(b.Opt(b.Literal("a")), b.Literal("b")), 0, -1) })
	for g, want := range map[*Grammar]bool{loop: false, repeated: false, fine: true} {
		if err := g.Check(); (err == nil) != want {
			t.Errorf("%s%v", g.GBNF(nil), err)
		}
	}
}

func TestCharset(t *testing.T) {
	for _, c := range []struct {
		set  Charset
		want string
	}{
		{Chars("a"), "[a]"}, {Between('a', 'c'), "[a-c]"}, {Chars("ab"), "[ab]"}, {Chars("^-]\\[\""), `[\u0022\u002d\u005b-\u005e]`}, {Chars("\x00\n~"), `[\u0000\u000a~]`},
		{Anything.Without(Chars("<")), "[^<]"}, {Anything.Without(Between(0, 0x1f)), `[^\u0000-\u001f]`}, {Charset{high: true}, `[^\u0000-\u007f]`},
	} {
		if got := gbnfClass(c.set); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
		for r := range rune(0x82) {
			if in := c.set.Has(byte(r&0x7f)) && r < 0x80 || r >= 0x80 && c.set.high; c.set.Contains(r) != in {
				t.Errorf("%s: %U", c.want, r)
			}
		}
	}
	if c, ok := Chars("x").single(); !ok || c != 'x' {
		t.Error(c, ok)
	}
	if _, ok := (Charset{high: true}).single(); ok {
		t.Error("the set of all other characters is a single one")
	}
}

// run reports whether the automaton accepts the text.
func (a *Automaton) run(text string) bool {
	at := 0
next:
	for _, r := range text {
		for _, e := range a.states[at].edges {
			if e.char != 0 && e.char == r || e.set.Contains(r) {
				at = e.to
				continue next
			}
		}
		return false
	}
	return a.states[at].accepts
}

// An automaton accepts what the patterns match.
func TestAutomaton(t *testing.T) {
	patterns := []string{
		`^a*b$`, `a`, `^$`, ``, `^[^"\\]{2,4}$`, `^(ab|a)(c|bcd)$`, `[0-9]+\.[0-9]{2}$`, `^é+$`, `(?i)^K$`, `^a.c$`, `(?s)^a.c$`, `^[\x00-\x1f]$`, `^(a|b|^c)d?$`, `x$|^y`, `$^`, `a|$^`,
		`^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$`,
	}
	texts := rapid.OneOf(
		rapid.StringOf(rapid.SampledFrom([]rune("abcdxykK\u212a01.\n\"\\éz"))),
		rapid.SampledFrom([]string{"2024-02-29", "2024-02-30T10:00:00Z", "123e4567-e89b-12d3-a456-426614174000", "12.34", "abcd", "\x00"}))
	for _, p := range patterns {
		re := regexp.MustCompile(p)
		a, err := Intersect([]string{p}, "")
		if err != nil {
			t.Errorf("%s: %v", p, err)
			continue
		}
		b, err := Intersect([]string{p, `^.{1,3}$`}, `^[ab]*$`)
		if err != nil {
			t.Errorf("%s: %v", p, err)
			continue
		}
		short, ab := regexp.MustCompile(`^.{1,3}$`), regexp.MustCompile(`^[ab]*$`)
		rapid.Check(t, func(t *rapid.T) {
			text := texts.Draw(t, "text")
			if want := re.MatchString(text); a.run(text) != want {
				t.Errorf("%s: %q: %t", p, text, !want)
			}
			if want := re.MatchString(text) && short.MatchString(text) && !ab.MatchString(text); b.run(text) != want {
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
		a, err := Intersect([]string{p}, "")
		if err != nil || !a.run(texts[0]) || a.run(texts[1]) {
			t.Errorf("%s: %v", p, err)
		}
	}
	for _, p := range []string{`\ud83d\ude00`, `\u12`, `\u`, `\`} {
		if _, err := Intersect([]string{p}, ""); err == nil {
			t.Errorf("%s is accepted", p)
		}
	}
}

func TestAutomatonRefuses(t *testing.T) {
	for p, want := range map[string]error{
		`\bx`: errLookAround, `(?m)^x`: errLookAround, `[à-ü]`: errUnicode, `[^é]`: errUnicode, `\pL`: errUnicode,
		`(a|b)*a(a|b){12}$`: errStates, `^x{1000}{2}$`: nil, `(?=x)`: nil, `(`: nil,
	} {
		if _, err := Intersect([]string{p}, ""); err == nil || want != nil && !errors.Is(err, want) {
			t.Errorf("%s: %v", p, err)
		}
	}
}
