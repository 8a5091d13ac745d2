package bnf

import "testing"

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
