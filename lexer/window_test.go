package lexer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/lexer"
)

// long is a message of several kilobytes whose lexemes cross chunks of any size.
var long = func() string {
	var b strings.Builder
	for i := range 12 {
		fmt.Fprintf(&b, "Prose with a < in it, number %d. ", i)
		fmt.Fprintf(&b, `<call>tool a="%s" b=[%s] c.d=%s</call>`, strings.Repeat("string é ", 10*i), strings.Repeat("item one, ", 7*i)+"x", strings.Repeat("word", 9*i))
		if i%3 == 0 {
			fmt.Fprintf(&b, `<call>tool(%s)</call>`, strings.Repeat(`"damage </call>" `, 8*i))
		}
		if i%4 == 0 {
			b.WriteString("<call>" + strings.Repeat(" \n", 150*i) + "tool</call>")
		}
	}
	return b.String()
}()

// Chunks of every size give the same tokens: shorter than what is held, as long,
// and longer, around the steps in which a buffer takes them.
func TestChunkSizes(t *testing.T) {
	want := show(read(t, lexer.Config{}, long))
	for _, size := range []int{1, 2, 3, 7, 16, 61, 255, 256, 511, 512, 513, 514, 1000, 1023, 1024, 1025, 1537, 4096, len(long) - 1} {
		var chunks []string
		for i := 0; i < len(long); i += size {
			chunks = append(chunks, long[i:min(len(long), i+size)])
		}
		if got := show(read(t, lexer.Config{}, chunks...)); got != want {
			t.Errorf("chunks of %d: got\n%s", size, got)
		}
	}
}

// A chunk before which a part of a call is held is read in growing steps, so the
// place where the call ends within it may be anywhere.
func TestHeldAndThenALongChunk(t *testing.T) {
	after := " and text " + strings.Repeat("with < here and there ", 100)
	for _, held := range []int{1, 100, 511, 512, 513, 2000} {
		for _, rest := range []int{0, 1, 500, 511, 512, 513, 1023, 1024, 1025, 3000} {
			first := `<call>t a="` + strings.Repeat("x", held)
			second := strings.Repeat("y", rest) + `"</call>` + after
			want := "Open(<call>) Name(t) _ Key(a) = String(\"" + first[len(`<call>t a="`):] + second[:rest] + "\") Close(</call>) Text(" + after + ")"
			if got := show(read(t, lexer.Config{}, first, second)); got != want {
				t.Errorf("%d held, %d more: got %s", held, rest, got)
			}
		}
	}
}

// What was not read of a chunk when the next one comes is kept and read first.
func TestUnreadChunks(t *testing.T) {
	want := show(read(t, lexer.Config{}, long))
	for _, size := range []int{1, 100, 700, 5000} {
		l, err := lexer.New(lexer.Config{})
		if err != nil {
			t.Fatal(err)
		}
		var pieces []piece
		take := func(n int) { // a number of slices of tokens, -1 for all
			for ; n != 0; n-- {
				toks := l.Tokens()
				if len(toks) == 0 {
					return
				}
				for _, k := range toks {
					p := piece{Token: k, text: string(l.Slice(k.Start, k.End))}
					if k.Kind == lexer.Fault {
						p.code, p.fault = l.Fault()
					}
					if n := len(pieces) - 1; n >= 0 && goesOn(pieces[n].Token, k) {
						pieces[n].text += p.text
						pieces[n].Flags |= k.Flags
					} else {
						pieces = append(pieces, p)
					}
				}
			}
		}
		var lent [][]byte // memory that the lexer may still read, and must not write
		for i, n := 0, 0; i < len(long); i, n = i+size, n+1 {
			chunk := long[i:min(len(long), i+size)]
			lent = append(lent, []byte(chunk+"memory of the caller"))
			l.Feed(lent[len(lent)-1][:len(chunk)])
			if take(n % 3); n%3 < 2 {
				continue
			}
			take(-1)
			for _, memory := range lent {
				if !strings.HasSuffix(string(memory), "memory of the caller") {
					t.Fatalf("a chunk became %q", memory)
				}
				for i := range memory {
					memory[i] = 0xAA
				}
			}
			lent = lent[:0]
		}
		l.Close()
		take(-1)
		if got := show(pieces); got != want {
			t.Errorf("chunks of %d: got\n%s", size, got)
		}
	}
}

// All of a call can be seen until it ends, however long ago its chunks are.
func TestSliceOfTheCall(t *testing.T) {
	const text = `text <call>tool a="x y" b=[1, {k: v}] c=d`
	const start = len("text ")
	l, err := lexer.New(lexer.Config{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range len(text) {
		chunk := []byte{text[i]}
		l.Feed(chunk)
		for toks := l.Tokens(); len(toks) > 0; toks = l.Tokens() {
			end := toks[len(toks)-1].End
			if end <= start {
				continue
			}
			if got := string(l.Slice(start, end)); got != text[start:end] {
				t.Fatalf("at byte %d the call is %q", i, got)
			}
		}
		chunk[0] = 'X'
	}
}
