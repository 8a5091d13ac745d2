package parse_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// show returns segments as one line: kind, span and what came of it.
func show(segs []parse.Segment) string {
	words := make([]string, len(segs))
	for i, s := range segs {
		w := fmt.Sprintf("%s[%d:%d]", s.Kind, s.Start, s.End)
		switch s.Kind {
		case parse.Call:
			w += s.Name + string(s.Input)
		case parse.Malformed:
			w += fmt.Sprintf("%s@%d", s.Err.Code, s.Err.Offset)
			if !s.Closed {
				w += " open"
			}
			if s.Cut {
				w += " cut"
			}
		}
		for _, is := range s.Issues {
			w += fmt.Sprintf(" %s(%s)@%d", is.Code, is.Path, is.At)
		}
		if s.AfterMalformed {
			w += " after"
		}
		if s.Mended {
			w += " mended"
		}
		words[i] = w
	}
	return strings.Join(words, " ")
}

// segments reads the chunks by a Parser of its own and returns what Text would.
func segments(t *testing.T, catalog *sig.Catalog, o parse.Options, chunks ...string) (segs []parse.Segment) {
	t.Helper()
	p, err := parse.NewParser(catalog, o)
	if err != nil {
		t.Fatal(err)
	}
	at := 0
	read := func() {
		for part := p.Next(); part != parse.NoPart; part = p.Next() {
			switch part {
			case parse.TextPart:
				n := len(segs) - 1
				if n < 0 || segs[n].Kind != parse.Prose {
					segs = append(segs, parse.Segment{Start: at, End: at})
					n++
				}
				segs[n].Text = append(segs[n].Text, p.Delta()...)
				at += len(p.Delta())
				segs[n].End = at
			case parse.CallPart, parse.MalformedPart:
				segs = append(segs, p.Segment().Clone())
				at = p.Segment().End
			}
		}
	}
	for _, c := range chunks {
		chunk := []byte(c)
		p.Feed(chunk)
		read()
		for i := range chunk {
			chunk[i] = '#'
		}
	}
	p.Close()
	read()
	return segs
}

// everySplit calls f with the divisions of text into chunks: single bytes with
// empty chunks between them, and all pairs.
func everySplit(text string, f func(chunks ...string)) {
	var ones []string
	for i := range len(text) {
		ones = append(ones, text[i:i+1], "")
	}
	f(ones...)
	for i := range len(text) + 1 {
		f(text[:i], text[i:])
	}
}

// reads checks that text has the segments want, whole and at every split.
func reads(t *testing.T, catalog *sig.Catalog, o parse.Options, text, want string) {
	t.Helper()
	if got := show(o.Text(text, catalog)); got != want {
		t.Errorf("%q\ngot  %s\nwant %s", text, got, want)
		return
	}
	everySplit(text, func(chunks ...string) {
		t.Helper()
		if got := show(segments(t, catalog, o, chunks...)); got != want && !t.Failed() {
			t.Errorf("chunks %q\ngot  %s\nwant %s", chunks, got, want)
		}
	})
}
