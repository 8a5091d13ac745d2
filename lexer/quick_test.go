package lexer_test

import (
	"strings"
	"testing"

	"github.com/callwire/callwire/lexer"
)

// Inside takes a chunk that only lengthens what was begun, and nothing else. What
// was begun ends then as if it had come in one chunk: next is read as a token of
// that kind, which begins at the offset from.
func TestInside(t *testing.T) {
	for _, c := range []struct {
		name, before, chunk string
		taken               bool
		next                string
		kind                lexer.Kind
		from                int
	}{
		{"in a string", `<call>t a="x`, "text < </call> [,] =", true, `"`, lexer.String, 32},
		{"an empty chunk", `<call>t a="x`, "", true, `"`, lexer.String, 12},
		{"a string in an array", `<call>t a=["x`, "text", true, `"`, lexer.String, 17},
		{"a quote", `<call>t a="x`, `a"`, false, "", 0, 0},
		{"the other quote", `<call>t a="x`, `it's`, false, "", 0, 0},
		{"a backslash", `<call>t a="x`, `\n`, false, "", 0, 0},
		{"a line end", `<call>t a="x`, "a\n", false, "", 0, 0},
		{"a rune", `<call>t a="x`, "é", false, "", 0, 0},
		{"behind half an escape", `<call>t a="x\u00`, "text", false, "", 0, 0},
		{"behind half a rune", "<call>t a=\"x\xc3", "text", false, "", 0, 0},
		{"before a string", `<call>t a=`, "text", false, "", 0, 0},
		{"behind a string", `<call>t a="x"`, "text", false, "", 0, 0},
		{"in a string in damage", `<call>t ("x`, "text", false, "", 0, 0},
		{"in a name", `<call>get`, "Time", true, " ", lexer.Name, 6},
		{"the end of a name", `<call>get`, "Time ", false, "", 0, 0},
		{"in a key", `<call>t lo`, "cal", true, "=", lexer.Key, 8},
		{"the end of a key", `<call>t lo`, "c=", false, "", 0, 0},
		{"a dot in a key", `<call>t lo`, "c.", false, "", 0, 0},
		{"in a bare word", `<call>t a=x`, "text=1", true, " ", lexer.Bare, 10},
		{"a quote in a bare word", `<call>t a=x`, `"`, false, "", 0, 0},
		{"the end of a bare word", `<call>t a=x`, "y ", false, "", 0, 0},
		{"what may be a tag in a bare word", `<call>t a=x`, "y<", false, "", 0, 0},
		{"in the close tag", `<call>t a=x</c`, "all", true, ">", lexer.Bare, 10},
		{"not the close tag", `<call>t a=x</c`, "alm", false, "", 0, 0},
		{"all of the close tag", `<call>t a=x</c`, "all>", false, "", 0, 0},
		{"in the opener", `so <c`, "all", true, ">t ", lexer.Open, 3},
		{"not the opener", `so <c`, "alm", false, "", 0, 0},
		{"all of the opener", `so <c`, "all>", false, "", 0, 0},
		{"in text", "x", "text", false, "", 0, 0},
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
			if got := l.Inside([]byte(c.chunk)); got != c.taken {
				t.Fatalf("Inside(%q) behind %q: %v", c.chunk, c.before, got)
			}
			if n := l.Steps() - steps; c.taken && n != len(c.chunk) {
				t.Errorf("%d steps for %d bytes", n, len(c.chunk))
			}
			if !c.taken {
				return
			}
			l.Feed([]byte(c.next))
			k := l.Tokens()[0]
			if k.Kind != c.kind || k.Start != c.from {
				t.Errorf("behind the chunk there is %v at %d", k.Kind, k.Start)
			}
			whole := c.before + c.chunk + c.next
			if got := string(l.Slice(k.Start, k.End)); got != whole[k.Start:k.End] {
				t.Errorf("the token is %q", got)
			}
		})
	}
}

// Inside does not go past the limit on a call's bytes.
func TestInsideLimit(t *testing.T) {
	const before = `<call>t a="x`
	for _, n := range []int{4, 5} {
		l, err := lexer.New(lexer.Config{Limits: lexer.Limits{Bytes: len(before) + 4}})
		if err != nil {
			t.Fatal(err)
		}
		l.Feed([]byte(before))
		for len(l.Tokens()) > 0 {
		}
		if got, want := l.Inside([]byte(strings.Repeat("y", n))), n == 4; got != want {
			t.Errorf("%d bytes, 4 of which fit: Inside is %v", n, got)
		}
	}
}

// A name does not grow past its limit.
func TestInsideNameLimit(t *testing.T) {
	for _, n := range []int{4, 5} {
		l, err := lexer.New(lexer.Config{Limits: lexer.Limits{Name: 6}})
		if err != nil {
			t.Fatal(err)
		}
		l.Feed([]byte("<call>na"))
		for len(l.Tokens()) > 0 {
		}
		if got, want := l.Inside([]byte(strings.Repeat("y", n))), n == 4; got != want {
			t.Errorf("%d bytes, 4 of which fit: Inside is %v", n, got)
		}
	}
}

// Inside does nothing while a chunk before is still to be read.
func TestInsideWaits(t *testing.T) {
	l, err := lexer.New(lexer.Config{})
	if err != nil {
		t.Fatal(err)
	}
	l.Feed([]byte(`<call>t a="x`))
	for len(l.Tokens()) > 0 {
	}
	l.Feed([]byte(strings.Repeat("y", 1000)))
	if l.Inside([]byte("z")) {
		t.Error("a chunk is taken before the one in front of it is read")
	}
}
