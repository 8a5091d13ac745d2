package constrain

import "testing"

// grammarOf returns a grammar whose root is the expression that f returns.
func grammarOf(f func(b *builder) expr) *Grammar {
	b := newBuilder()
	root := b.declare("root")
	b.rules[root].body = f(b)
	return b.grammar(root, root)
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		name    string
		grammar func(b *builder) expr
		yes, no []string
	}{
		{"literal", func(b *builder) expr { return b.literal("aé") }, []string{"aé"}, []string{"", "a", "aéa", "a\xc3", "\xc3\xa9"}},
		{"class", func(b *builder) expr { return b.class(anything.without(chars("ab"))) }, []string{"c", "é", "\x00"}, []string{"", "a", "b", "cc"}},
		{"repeat", func(b *builder) expr { return b.repeat(b.literal("ab"), 2, 3) }, []string{"abab", "ababab"}, []string{"", "ab", "abababab", "aba"}},
		{"unbounded", func(b *builder) expr { return b.repeat(b.class(digits), 2, -1) }, []string{"12", "12345"}, []string{"", "1", "1a"}},
		{"repeat of none", func(b *builder) expr { return b.seq(b.literal("a"), b.repeat(never, 0, 5)) }, []string{"a"}, []string{"", "aa"}},
		{"words", func(b *builder) expr {
			return b.words([]choice{{"ab", empty}, {"a", b.literal("x")}, {"abc", empty}, {"é", empty}, {"è", empty}, {"", b.literal("!")}})
		}, []string{"ab", "ax", "abc", "é", "è", "!"}, []string{"", "a", "abx", "c", "\xc3"}},
		{"balanced", func(b *builder) expr {
			r := b.declare("r")
			b.rules[r].body = b.opt(b.seq(b.literal("("), b.ref(r), b.literal(")")))
			return b.ref(r)
		}, []string{"", "()", "((()))"}, []string{"(", ")", "(()"}},
		{"endless", func(b *builder) expr {
			r := b.declare("r")
			b.rules[r].body = b.seq(b.literal("a"), b.ref(r))
			return b.alt(b.ref(r), b.literal("b"))
		}, []string{"b"}, []string{"", "a", "ab"}},
	} {
		g := grammarOf(c.grammar)
		for _, text := range c.yes {
			if !g.Match(text) {
				t.Errorf("%s: %q is not derived: %s", c.name, text, g.GBNF())
			}
		}
		for _, text := range c.no {
			if g.Match(text) {
				t.Errorf("%s: %q is derived: %s", c.name, text, g.GBNF())
			}
		}
	}
}
