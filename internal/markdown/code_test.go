package markdown

import (
	"fmt"
	"math/rand"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

const seed, texts = 1, 50_000

// The texts have <call> where a call begins: upper case if it is in code.
func TestCode(t *testing.T) {
	for _, s := range []string{
		"a `CALL` call",
		"a ``b ` CALL`` call",
		"it`s CALL\ncall",
		"a \\`call \\\\`CALL` call",
		"a\n```\nCALL\n```\ncall",
		"a\n```\nCALL\n``` go\nCALL\n```\ncall",
		"a\n```` \n```\nCALL\n`````\ncall",
		"a\n```go CALL\nCALL\n~~~\nCALL\n``` \t\r\ncall",
		"a\n~~~ a`b\nCALL\n```\nCALL\n~~~ CALL\nCALL\n~~~\ncall",
		"a\n``` a`b CALL\ncall",
		"> ```\n> CALL\n\ncall",
		"> ```\n> CALL\ncall",
		">```\n>CALL\n>```\n>call",
		"- ```\n  CALL\n  ```\n  call",
		"- ```\n  CALL\ncall",
		"1. a\n\n   ```\n   CALL\n   ```\n   call",
		"10) a\n\n      ```\n      CALL\n      ```\n      call",
		"- a\n  - b\n\n    ```\n    CALL\n    ```\n    call",
		"- > a\n  > ~~~\n  > CALL\n\n  call",
		"a\n    ```\n    call",
		"\n ```xml\ncall\n```\ncall",
		"```\ncall\n```\na\n```\nCALL\n```\ncall",
		"```md\na\n```go\nCALL\n```\ncall\n```\ncall",
		"```\ncall\n``` call\ncall",
		"```call``` call",
		"- call",
		"* * *\n  ```\nCALL",
		"-\n  ```\n  CALL\ncall",
		"-\n\n  ```\nCALL",
		"> \t```\n> CALL",
		"-\ta\n\n\t```\n    CALL\n\t```\n\tcall",
		"- a\n\n*     ***\n\n  ```\nCALL",
	} {
		var c Code
		for i := 0; i < len(s); {
			if word := s[i:min(i+4, len(s))]; strings.EqualFold(word, "call") {
				if got := c.Inside(); got != (word == "CALL") {
					t.Errorf("%q: at %d: %v", s, i, got)
				}
				c.Call()
				i += len(word)
				continue
			}
			c.Text([]byte(s[i : i+1]))
			i++
		}
	}
}

// compare compares what a probe finds in random texts, at each b, with what goldmark finds in
// nodes of a kind.
func compare(t *testing.T, s string, kind ast.NodeKind, probe func(Code) bool) {
	t.Helper()
	want := nodes(s, kind)
	var c Code
	for i := range len(s) {
		if s[i] == 'b' && probe(c) != want[i] {
			t.Fatalf("%q: %v at %d", s, probe(c), i)
		}
		c.Text([]byte{s[i]})
	}
	var whole Code
	if whole.Text([]byte(s)); fmt.Sprint(whole) != fmt.Sprint(c) {
		t.Fatalf("%q: byte by byte %+v, at once %+v", s, c, whole)
	}
}

func random(r *rand.Rand, pieces []string) string {
	var b strings.Builder
	for n := 1 + r.Intn(24); n > 0; n-- {
		b.WriteString(pieces[r.Intn(len(pieces))])
	}
	return b.String()
}

// nodes returns which bytes of s are in nodes of a kind.
func nodes(s string, kind ast.NodeKind) []bool {
	in := make([]bool, len(s))
	mark := func(part text.Segment) {
		for i := part.Start; i < part.Stop; i++ {
			in[i] = true
		}
	}
	doc := goldmark.DefaultParser().Parse(text.NewReader([]byte(s)))
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch {
		case !entering || n.Kind() != kind:
		case kind == ast.KindFencedCodeBlock:
			for i := range n.Lines().Len() {
				mark(n.Lines().At(i))
			}
		default:
			for c := n.FirstChild(); c != nil; c = c.NextSibling() {
				mark(c.(*ast.Text).Segment)
			}
		}
		return ast.WalkContinue, nil
	})
	return in
}

// emptyItem matches a list item that begins with the end of its line. What goldmark nests in one,
// or in the items around one, is not always what CommonMark does.
var emptyItem = regexp.MustCompile(`(?m)([-*+]|\d[.)])[ \t]*$`)

// Fences begin and end where CommonMark has them, in all containers. The texts have no
// tabs: before fences, goldmark miscounts some and panics on others.
func TestFencesAgainstGoldmark(t *testing.T) {
	pieces := []string{
		"A", "x\\\\", "```", "```", "~~~", "````", "~~~~", "```go", "b", "b b", "`", "\n", "\n",
		"\n", "\n\n", "\nb", " ", "  ", "   ", "    ", "> ", ">", "- ", "* ", "+", "1. ", "2) ",
		"10. ", "-", "---", "***", "_", "=", "# ", "##",
	}
	r := rand.New(rand.NewSource(seed))
	for range texts {
		s := "a\n\n" + random(r, pieces)
		if !emptyItem.MatchString(s) {
			compare(t, s, ast.KindFencedCodeBlock, func(c Code) bool {
				c.settle()
				return c.fence.size > 0
			})
		}
	}
}

// Spans begin and end where CommonMark has them, but what is not closed is closed with its line.
func TestSpansAgainstGoldmark(t *testing.T) {
	pieces := []string{"`", "`", "``", "```", "b", " b ", "\\", "\\\\", "~", "é"}
	r := rand.New(rand.NewSource(seed))
	for range texts {
		s := "a" + random(r, pieces)
		var c Code
		c.Text([]byte(s))
		if c.settle(); c.span > 0 {
			s += "b" + strings.Repeat("`", int(c.span))
		}
		compare(t, s, ast.KindCodeSpan, func(c Code) bool { return c.Inside() })
	}
}

func BenchmarkText(b *testing.B) {
	line := "The quick brown fox jumps over the lazy dog, and then it runs away from the hunter.\n"
	prose := []byte(strings.Repeat(line, 50))
	for _, size := range []int{4, 4096} {
		b.Run(strconv.Itoa(size), func(b *testing.B) {
			b.SetBytes(int64(len(prose)))
			for range b.N {
				var c Code
				for i := 0; i < len(prose); i += size {
					c.Text(prose[i:min(i+size, len(prose))])
				}
			}
		})
	}
}
