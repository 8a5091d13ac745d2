package fuzz

import (
	"fmt"
	"strings"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// Chunks divides in into chunks: cuts are their lengths, in bytes, up to the
// end of either; the last chunk takes the rest.
func Chunks(in, cuts []byte) [][]byte {
	var chunks [][]byte
	for _, n := range cuts {
		k := min(int(n), len(in))
		chunks = append(chunks, in[:k])
		in = in[k:]
	}
	return append(chunks, in)
}

// Record reads chunks and describes all that the parser says, adjacent text and
// adjacent input joined. It fails where what was said once is taken back. The
// chunks are overwritten once they are read.
func Record(p *parse.Parser, chunks ...[]byte) (string, error) {
	var b strings.Builder
	var text, input []byte
	inText, inCall := false, false
	flush := func() {
		if inText {
			fmt.Fprintf(&b, "text %q\n", text)
		}
		text, inText = text[:0], false
	}
	var err error
	fail := func(format string, args ...any) {
		if err == nil {
			err = fmt.Errorf(format, args...)
		}
	}
	read := func() {
		for {
			switch part := p.Next(); part {
			case parse.NoPart:
				return
			case parse.TextPart:
				if inCall {
					fail("text inside a call")
				}
				text, inText = append(text, p.Text()...), true
			case parse.StartPart:
				flush()
				inCall, input = true, input[:0]
				fmt.Fprintf(&b, "start %s %d\n", p.Segment().Name, p.Segment().Start)
			case parse.InputPart:
				if !inCall {
					fail("input outside a call")
				}
				if len(p.Input()) == 0 {
					fail("empty input")
				}
				input = append(input, p.Input()...)
			case parse.CallPart:
				flush()
				s := p.Segment()
				if got := string(input) + string(p.Rest()); inCall && got != string(s.Input) {
					fail("deltas %q, input %q", got, s.Input)
				}
				if !inCall && !s.Mended {
					fail("call without start")
				}
				inCall, input = false, input[:0]
				fmt.Fprintf(&b, "call [%d,%d) %s %s after=%t mended=%t %v\n", s.Start, s.End, s.Name, s.Input, s.AfterMalformed, s.Mended, s.Issues)
			case parse.MalformedPart:
				flush()
				s := p.Segment()
				fmt.Fprintf(&b, "malformed [%d,%d) %q %v closed=%t cut=%t name=%s text=%q given=%q\n", s.Start, s.End, s.Err.Code, s.Err.Offset, s.Closed, s.Cut, s.Name, s.Text, input)
				inCall, input = false, input[:0]
			}
		}
	}
	for _, c := range chunks {
		own := append([]byte(nil), c...)
		p.Feed(own)
		read()
		for i := range own {
			own[i] = '"'
		}
	}
	p.Close()
	read()
	flush()
	return b.String(), err
}

// Split reads in whole and in the given chunks and returns how the readings
// differ, or "".
func Split(catalog *sig.Catalog, opts parse.Options, in []byte, cuts []byte) string {
	whole, err := recordFresh(catalog, opts, in)
	if err != nil {
		return fmt.Sprintf("%q: %v", in, err)
	}
	got, err := recordFresh(catalog, opts, Chunks(in, cuts)...)
	if err != nil {
		return fmt.Sprintf("%q cut %v: %v", in, cuts, err)
	}
	if got != whole {
		return fmt.Sprintf("%q\nwhole:\n%scut %v:\n%s", in, whole, cuts, got)
	}
	return ""
}

func recordFresh(catalog *sig.Catalog, opts parse.Options, chunks ...[]byte) (string, error) {
	p, err := parse.NewParser(catalog, opts)
	if err != nil {
		return "", err
	}
	return Record(p, chunks...)
}
