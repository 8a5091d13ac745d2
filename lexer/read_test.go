package lexer_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/lexer"
)

// The tests of this package compare tokens as text: a lexeme is Kind(lexeme),
// white space is _, punctuation stands for itself, and a fault is
// Fault(code@offset). Flags that say something about the lexeme follow a plus.

// piece is a token with its lexeme; pieces of one lexeme are joined.
type piece struct {
	lexer.Token
	text  string
	code  lexer.Code
	fault int
}

// read returns the tokens of the chunks, joined. It checks that they tile the
// input, and overwrites each chunk once it is read.
func read(t *testing.T, c lexer.Config, chunks ...string) []piece {
	t.Helper()
	l, err := lexer.New(c)
	if err != nil {
		t.Fatal(err)
	}
	var pieces []piece
	at := 0
	drain := func() {
		for toks := l.Tokens(); len(toks) > 0; toks = l.Tokens() {
			for _, k := range toks {
				if k.Start != at || k.End < k.Start {
					t.Fatalf("%q: %v begins at %d and ends at %d, after %d", chunks, k.Kind, k.Start, k.End, at)
				}
				at = k.End
				p := piece{Token: k, text: string(l.Slice(k.Start, k.End))}
				if k.Kind == lexer.Fault {
					p.code, p.fault = l.Fault()
				}
				if n := len(pieces) - 1; n >= 0 && goesOn(pieces[n].Token, k) {
					pieces[n].text += p.text
					pieces[n].End = k.End
					pieces[n].Flags |= k.Flags
				} else {
					pieces = append(pieces, p)
				}
			}
		}
	}
	for _, c := range chunks {
		memory := []byte(c + "memory of the caller")
		l.Feed(memory[:len(c)])
		drain()
		if string(memory) != c+"memory of the caller" {
			t.Fatalf("%q: the chunk became %q", chunks, memory)
		}
		for i := range memory {
			memory[i] = 0xAA
		}
	}
	l.Close()
	drain()
	if n := len(strings.Join(chunks, "")); at != n {
		t.Fatalf("%q: tokens end at %d of %d", chunks, at, n)
	}
	return pieces
}

// goesOn reports whether next is another piece of the same lexeme.
func goesOn(last, next lexer.Token) bool {
	switch next.Kind {
	case lexer.Text, lexer.Space, lexer.Damage:
		return last.Kind == next.Kind
	case lexer.Open:
		return false
	}
	return next.Kind == lexer.String && last.Kind == next.Kind && next.Flags&lexer.First == 0
}

// symbols are the kinds whose lexeme is always the same.
var symbols = map[lexer.Kind]string{
	lexer.Dot: ".", lexer.Equals: "=", lexer.Comma: ",", lexer.Colon: ":",
	lexer.ArrayOpen: "[", lexer.ArrayClose: "]", lexer.ObjectOpen: "{", lexer.ObjectClose: "}",
}

// flagNames are the flags that are not about pieces.
var flagNames = []struct {
	flag lexer.Flags
	name string
}{
	{lexer.MemberKey, "MemberKey"}, {lexer.Escaped, "Escaped"}, {lexer.Control, "Control"},
	{lexer.Literal, "Literal"}, {lexer.QuoteEsc, "QuoteEsc"}, {lexer.Opened, "Opened"},
}

func (p piece) String() string {
	if s := symbols[p.Kind]; s != "" && s == p.text {
		return s
	}
	if p.Kind == lexer.Space && p.text != "" && strings.Trim(p.text, " \t\r\n") == "" {
		return "_"
	}
	if p.Kind == lexer.Fault {
		return fmt.Sprintf("Fault(%s@%d)%s", p.code, p.fault, p.text)
	}
	if p.Kind == lexer.Cut {
		return "Cut" + p.text
	}
	s := fmt.Sprintf("%v(%s)", p.Kind, p.text)
	if p.Kind == lexer.String && p.Flags&lexer.Last == 0 {
		return s // the flags of a string are known at its end
	}
	for _, f := range flagNames {
		if p.Flags&f.flag != 0 {
			s += "+" + f.name
		}
	}
	return s
}

// show returns the tokens of text as one line.
func show(pieces []piece) string {
	words := make([]string, len(pieces))
	for i, p := range pieces {
		words[i] = p.String()
	}
	return strings.Join(words, " ")
}

// everySplit calls f with the divisions of text into chunks: the whole, single
// bytes with empty chunks between them, all pairs, and all triples of short
// texts.
func everySplit(text string, f func(chunks ...string)) {
	f(text)
	var ones []string
	for i := range len(text) {
		ones = append(ones, text[i:i+1], "")
	}
	f(ones...)
	for i := range len(text) + 1 {
		f(text[:i], text[i:])
		for j := i + 1; j < len(text) && len(text) <= 48; j++ {
			f(text[:i], text[i:j], text[j:])
		}
	}
}

// tokens returns the tokens of text as one line, the same at every split.
func tokens(t *testing.T, c lexer.Config, text string) string {
	t.Helper()
	want := show(read(t, c, text))
	everySplit(text, func(chunks ...string) {
		if got := show(read(t, c, chunks...)); got != want && !t.Failed() {
			t.Errorf("chunks %q:\ngot  %s\nwant %s", chunks, got, want)
		}
	})
	return want
}

// rule is one line of a table: a rule of the language, a text, and its tokens.
type rule struct{ name, text, want string }

// check reads the text of each rule at every split.
func check(t *testing.T, c lexer.Config, rules []rule) {
	t.Helper()
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			t.Helper()
			if got := tokens(t, c, r.text); got != r.want {
				t.Errorf("%q\ngot  %s\nwant %s", r.text, got, r.want)
			}
		})
	}
}

// checkBody is check for the bodies of calls: the tags are left out.
func checkBody(t *testing.T, rules []rule) {
	t.Helper()
	const open, closing = "Open(<call>) ", " Close(</call>)"
	for i := range rules {
		rules[i].text = "<call>" + rules[i].text + "</call>"
		rules[i].want = open + rules[i].want + closing
	}
	check(t, lexer.Config{}, rules)
}

// The helpers must be able to fail: an overwritten chunk is seen, and so are two
// different readings.
func TestReadOverwritesChunks(t *testing.T) {
	l, err := lexer.New(lexer.Config{})
	if err != nil {
		t.Fatal(err)
	}
	chunk := []byte("text")
	l.Feed(chunk)
	k := l.Tokens()[0]
	held := l.Slice(k.Start, k.End)
	copy(chunk, "XXXX")
	if !bytes.Equal(held, []byte("XXXX")) {
		t.Errorf("text is %q: it was copied out of its chunk", held)
	}
}
