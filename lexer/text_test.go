package lexer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/lexer"
)

func TestFraming(t *testing.T) {
	check(t, lexer.Config{}, []rule{
		{"no input has no tokens", "", ""},
		{"text without an opener is text", "a < b > c </call> d", "Text(a < b > c </call> d)"},
		{"text need not be UTF-8", "a\xff\xc3b\x00", "Text(a\xff\xc3b\x00)"},
		{"a call stands between text", "a <call>t</call> b", "Text(a ) Open(<call>) Name(t) Close(</call>) Text( b)"},
		{"calls may touch", "<call>t</call><call>u</call>", "Open(<call>) Name(t) Close(</call>) Open(<call>) Name(u) Close(</call>)"},
		{"whitespace behind the opener belongs to it", "<call> \t\r\nt</call>", "Open(<call> \t\r\n) Name(t) Close(</call>)"},
		{"tags are case-sensitive", "<Call>t</call>", "Text(<Call>t</call>)"},
		{"tags are exact bytes", "<call >t</call>", "Text(<call >t</call>)"},
		{"half an opener is text", "a <cal", "Text(a <cal)"},
		{"a beginning of an opener before an opener is text", "<ca<call>t</call>", "Text(<ca) Open(<call>) Name(t) Close(</call>)"},
		{"an opener without a call is text", "<call></call>", "Text(<call></call>)"},
		{"an opener at the end is text", "<call>", "Text(<call>)"},
		{"an opener and whitespace at the end are text", "<call> \n", "Text(<call> \n)"},
		{"an opener before a digit is text", "<call>1</call>", "Text(<call>1</call>)"},
		{"an opener before a quote is text", `<call>"t"</call>`, `Text(<call>"t"</call>)`},
		{"an opener before a control is text", "<call>\x00t</call>", "Text(<call>\x00t</call>)"},
		{"an opener before a call's opener is text", "<call><call>t</call>", "Text(<call>) Open(<call>) Name(t) Close(</call>)"},
		{"an opener, whitespace and a call", "<call> <call>t</call>", "Text(<call> ) Open(<call>) Name(t) Close(</call>)"},
		{"an envelope begins a call, malformed at its brace", `<call>{"name":"t"}</call>`, `Open(<call>) Fault(expected-name@6) Damage({"name":"t"}) Close(</call>)`},
		{"an array begins a call, malformed at its bracket", `<call> [1]</call>`, `Open(<call> ) Fault(expected-name@7) Damage([1]) Close(</call>)`},
		{"a close tag in double quotes closes nothing", `<call>t a="</call>"</call>`, `Open(<call>) Name(t) _ Key(a) = String("</call>") Close(</call>)`},
		{"a close tag in single quotes closes nothing", `<call>t a='</call>'</call>`, `Open(<call>) Name(t) _ Key(a) = String('</call>') Close(</call>)`},
		{"a call in quotes is content", `<call>t a="</call><call>u b=1</call>"</call>`, `Open(<call>) Name(t) _ Key(a) = String("</call><call>u b=1</call>") Close(</call>)`},
		{"a close tag in quotes in an array closes nothing", `<call>t a=["</call>"]</call>`, `Open(<call>) Name(t) _ Key(a) = [ String("</call>") ] Close(</call>)`},
		{"a close tag in a quoted key closes nothing", `<call>t {"</call>":1}</call>`, `Open(<call>) Name(t) _ { String("</call>")+MemberKey : Bare(1) } Close(</call>)`},
	})
}

// Tags that begin in themselves or with letters of names are framed like the
// default ones.
func TestFramingByOtherTags(t *testing.T) {
	for _, c := range []struct {
		name       string
		open, done string
		text, want string
	}{
		{"an opener that overlaps itself", "<<call>", "</call>", "<<<call>t</call>", "Text(<) Open(<<call>) Name(t) Close(</call>)"},
		{"an opener that begins in its own second byte", "<<", "</a>", "<<<t</a>", "Text(<) Open(<<) Name(t) Close(</a>)"},
		{"tags that begin with a name byte", "@c", "@/c", "x@ @ct a=1@/c", "Text(x@ ) Open(@c) Name(t) _ Key(a) = Bare(1) Close(@/c)"},
		{"a name, key and word that hold the first byte of a tag", "@c", "@/c", "@ct@1 a@1=x@1@/c", "Open(@c) Name(t@1) _ Key(a@1) = Bare(x@1) Close(@/c)"},
		{"tags that begin with other bytes", "<call>", "|end|", "<call>t a=1 |end|", "Open(<call>) Name(t) _ Key(a) = Bare(1) _ Close(|end|)"},
		{"the opener ends a name", "$a!", "$b!", "$a!t$a!u$b!", "Open($a!) Fault(bad-name@4) Damage(t) Cut Open($a!) Name(u) Close($b!)"},
		{"a tag of two bytes", "((", "))", "(x((t a=1))", "Text((x) Open((() Name(t) _ Key(a) = Bare(1) Close()))"},
	} {
		t.Run(c.name, func(t *testing.T) {
			config := lexer.Config{Delims: lexer.Delims{Open: c.open, Close: c.done}}
			if got := tokens(t, config, c.text); got != c.want {
				t.Errorf("%q\ngot  %s\nwant %s", c.text, got, c.want)
			}
		})
	}
}

// Text is given out as it comes: only what could begin a call is held back.
func TestTextIsNotHeld(t *testing.T) {
	for _, c := range []struct{ name, text, out string }{
		{"text", "plain", "plain"},
		{"a bracket that is none", "a <b", "a <b"},
		{"a beginning of an opener is held", "a <cal", "a "},
		{"an opener is held", "a <call>", "a "},
		{"an opener and whitespace are held", "a <call> \n", "a "},
		{"what ends it gives it out", "a <call> \n.", "a <call> \n."},
		{"a close tag is text", "a </cal", "a </cal"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, err := lexer.New(lexer.Config{})
			if err != nil {
				t.Fatal(err)
			}
			out := ""
			for i := range len(c.text) {
				l.Feed([]byte(c.text[i : i+1]))
				for toks := l.Tokens(); len(toks) > 0; toks = l.Tokens() {
					for _, k := range toks {
						out += string(l.Slice(k.Start, k.End))
					}
				}
			}
			if out != c.out {
				t.Errorf("of %q %q came out, want %q", c.text, out, c.out)
			}
			if held := out != c.text; l.Idle() == held {
				t.Errorf("%q: Idle is %v while %d bytes are held", c.text, l.Idle(), len(c.text)-len(out))
			}
		})
	}
}

// Prose takes a chunk without a first byte of a tag and nothing else.
func TestProse(t *testing.T) {
	for _, c := range []struct {
		name, before, chunk string
		taken               bool
	}{
		{"a short chunk of text", "", "text", true},
		{"a long chunk of text", "", strings.Repeat("text ", 20), true},
		{"an empty chunk", "", "", true},
		{"a short chunk with a bracket", "", "a < b", false},
		{"a long chunk with a bracket at its end", "", strings.Repeat("text ", 20) + "<", false},
		{"behind a call", "<call>t</call>", "text", true},
		{"behind half an opener", "a <ca", "text", false},
		{"behind an opener and whitespace", "a <call> ", "text", false},
		{"in a call", "<call>t ", "text", false},
		{"in damage", "<call>t(", "text", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, err := lexer.New(lexer.Config{})
			if err != nil {
				t.Fatal(err)
			}
			l.Feed([]byte(c.before))
			for len(l.Tokens()) > 0 {
			}
			steps := l.Steps()
			if got := l.Prose([]byte(c.chunk)); got != c.taken {
				t.Fatalf("Prose(%q) behind %q: %v", c.chunk, c.before, got)
			}
			if n := l.Steps() - steps; c.taken && n != len(c.chunk) {
				t.Errorf("%d steps for %d bytes", n, len(c.chunk))
			}
			if !c.taken {
				return
			}
			l.Feed([]byte("<call>u</call>"))
			if k := l.Tokens()[0]; k.Kind != lexer.Open || k.Start != len(c.before)+len(c.chunk) {
				t.Errorf("behind the chunk there is %v at %d", k.Kind, k.Start)
			}
		})
	}
}

// Skip moves all offsets, and nothing else.
func TestSkip(t *testing.T) {
	l, err := lexer.New(lexer.Config{Limits: lexer.Limits{Bytes: 14}})
	if err != nil {
		t.Fatal(err)
	}
	l.Skip(1000)
	l.Feed([]byte("x<call>t</call><call>t("))
	l.Close()
	got := ""
	for toks := l.Tokens(); len(toks) > 0; toks = l.Tokens() {
		for _, k := range toks {
			got += fmt.Sprintf("%v[%d:%d]%s ", k.Kind, k.Start, k.End, l.Slice(k.Start, k.End))
		}
	}
	code, at := l.Fault()
	got += fmt.Sprintf("%s@%d", code, at)
	if want := "Text[1000:1001]x Open[1001:1007]<call> Name[1007:1008]t Close[1008:1015]</call> Open[1015:1021]<call> Fault[1021:1021] Damage[1021:1023]t( Cut[1023:1023] bad-name@1022"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
