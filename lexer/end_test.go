package lexer_test

import (
	"testing"

	"github.com/callwire/callwire/lexer"
)

// truncated are texts that end inside a call. Complete says that the body is
// whole there.
var truncated = []struct {
	name, text string
	complete   bool
	want       string // where a complete body is accepted
}{
	{"a name", "<call>t", true, "Open(<call>) Name(t) Close()"},
	{"a name and whitespace", "<call>t\n", true, "Open(<call>) Name(t) _ Close()"},
	{"a key", "<call>t a", false, ""},
	{"a key and a dot", "<call>t a.", false, ""},
	{"the empty word", "<call>t a=", true, "Open(<call>) Name(t) _ Key(a) = Bare() Close()"},
	{"a bare word", "<call>t a=1", true, "Open(<call>) Name(t) _ Key(a) = Bare(1) Close()"},
	{"a bare word and whitespace", "<call>t a=1 ", true, "Open(<call>) Name(t) _ Key(a) = Bare(1) _ Close()"},
	{"a bare word that ends in half a rune", "<call>t a=\xc3", false, ""},
	{"an open string", `<call>t a="x`, false, ""},
	{"a string that ends in a backslash", `<call>t a="x\`, false, ""},
	{"a string", `<call>t a="x"`, true, `Open(<call>) Name(t) _ Key(a) = String("x") Close()`},
	{"an open array", "<call>t a=[1", false, ""},
	{"an array that goes on", "<call>t a=[1,", false, ""},
	{"an array", "<call>t a=[1]", true, "Open(<call>) Name(t) _ Key(a) = [ Bare(1) ] Close()"},
	{"an object", "<call>t a={k:1}", true, "Open(<call>) Name(t) _ Key(a) = { Key(k) : Bare(1) } Close()"},
	{"an open JSON body", `<call>t {"a":1`, false, ""},
	{"a JSON body", `<call>t {"a":1}`, true, `Open(<call>) Name(t) _ { String("a")+MemberKey : Bare(1) } Close()`},
	{"half a close tag after a word", "<call>t a=1</ca", false, ""},
	{"half a close tag after a name", "<call>t<", false, ""},
	{"half a close tag after whitespace", "<call>t a=1 </call", false, ""},
	{"half an opener after a word", "<call>t a=1<ca", false, ""},
}

// A call that is open when the input ends is unterminated, unless its body is
// complete and the caller accepts that.
func TestEnd(t *testing.T) {
	for _, c := range truncated {
		t.Run(c.name, func(t *testing.T) {
			for _, accept := range []bool{false, true} {
				everySplit(c.text, func(chunks ...string) {
					got := read(t, lexer.Config{AcceptAtEnd: accept}, chunks...)
					if accept && c.complete {
						if show(got) != c.want {
							t.Errorf("chunks %q:\ngot  %s\nwant %s", chunks, show(got), c.want)
						}
						return
					}
					last := got[len(got)-1]
					fault := piece{}
					for _, p := range got {
						if p.Kind == lexer.Fault {
							fault = p
						}
					}
					if last.Kind != lexer.Cut || fault.code != lexer.Unterminated || fault.fault != len(c.text) {
						t.Errorf("accept %v, chunks %q: %s", accept, chunks, show(got))
					}
				})
			}
		})
	}
}

// Abort accepts nothing: the input broke off.
func TestAbort(t *testing.T) {
	for _, c := range truncated {
		l, err := lexer.New(lexer.Config{AcceptAtEnd: true})
		if err != nil {
			t.Fatal(err)
		}
		l.Feed([]byte(c.text))
		for len(l.Tokens()) > 0 {
		}
		l.Abort()
		for toks := l.Tokens(); len(toks) > 0; toks = l.Tokens() {
			if k := toks[len(toks)-1]; k.Kind != lexer.Cut {
				t.Errorf("%s: ends with %v", c.name, k.Kind)
			}
		}
		if code, at := l.Fault(); code != lexer.Unterminated || at != len(c.text) {
			t.Errorf("%s: %s@%d", c.name, code, at)
		}
	}
}

// After the end there is nothing more, and Reset begins anew.
func TestAfterTheEnd(t *testing.T) {
	l, err := lexer.New(lexer.Config{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		l.Feed([]byte("x <call>t a=\"y"))
		for len(l.Tokens()) > 0 {
		}
		l.Close()
		n := 0
		for toks := l.Tokens(); len(toks) > 0; toks = l.Tokens() {
			n += len(toks)
		}
		if n == 0 {
			t.Fatal("nothing is left at the end")
		}
		l.Close()
		if toks := l.Tokens(); len(toks) > 0 {
			t.Errorf("after the end comes %v", toks)
		}
		l.Reset(lexer.Config{})
		if !idle(l) || l.Steps() != 0 {
			t.Errorf("after Reset: idle %v, %d steps", idle(l), l.Steps())
		}
	}
}

// What is ill-formed in the lexeme at the end is the fault, from its first byte on; what
// could still become a rune is not.
func TestIllFormedAtTheEnd(t *testing.T) {
	for _, c := range []struct {
		text string
		code lexer.Code
		at   int
	}{
		{"<call>\xff", lexer.InvalidUTF8, 6},
		{"<call>t\xff", lexer.InvalidUTF8, 7},
		{"<call>t a=\xff", lexer.InvalidUTF8, 10},
		{"<call>t a=b\xff", lexer.InvalidUTF8, 11},
		{"<call>t \xff", lexer.InvalidUTF8, 8},
		{"<call>t a=\xc3", lexer.Unterminated, 11},
	} {
		everySplit(c.text, func(chunks ...string) {
			for _, p := range read(t, lexer.Config{}, chunks...) {
				if p.Kind == lexer.Fault && (p.code != c.code || p.fault != c.at) {
					t.Errorf("chunks %q: %s at %d, want %s at %d", chunks, p.code, p.fault, c.code, c.at)
				}
			}
		})
	}
}
