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
		{"whitespace after the opener belongs to it", "<call> \t\r\nt</call>", "Open(<call> \t\r\n) Name(t) Close(</call>)"},
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
			if held := out != c.text; idle(l) == held {
				t.Errorf("%q: Idle is %v while %d bytes are held", c.text, idle(l), len(c.text)-len(out))
			}
		})
	}
}

// idle reports whether l is between calls and holds nothing back.
func idle(l *lexer.Lexer) bool {
	w, at, _ := l.Peek()
	return at == lexer.Prose && len(w) == 0
}

// Peek tells what is read next, and gives its bytes.
func TestPeek(t *testing.T) {
	for _, c := range []struct {
		before, chunk string // before is read by Tokens
		place         lexer.Place
		rest          string
	}{
		{"", "text", lexer.Prose, "text"},
		{"text", "", lexer.Prose, ""},
		{"<call>t</call>", "text <call>", lexer.Prose, "text <call>"},
		{"a <ca", "", lexer.Spent, ""},
		{"a <ca", "ll>", lexer.Prose, "<call>"},
		{"a <call> ", "t", lexer.Elsewhere, ""},
		{"<call>", "", lexer.Spent, ""},
		{"<call>t", "ool", lexer.Spent, ""},
		{"<call>t", "ool ", lexer.Elsewhere, ""},
		{"<call>t ", "", lexer.Spent, ""},
		{"<call>t ", "a=1", lexer.AtArgument, "a=1"},
		{"<call>t a", "b", lexer.Spent, ""},
		{"<call>t a", "b=", lexer.Elsewhere, ""},
		{"<call>t a=b", "c</ca", lexer.Spent, ""},
		{"<call>t a=b", "c ", lexer.Elsewhere, ""},
		{`<call>t a="b`, `c"</call>`, lexer.Quoted, `c"</call>`},
		{`<call>t a="b\`, `n"</call>`, lexer.Quoted, `\n"</call>`},
		{`<call>t a=["b`, `c"`, lexer.Quoted, `c"`},
		{"<call>t {} ", " </call>", lexer.Elsewhere, ""},
		{"<call>t(", "text", lexer.Elsewhere, ""},
	} {
		l, err := lexer.New(lexer.Config{})
		if err != nil {
			t.Fatal(err)
		}
		l.Feed([]byte(c.before))
		for len(l.Tokens()) > 0 {
		}
		if c.chunk != "" {
			l.Feed([]byte(c.chunk))
		}
		if rest, place, _ := l.Peek(); place != c.place || string(rest) != c.rest {
			t.Errorf("%q and then %q: place %d with %q, want %d with %q", c.before, c.chunk, place, rest, c.place, c.rest)
		}
	}
}

// No argument comes before a call has a name.
func TestDiscardNoArgument(t *testing.T) {
	const text = "no <call>t</call>"
	l, err := lexer.New(lexer.Config{})
	if err != nil {
		t.Fatal(err)
	}
	l.Feed([]byte(text))
	l.Discard(3, lexer.AtArgument)
	if w, place, offset := l.Peek(); string(w) != text || place != lexer.Prose || offset != 0 {
		t.Errorf("place %d with %q at %d", place, w, offset)
	}
}

// A reader of its own may take over at any place that Peek tells, and leave again.
func TestDiscard(t *testing.T) {
	const text = `text <call>t a="b c" d=e</call> more <call>u</call>`
	l, err := lexer.New(lexer.Config{})
	if err != nil {
		t.Fatal(err)
	}
	l.Feed([]byte(text))
	take := func(want string, at, next lexer.Place) {
		t.Helper()
		w, place, _ := l.Peek()
		if place != at || !strings.HasPrefix(string(w), want) {
			t.Fatalf("place %d with %q, want %d with %q", place, w, at, want)
		}
		l.Discard(len(want), next)
	}
	take("text <call>", lexer.Prose, lexer.AtName)
	take("t", lexer.AtName, lexer.AtArgument)
	take(` a="b c"`, lexer.AtArgument, lexer.AtArgument)
	take(" d=e</call>", lexer.AtArgument, lexer.Prose)
	got := ""
	for toks := l.Tokens(); len(toks) > 0; toks = l.Tokens() {
		for _, k := range toks {
			got += fmt.Sprintf("%v[%d:%d] ", k.Kind, k.Start, k.End)
		}
	}
	if want := "Text[31:37] Open[37:43] Name[43:44] Close[44:51] "; got != want {
		t.Errorf("then %s, want %s", got, want)
	}
}

// What is discarded of prose beyond the chunk moves all offsets, and nothing else.
func TestDiscardUnseen(t *testing.T) {
	l, err := lexer.New(lexer.Config{Limits: lexer.Limits{Bytes: 14}})
	if err != nil {
		t.Fatal(err)
	}
	l.Discard(1000, lexer.Prose)
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

// now returns the tokens of a chunk after which more may come.
func now(t *testing.T, c lexer.Config, chunk string) string {
	t.Helper()
	l, err := lexer.New(c)
	if err != nil {
		t.Fatal(err)
	}
	l.Feed([]byte(chunk))
	var words []string
	for toks := l.Tokens(); len(toks) > 0; toks = l.Tokens() {
		for _, k := range toks {
			p := piece{Token: k, text: string(l.Slice(k.Start, k.End))}
			if k.Kind == lexer.Fault {
				p.code, p.fault = l.Fault()
			}
			words = append(words, p.String())
		}
	}
	return strings.Join(words, " ")
}

// What is decided by the bytes that are there waits for no more of them.
func TestNothingWaitsInVain(t *testing.T) {
	names := lexer.Config{Delims: lexer.Delims{Open: "@cc", Close: "@/c"}}
	for _, c := range []struct {
		name        string
		config      lexer.Config
		chunk, want string
	}{
		{"no name begins with the first byte of a tag", lexer.Config{}, "<call><", "Text(<call>)"},
		{"one does, if it is a name byte", names, "@cc@", ""},
		{"one did", names, "@cc@x ", "Open(@cc) Name(@x) _"},
		{"no opener can follow a value", names, `@cct a="x"@c`, `Open(@cc) Name(t) _ Key(a) = String("x") Fault(expected-space@10)`},
		{"the close tag can", names, `@cct a="x"@/`, `Open(@cc) Name(t) _ Key(a) = String("x")`},
	} {
		if got := now(t, c.config, c.chunk); got != c.want {
			t.Errorf("%s: %q\ngot  %s\nwant %s", c.name, c.chunk, got, c.want)
		}
	}
}
