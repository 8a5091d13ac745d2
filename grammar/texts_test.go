package grammar

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/golden"
)

// A sample is a text of testdata/texts.txt: a Go string in a line, and under it its segments.
// Words before a text are the format, the tags, the only known tool, limits, and other options.
type sample struct {
	line    string // a heading if it begins with #
	grammar *Grammar
	options Options
	text    string
}

func samples(t testing.TB) (all []sample) {
	t.Helper()
	for line := range strings.Lines(string(golden.Get(t, "texts.txt"))) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '\t' {
			continue
		}
		s := sample{line: line, grammar: standard}
		if line[0] != '#' {
			start := strings.IndexAny(line, "\"`")
			text, err := strconv.Unquote(line[start:])
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			s.text = text
			for _, word := range strings.Fields(line[:start]) {
				s.set(t, word)
			}
		}
		all = append(all, s)
	}
	return all
}

func (s *sample) set(t testing.TB, word string) {
	key, value, _ := strings.Cut(word, "=")
	number, _ := strconv.Atoi(value)
	switch key {
	case "format":
		s.grammar = ByName(value)
	case "tags":
		open, closing, _ := strings.Cut(value, ",")
		s.grammar = between(t, open, closing)
	case "known":
		s.options.Known = func(name string) bool { return name == value }
	case "bytes":
		s.options.Limits.Bytes = number
	case "depth":
		s.options.Limits.Depth = number
	case "arguments":
		s.options.Limits.Arguments = number
	case "name":
		s.options.Limits.Name = number
	case "atend":
		s.options.AcceptAtEnd = true
	case "stop":
		s.options.StopAfterMalformed = true
	default:
		t.Fatalf("there is no option %s", word)
	}
}

// calls returns the samples that are one call without options.
func calls(t testing.TB) (all []sample) {
	t.Helper()
	for _, s := range samples(t) {
		if strings.ContainsRune("\"`", rune(s.line[0])) {
			got := s.grammar.Read([]byte(s.text), s.options)
			if len(got) == 1 && got[0].Kind == CallSegment {
				all = append(all, s)
			}
		}
	}
	if len(all) < 50 {
		t.Errorf("only %d calls", len(all))
	}
	return all
}

func TestTexts(t *testing.T) {
	var all strings.Builder
	codes := map[Code]bool{}
	for _, s := range samples(t) {
		segments := s.grammar.Read([]byte(s.text), s.options)
		fmt.Fprintf(&all, "%s\n%s", s.line, describe(segments))
		for _, segment := range segments {
			codes[segment.Code] = true
		}
	}
	for _, code := range []Code{
		ExpectedName, BadName, ExpectedKey, ExpectedEquals, ExpectedSpace,
		ExpectedValue, ExpectedComma, ExpectedColon, ExpectedClose,
		NestedCall, InvalidUTF8, UnterminatedCall, UnknownTool, DuplicateKey, AfterMalformed,
		PathConflict, CallTooLong, NameTooLong, TooDeep, TooManyArguments, InvalidJSON, NotAnObject,
	} {
		if !codes[code] {
			t.Errorf("%s has no case", code)
		}
	}
	golden.Assert(t, all.String(), "texts.txt")
}
