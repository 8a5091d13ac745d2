package grammar

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestReadTiles: for any beginning of a body and any options, reading terminates, the segments tile
// the text, and their fields are right.
func TestReadTiles(t *testing.T) {
	for _, s := range samples(t) {
		if s.grammar.frame.open != DefaultDelims.Open {
			continue
		}
		for switches := range 16 {
			readTiles(t, s.grammar, []byte(s.text), switches)
			readTiles(t, s.grammar, []byte("x "+s.text[:len(s.text)*switches/16]), switches)
		}
	}
}

func readTiles(t *testing.T, g *Grammar, text []byte, switches int) {
	t.Helper()
	options := Options{AcceptAtEnd: switches&1 != 0, StopAfterMalformed: switches&2 != 0}
	if switches&4 != 0 {
		options.Limits = Limits{Bytes: 40, Depth: 2, Arguments: 2, Name: 4}
	}
	if switches&8 != 0 {
		options.Known = func(name string) bool { return name == "t" }
	}
	wrong := false
	end := 0
	last := MalformedSegment
	for i, s := range g.Read(text, options) {
		if s.Start != end || s.End <= s.Start || s.End > len(text) {
			t.Fatalf("segment %d [%d:%d] begins after %d of %d bytes", i, s.Start, s.End, end, len(text))
		}
		end = s.End
		switch s.Kind {
		case TextSegment:
			if last == TextSegment {
				t.Errorf("segment %d is text after text", i)
			}
		case CallSegment:
			checkCall(t, text, s, options)
			if s.AfterMalformed != wrong {
				t.Errorf("segment %d is marked %v", i, s.AfterMalformed)
			}
			wrong = wrong || slices.ContainsFunc(s.Issues, func(i Issue) bool { return i.Code == OpenQuote })
		case MalformedSegment:
			if s.Call != nil || s.Code == "" || s.At < s.Start || s.At > s.End {
				t.Errorf("segment %d [%d:%d]: %s at %d", i, s.Start, s.End, s.Code, s.At)
			}
			wrong = true
		}
		if s.Closed && !strings.HasSuffix(string(text[:s.End]), DefaultDelims.Close) {
			t.Errorf("segment %d is closed without a close tag", i)
		}
		last = s.Kind
	}
	if end != len(text) {
		t.Errorf("the segments end after %d of %d bytes", end, len(text))
	}
}

func checkCall(t *testing.T, text []byte, s Segment, options Options) {
	written := text[s.Start:s.End]
	if !strings.HasPrefix(string(written), DefaultDelims.Open) || !utf8.Valid(written) {
		t.Errorf("%q is a call", written)
	}
	if !s.Closed && !(options.AcceptAtEnd && s.End == len(text)) {
		t.Errorf("%q is a call", written)
	}
	if open, end := s.Call.Open, s.Call.Close; open.Pos.Offset != s.Start || end.Pos.Offset+len(end.Value) != s.End {
		t.Errorf("%q: the call is at %v to %v", written, open, end)
	}
	input := []byte(s.Input)
	if !json.Valid(input) || input[0] != '{' {
		t.Errorf("%q reads as %q", written, input)
	}
}
