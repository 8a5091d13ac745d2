package fuzz

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/grammar"
	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/lexer"
)

// couldBegin returns the length of the longest suffix of text that could become a call but
// is not one yet: part of the opener, or all of it and whitespace, within the limit on a
// call. If a tag begins with a byte that a name can begin with, part of a tag may follow.
func couldBegin(text []byte, s Setup) int {
	tags := s.Delims.OrDefault()
	limit := s.Limits.OrDefault().Bytes
	for i := range text {
		end := string(text[i:])
		if len(end) < len(tags.Open) {
			if len(tags.Open) < limit && strings.HasPrefix(tags.Open, end) {
				return len(end)
			}
			continue
		}
		rest, ok := strings.CutPrefix(end, tags.Open)
		name := strings.TrimLeft(rest, " \t\r\n")
		switch {
		case !ok || len(end)-len(name) >= limit:
		case name == "", lexeme.IsName([]byte(name[:1])) && (begins(tags.Open, name) || begins(tags.Close, name)):
			return len(end)
		}
	}
	return 0
}

// begins reports whether some is a proper prefix of all.
func begins(all, some string) bool { return len(some) < len(all) && strings.HasPrefix(all, some) }

// TestMinimalHoldBack: property 6. After each byte, the text not yet emitted is exactly
// its longest suffix that could begin a call; the decoder also holds an incomplete rune
// before that. The grammar, not the readers, decides where calls are open.
func TestMinimalHoldBack(t *testing.T) {
	everySample(t, func(rt *rapid.T, s sample) {
		if wrong := heldBack(s.in[:min(len(s.in), 60)], s.setup); wrong != "" {
			rt.Fatal(wrong)
		}
	})
}

// heldBack returns a message if a reader, given in byte by byte, holds back too much or
// too little, or "". The grammar reads every prefix of in.
func heldBack(in []byte, s Setup) string {
	s.Salvage, s.Regions, s.Reasoning, s.Code = false, false, false, false // they hold back what may begin more than a call
	var readers []Reader
	for _, r := range Readers {
		readers = append(readers, r.New(s))
	}
	for n := range len(in) {
		end := textEnd(in[:n+1], s)
		for i, r := range readers {
			r.Feed(in[n : n+1])
			want := end
			if Readers[i].Name == "decoder" {
				want -= partialRune(in[r.Done():end])
			}
			if got := textDone(r); got != want {
				return fmt.Sprintf("%s, %+v: %q: text is emitted up to %d, want %d", Readers[i].Name, s, in[:n+1], got, want)
			}
		}
	}
	return ""
}

// textEnd returns the offset up to which the text of in must have been emitted.
func textEnd(in []byte, s Setup) int {
	opts := s.grammar()
	opts.AcceptAtEnd = false
	segs := s.oracle().Read(in, opts)
	if len(segs) == 0 {
		return 0
	}
	last := segs[len(segs)-1]
	switch {
	case last.Kind == grammar.TextSegment:
		return len(in) - couldBegin(in[last.Start:], s)
	case last.Kind == grammar.MalformedSegment && !last.Closed: // a call is open
		return last.Start
	}
	return len(in)
}

// textDone returns the offset up to which r has emitted everything except an open call.
func textDone(r Reader) int {
	l, ok := r.(*lexerReader)
	if !ok {
		return r.Done()
	}
	open := -1
	for _, p := range l.parts {
		switch p.Kind {
		case lexer.Open.String():
			open = p.Start
		case lexer.Close.String(), lexer.Cut.String():
			open = -1
		}
	}
	if open >= 0 {
		return open
	}
	return l.done
}

// partialRune returns the length of an incomplete rune at the end of text.
func partialRune(text []byte) int {
	for n := min(3, len(text)); n > 0; n-- {
		if r := text[len(text)-n:]; utf8.RuneStart(r[0]) && !utf8.FullRune(r) {
			return n
		}
	}
	return 0
}
