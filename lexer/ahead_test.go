package lexer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/lexer"
)

// readAhead reads a text in one chunk as the parser does: what Ahead offers and
// the methods that end in End take, and the rest token by token. It returns the
// same line as show does for tokens, and how many bytes were taken.
func readAhead(t *testing.T, c lexer.Config, text string) (line string, taken int) {
	t.Helper()
	l, err := lexer.New(c)
	if err != nil {
		t.Fatal(err)
	}
	var pieces []piece
	add := func(k lexer.Token, text string) {
		p := piece{Token: k, text: text}
		if k.Kind == lexer.Fault {
			p.code, p.fault = l.Fault()
		}
		if n := len(pieces) - 1; n >= 0 && goesOn(pieces[n].Token, k) {
			pieces[n].text += text
			pieces[n].Flags |= k.Flags
		} else {
			pieces = append(pieces, p)
		}
	}
	l.Feed([]byte(text))
	for closed := false; ; {
		if n := takeAhead(l, c, add); n > 0 {
			taken += n
			continue
		}
		toks := l.Tokens()
		for _, k := range toks {
			add(k, string(l.Slice(k.Start, k.End)))
		}
		if len(toks) > 0 {
			continue
		}
		if closed {
			if l.Steps() < taken {
				t.Errorf("%q: %d steps, of %d bytes that were taken", text, l.Steps(), taken)
			}
			return show(pieces), taken
		}
		l.Close()
		closed = true
	}
}

// takeAhead takes one name, or one argument, or a close tag behind arguments, and
// returns how many bytes that was.
func takeAhead(l *lexer.Lexer, c lexer.Config, add func(lexer.Token, string)) int {
	w, named := l.Ahead()
	if len(w) == 0 {
		return 0
	}
	at := 0
	next := func(kind lexer.Kind, flags lexer.Flags, end int) {
		if end > at {
			start := l.Offset() + at
			add(lexer.Token{Kind: kind, Flags: flags, Start: start, End: start + end - at}, string(w[at:end]))
		}
		at = end
	}
	if !named {
		if n := l.NameEnd(w); n > 0 {
			next(lexer.Name, 0, n)
			l.Take(n, false, false)
		}
		return at
	}
	key := l.SpaceEnd(w, 0)
	if l.Closes(w, key) {
		next(lexer.Space, 0, key)
		next(lexer.Close, 0, key+len(c.Delims.OrDefault().Close))
		l.Take(at, false, true)
		return at
	}
	eq, dots := l.PathEnd(w, key)
	if key == 0 || eq == 0 {
		return 0
	}
	end, kind, flags := l.ValueEnd(w, eq+1)
	if end == 0 || kind == lexer.ArrayOpen && dots >= c.Limits.OrDefault().Depth {
		return 0
	}
	next(lexer.Space, 0, key)
	for i := key; i <= eq; i++ {
		switch w[i] {
		case '.':
			next(lexer.Key, 0, i)
			next(lexer.Dot, 0, i+1)
			dots--
		case '=':
			next(lexer.Key, 0, i)
			next(lexer.Equals, 0, i+1)
		}
	}
	if dots != 0 {
		panic(fmt.Sprintf("%q: the number of dots is off by %d", w[key:eq], dots))
	}
	switch {
	case kind == lexer.ArrayOpen:
		items(w[:end], next, at)
	case end == at:
		add(lexer.Token{Kind: kind, Start: l.Offset() + at, End: l.Offset() + at}, "")
	default:
		next(kind, flags, end)
	}
	l.Take(end, true, false)
	return end
}

// items reads an array as ValueEnd promises it: words and strings without
// backslashes, commas, and one blank at most behind each.
func items(w []byte, next func(lexer.Kind, lexer.Flags, int), at int) {
	for i := at; i < len(w); {
		switch c := w[i]; c {
		case '[':
			i++
			next(lexer.ArrayOpen, 0, i)
		case ']':
			i++
			next(lexer.ArrayClose, 0, i)
		case ',':
			i++
			next(lexer.Comma, 0, i)
		case ' ':
			i++
			next(lexer.Space, 0, i)
		case '"', '\'':
			i += 2 + strings.IndexByte(string(w[i+1:]), c)
			next(lexer.String, lexer.First|lexer.Last, i)
		default:
			for w[i] != ',' && w[i] != ']' {
				i++
			}
			next(lexer.Bare, 0, i)
		}
	}
}

// sameAhead reads text ahead, in one chunk, and byte by byte. It returns what is
// read, and how many bytes were read ahead.
func sameAhead(t *testing.T, c lexer.Config, text string) (line string, taken int) {
	t.Helper()
	line = show(read(t, c, text))
	if bytewise := show(read(t, c, strings.Split(text, "")...)); line != bytewise {
		t.Errorf("%q\nin one chunk %s\nbyte by byte %s", text, line, bytewise)
	}
	ahead, taken := readAhead(t, c, text)
	if ahead != line {
		t.Errorf("%q\nahead  %s\ntokens %s", text, ahead, line)
	}
	return line, taken
}

// Usual calls are read ahead as a whole, but for the opener.
func TestAheadTakesUsualCalls(t *testing.T) {
	for _, body := range []string{
		"t", "t a=1", "t a.b.c=x d=y", `t a="x y" b='z'`, "t a= b=", "t a=[]", `t a=[1, "x",'y', z-1] b=2`,
		"t a=\"\n\"", `t a="é"`, `t a=["é"]`, "t\n\ta=1\n", "t ",
	} {
		text := "<call>" + body + "</call>"
		if _, taken := sameAhead(t, lexer.Config{}, text); taken != len(text)-len("<call>") {
			t.Errorf("%q: %d bytes are taken", text, taken)
		}
	}
}

// In front of what is not usual nothing is taken, and Ahead says nothing where
// neither a name nor an argument can come.
func TestAheadStops(t *testing.T) {
	for _, c := range []struct {
		name, text string
		taken      int
	}{
		{"a JSON body", `<call>t {"a":1}</call>`, len("t")},
		{"an object", `<call>t a=1 b={k:v} c=2</call>`, len("t a=1") + len(" c=2</call>")},
		{"an escape", `<call>t a=1 b="\n" c=2</call>`, len("t a=1") + len(" c=2</call>")},
		{"a nested array", `<call>t a=[[1]] c=2</call>`, len("t") + len(" c=2</call>")},
		{"a fault", `<call>t a=1 b</call>`, len("t a=1")},
		{"an object behind an argument", `<call>t a=1 {"b":2}</call>`, len("t a=1")},
		{"a blank before an item", `<call>t a=[ 1]</call>`, len("t")},
		{"two blanks before an item", `<call>t a=[1,  2]</call>`, len("t")},
		{"half a call", `<call>t a=1 b=`, len("t a=1")},
		{"text", `text`, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, taken := sameAhead(t, lexer.Config{}, c.text); taken != c.taken {
				t.Errorf("%d bytes are taken, want %d", taken, c.taken)
			}
		})
	}
}

// Names and keys of every length, with every byte behind every number of letters:
// they are read eight bytes at a time.
func TestLettersOfEveryLength(t *testing.T) {
	const letters = "aB_9-zZ0yA8-kq7_xyz"
	for n := 1; n <= len(letters); n++ {
		for c := range 0x80 {
			for _, text := range []string{
				"<call>" + letters[:n] + string(rune(c)) + "q a=1</call>",
				"<call>t " + letters[:n] + string(rune(c)) + "q=1</call>",
			} {
				sameAhead(t, lexer.Config{}, text)
			}
		}
		got, _ := sameAhead(t, lexer.Config{}, "<call>"+letters[:n]+" "+letters[:n]+"="+letters[:n]+"</call>")
		want := fmt.Sprintf("Open(<call>) Name(%[1]s) _ Key(%[1]s) = Bare(%[1]s) Close(</call>)", letters[:n])
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// Close tags of every length, and what is one byte off: they are compared eight
// bytes at once.
func TestCloseTagsOfEveryLength(t *testing.T) {
	const all = "|/end-of-the-call-1234567890_xyz"
	for n := 2; n <= len(all); n++ {
		c := lexer.Config{Delims: lexer.Delims{Open: "<call>", Close: all[:n]}}
		got, _ := sameAhead(t, c, "<call>t a=1"+all[:n]+"<call>u"+all[:n]+".")
		want := fmt.Sprintf("Open(<call>) Name(t) _ Key(a) = Bare(1) Close(%[1]s) Open(<call>) Name(u) Close(%[1]s) Text(.)", all[:n])
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		for i := range n {
			near := all[:i] + "!" + all[i+1:n]
			got, _ := sameAhead(t, c, "<call>t a=1"+near+all[:n])
			if want := "Open(<call>) Name(t) _ Key(a) = Bare(1" + near + ") Close(" + all[:n] + ")"; got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		}
	}
}

// A close tag of bytes that names and keys have ends them all the same, at any of
// the eight bytes that are looked at at once.
func TestCloseTagOfLetters(t *testing.T) {
	const letters = "abcdefghijklmnopq"
	for _, tag := range []string{"-end", "_e", "-e_n-d_o-f_c-a_l-l"} {
		c := lexer.Config{Delims: lexer.Delims{Open: "<call>", Close: tag}}
		for n := 1; n <= len(letters); n++ {
			for _, behind := range []string{" a=1", "=1 ", ".b=1 ", tag, "_", "x"} {
				got, _ := sameAhead(t, c, "<call>"+letters[:n]+tag+behind)
				if want := "Open(<call>) Name(" + letters[:n] + ") Close(" + tag + ") Text(" + behind + ")"; got != want {
					t.Errorf("got %s, want %s", got, want)
				}
				sameAhead(t, c, "<call>t "+letters[:n]+tag+behind)
			}
		}
	}
}

// More arguments than Tokens returns at once.
func TestManyArguments(t *testing.T) {
	for _, n := range []int{10, 37, 38, 39, 40, 41, 100, 1000} {
		text, want := "<call>t", "Open(<call>) Name(t)"
		for i := range n {
			text += fmt.Sprintf(" k%d=%d", i, i)
			want += fmt.Sprintf(" _ Key(k%d) = Bare(%d)", i, i)
		}
		if got, _ := sameAhead(t, lexer.Config{}, text+"</call>"); got != want+" Close(</call>)" {
			t.Errorf("%d arguments are read as %s", n, got)
		}
	}
}

// Where something unusual comes, in any place among usual arguments, it is read
// as if it stood alone.
func TestUsualAndUnusual(t *testing.T) {
	usual := []string{"a=1", `b="x y"`, "c.d=2", "e=[1, 2]", "f='z'"}
	for _, c := range []struct{ argument, want string }{
		{`u="\n"`, `Key(u) = String("\n")+Escaped`},
		{`u={k:v}`, `Key(u) = { Key(k) : Bare(v) }`},
		{`u=[[1]]`, `Key(u) = [ [ Bare(1) ] ]`},
		{`u=["\""]`, `Key(u) = [ String("\"")+Escaped+QuoteEsc ]`},
		{`u=["a","b" ]`, `Key(u) = [ String("a") , String("b") _ ]`},
		{`u=x\y`, `Key(u) = Bare(x\y)`},
		{`u=O'x`, `Key(u) = Bare(O'x)`},
		{`u=é`, `Key(u) = Bare(é)`},
		{`é=u`, `Key(é) = Bare(u)`},
		{`u="é"`, `Key(u) = String("é")`},
		{`u=["é"]`, `Key(u) = [ String("é") ]`},
		{`u=a<b`, `Key(u) = Bare(a<b)`},
		{`u=[1,2,]`, `Key(u) = [ Bare(1) , Bare(2) , ]`},
		{`u="</call>"`, `Key(u) = String("</call>")`},
	} {
		for i := range len(usual) + 1 {
			before, behind := strings.Join(usual[:i], " "), strings.Join(usual[i:], " ")
			text := "<call>t " + strings.TrimSpace(before+" "+c.argument+" "+behind) + "</call>"
			if got, _ := sameAhead(t, lexer.Config{}, text); !strings.Contains(got, " _ "+c.want+" ") || strings.Contains(got, "Fault") {
				t.Errorf("%q\ngot  %s\nwant %s in it", text, got, c.want)
			}
		}
	}
}

// A list ends where the grammar says, and what is no list of plain items is
// refused at the same byte.
func TestLists(t *testing.T) {
	items := []string{"1", "x", `"a"`, "'b'", "\"\xff\"", "\"\x01\"", "", " ", "  ", "x y", `"`, "]", "[", "\x01", "\xff", "é"}
	for _, a := range items {
		for _, b := range items {
			for _, between := range []string{",", ", ", " ,", "", ",,", ",  "} {
				sameAhead(t, lexer.Config{}, "<call>t a=["+a+between+b+"]</call>")
			}
		}
	}
}

// Limits are met ahead too.
func TestAheadLimits(t *testing.T) {
	for _, text := range []string{`<call>tool a.b=[1] c="x" d.e.f=2</call>`, "<call>t a.b.c.d=1</call>", "<call>t a.b=[1] c=2</call>"} {
		for n := 1; n <= len(text)+1; n++ {
			for _, l := range []lexer.Limits{{Bytes: n}, {Depth: n}, {Name: n}} {
				sameAhead(t, lexer.Config{Limits: l}, text)
			}
		}
	}
}

// Inside a string, StringAhead offers whole runes up to the limit on the bytes of a
// call, and what is taken comes in no token.
func TestStringAhead(t *testing.T) {
	read := func(l *lexer.Lexer, chunk string) (kinds []lexer.Kind) {
		l.Feed([]byte(chunk))
		for toks := l.Tokens(); len(toks) > 0; toks = l.Tokens() {
			for _, k := range toks {
				kinds = append(kinds, k.Kind)
			}
		}
		return kinds
	}
	l, err := lexer.New(lexer.Config{Limits: lexer.Limits{Bytes: 40}})
	if err != nil {
		t.Fatal(err)
	}
	read(l, `<call>t s=`)
	if w, _ := l.StringAhead(); w != nil {
		t.Errorf("before the string: %q", w)
	}
	l.Feed([]byte(`'ab`))
	if w, _ := l.StringAhead(); w != nil {
		t.Errorf("in front of the quote: %q", w)
	}
	for len(l.Tokens()) > 0 {
	}
	l.Feed([]byte("cd\xc3"))
	w, quote := l.StringAhead()
	if string(w) != "cd" || quote != '\'' {
		t.Errorf("got %q in %q", w, quote)
	}
	steps := l.Steps()
	l.TakeString(2)
	if w, _ := l.StringAhead(); len(w) != 0 || l.Steps() != steps+2 {
		t.Errorf("behind it %q, %d steps", w, l.Steps()-steps)
	}
	if kinds := read(l, "\xa9"); len(kinds) != 1 || kinds[0] != lexer.String {
		t.Errorf("a rune in two chunks: %v", kinds)
	}
	l.Feed([]byte(strings.Repeat("x", 100)))
	if w, _ := l.StringAhead(); len(w) != 40-len(`<call>t s='abcdé`) {
		t.Errorf("%d bytes up to the limit", len(w))
	}
	l.TakeString(3)
	for toks := l.Tokens(); len(toks) > 0; toks = l.Tokens() {
		if code, at := l.Fault(); code != "" && (code != lexer.CallTooLong || at != 40) {
			t.Errorf("%s at %d", code, at)
		}
	}
}
