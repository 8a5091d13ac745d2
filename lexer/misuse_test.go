package lexer_test

import (
	"math"
	"strings"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/lexer/lexeme"
)

// What the package does not ask for has an answer all the same: an error or a
// documented nothing, never a panic and never a call that was not written.

// The zero value reads the format as specified, whatever is done to it first.
func TestZeroLexer(t *testing.T) {
	const text = "a <call>t a=1</call> b"
	for name, first := range map[string]func(*lexer.Lexer){
		"nothing": func(*lexer.Lexer) {},
		"reset":   func(l *lexer.Lexer) { l.Reset(lexer.Config{}) },
		"tokens":  func(l *lexer.Lexer) { l.Tokens() },
		"asked": func(l *lexer.Lexer) {
			l.Peek()
			l.Fault()
			l.Steps()
		},
		"empty": func(l *lexer.Lexer) { l.Feed(nil); l.Tokens() },
	} {
		var l lexer.Lexer
		first(&l)
		l.Feed([]byte(text))
		got := ""
		for _, end := range []bool{false, true} {
			if end {
				l.Close()
			}
			for toks := l.Tokens(); len(toks) > 0; toks = l.Tokens() {
				for _, k := range toks {
					got += k.Kind.String() + " "
				}
			}
		}
		if want := "Text Open Name Space Key Equals Bare Close Text "; got != want {
			t.Errorf("%s first: %s, want %s", name, got, want)
		}
	}
	var l lexer.Lexer
	l.Close()
	for range 2 {
		if toks := l.Tokens(); len(toks) != 0 {
			t.Errorf("tokens of nothing: %v", toks)
		}
	}
	l.Discard(3, lexer.Prose)
	l.Reset(lexer.Config{})
	l.Discard(5, lexer.Prose)
	l.Feed([]byte("x"))
	if k := l.Tokens()[0]; k.Start != 5 {
		t.Errorf("after 5 skipped bytes, a token begins at %d", k.Start)
	}
}

// A lexer under tags that are not legal reads text.
func TestIllegalTagsAreNoTags(t *testing.T) {
	for _, d := range []lexer.Delims{{Open: "x", Close: "y"}, {Open: "<call>"}, {Open: "<call>", Close: "<call>"}, {Close: "</call>"}} {
		for _, near := range []bool{false, true} {
			if tags := (lexer.Config{Delims: d, NearMisses: near}).Tags(); tags != (lexeme.Tags{}) {
				t.Errorf("%+v: tags %+v", d, tags)
			}
		}
		l, err := lexer.New(lexer.Config{Delims: d})
		if err == nil {
			t.Fatalf("%+v is taken", d)
		}
		for range 2 {
			for _, c := range []string{"a <call>t a=1</call> b", "<call", ">", "t</call>", "<call> \n", "t</call>"} {
				l.Feed([]byte(c))
				for toks := l.Tokens(); len(toks) > 0; toks = l.Tokens() {
					for _, k := range toks {
						if k.Kind != lexer.Text {
							t.Errorf("%+v, %q: %v", d, c, k.Kind)
						}
					}
				}
			}
			if l.Reset(lexer.Config{Delims: d}) == nil {
				t.Errorf("%+v is taken", d)
			}
		}
	}
}

// Negative limits are the default ones.
func TestNegativeLimits(t *testing.T) {
	const text = "<call>tool a.b=[1]</call>"
	c := lexer.Config{Limits: lexer.Limits{Bytes: -1, Depth: -1 << 63, Arguments: -1, Name: -5}}
	if got, want := tokens(t, c, text), tokens(t, lexer.Config{}, text); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// After Close nothing is read.
func TestFeedAfterClose(t *testing.T) {
	for _, text := range []string{"", "a", "<call>t a", "<call>t a=\"", "<call>t</call>", "<call>t(", "<ca"} {
		l, err := lexer.New(lexer.Config{})
		if err != nil {
			t.Fatal(err)
		}
		l.Feed([]byte(text))
		for len(l.Tokens()) > 0 {
		}
		l.Close()
		for len(l.Tokens()) > 0 {
		}
		for _, c := range []string{"b", "<call>t a=1</call>", "\"", ">"} {
			l.Feed([]byte(c))
			if toks := l.Tokens(); len(toks) > 0 {
				t.Errorf("after %q and Close, %q gives %v", text, c, toks)
			}
			l.Close()
			l.Abort()
		}
	}
}

// A kind that there is not has a name.
func TestKindsThatThereAreNot(t *testing.T) {
	if got := lexer.Kind(200).String(); got != "Kind(200)" {
		t.Error(got)
	}
	if got := (lexer.ThoughtClose + 1).String(); got != "Kind(22)" {
		t.Error(got)
	}
}

// A span that is not there has no bytes, whenever it is asked for.
func TestSpansThatAreNotThere(t *testing.T) {
	for _, text := range []string{"", "a <call>t a=1</call> b", `<call>t a="x`, "<call>t (" + strings.Repeat("x", 100), "<call>t(x)</call>"} {
		l, err := lexer.New(lexer.Config{Limits: lexer.Limits{Bytes: 40}})
		if err != nil {
			t.Fatal(err)
		}
		for i := range text {
			l.Feed([]byte(text[i : i+1]))
			for len(l.Tokens()) > 0 {
			}
			for _, span := range [][2]int{{-5, 100}, {-5, 0}, {0, -1}, {1 << 20, 1<<20 + 1}, {i, i + 2}, {5, 3}, {math.MinInt, math.MaxInt}, {math.MaxInt, math.MinInt}} {
				if got := l.Slice(span[0], span[1]); len(got) > 0 {
					t.Errorf("%q: Slice%v is %q", text[:i+1], span, got)
				}
				if got, _ := l.Raw(span[0], span[1]); len(got) > 40 {
					t.Errorf("%q: Raw%v is %q", text[:i+1], span, got)
				}
			}
		}
	}
}

// Whatever a caller says that it has read, nothing panics, before or after anything else.
func TestDiscardWhatIsNot(t *testing.T) {
	for _, n := range []int{math.MinInt, -1, 0, 1, 2, 5, 6, 7, 9, 17, 60, math.MaxInt / 2, math.MaxInt} {
		for before := range lexer.Quoted + 3 {
			for _, first := range []string{"", "a <call>t", "<call>t a=[", `<call>t a="x`, "<call>t( <call>", "a <ca"} {
				for _, c := range []lexer.Config{{}, {Code: true, NearMisses: true, Reasoning: true}} {
					for looks := range 4 {
						var l lexer.Lexer
						l.Reset(c)
						l.Feed([]byte(first))
						if looks&1 > 0 {
							l.Tokens()
						}
						if looks&2 > 0 {
							l.Peek()
						}
						for range 2 {
							l.Discard(n, before)
							l.Feed([]byte("a <call>t a=1</call> b"))
							for range 9 {
								l.Discard(n/2, before)
								if _, _, at := l.Peek(); at < 0 || at > math.MaxInt/2+200 {
									t.Errorf("%d before %d after %q: at offset %d", n, before, first, at)
								}
								l.Tokens()
							}
						}
						l.Close()
						for range 9 {
							l.Tokens()
							l.Discard(n, before)
						}
					}
				}
			}
		}
	}
}
