package grammar

import (
	"fmt"
	"strings"
	"testing"

	"github.com/alecthomas/participle/v2"
)

// standard is the grammar for the default tags.
var standard, _ = New(DefaultDelims)

// between returns the grammar for the given tags.
func between(t testing.TB, open, closing string) *Grammar {
	t.Helper()
	g, err := New(Delims{open, closing})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// read returns the tree of the only call of a text, which must not be malformed.
func readOne(t testing.TB, text string) *Call {
	t.Helper()
	segments := standard.Read([]byte(text), Options{})
	if len(segments) != 1 || segments[0].Call == nil {
		t.Fatalf("%q is not one call: %s", text, describe(segments))
	}
	return segments[0].Call
}

// describe writes segments in lines: the kind, for a malformed segment its code and offset, and
// the span; + if the closing tag is missing, and ! after a malformed segment; and what a call is.
func describe(segments []Segment) string {
	var b strings.Builder
	for _, s := range segments {
		what := string(s.Kind)
		if s.Kind == MalformedSegment {
			what = fmt.Sprintf("%s@%d", s.Code, s.At)
		}
		fmt.Fprintf(&b, "\t%s %d-%d", what, s.Start, s.End)
		if !s.Closed && s.Kind != TextSegment {
			b.WriteString(" +")
		}
		if s.AfterMalformed {
			b.WriteString(" !")
		}
		if s.Kind == CallSegment {
			fmt.Fprintf(&b, " %s %s", s.Name, s.Input)
		}
		for _, i := range s.Issues {
			fmt.Fprintf(&b, " %s@%d", i.Code, i.At)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// participle's own limit on repetitions must not be lower than those of a call.
func TestRepetitions(t *testing.T) {
	if most := (Limits{}).OrDefault().Bytes; participle.MaxIterations < most {
		t.Errorf("participle stops after %d repetitions, a call may have %d", participle.MaxIterations, most)
	}
	const n = 20_000
	call := readOne(t, `<call>t a=[`+strings.Repeat("1,", n)+`]</call>`)
	if got := len(call.Arguments[0].Value.Array.Items); got != n {
		t.Errorf("%d elements are read as %d", n, got)
	}
}
