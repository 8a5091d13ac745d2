package bnf

import "testing"

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
