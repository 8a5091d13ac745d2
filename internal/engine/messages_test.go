package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/fuzz"
	"github.com/callwire/callwire/internal/engine"
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/golden"
	"github.com/callwire/callwire/parse/protocol/yaml"
	"github.com/callwire/callwire/sig"
)

// TestMessages reads the messages of testdata/messages, at every cut in two. A file has lines
// "format NAME,NAME", "tools JSON" and "options" with words such as repair or depth=3, which hold
// until the next one; messages in quotes, each with what is read; and "begins" with a beginning in
// quotes, and what is emitted of the input of the last call.
func TestMessages(t *testing.T) {
	files, err := filepath.Glob("testdata/messages/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s := fuzz.Setup{Catalog: sig.AnyTool}
		var out strings.Builder
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, "\t") {
				continue // what the last run read
			}
			out.WriteString(line)
			word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
			switch word {
			case "format":
				s.Format = formatOf(rest)
			case "tools":
				s.Catalog, err = sig.Compile([]byte(rest))
			case "options":
				err = setOptions(&s, rest)
			case "begins":
				if rest, err = strconv.Unquote(rest); err == nil {
					fmt.Fprintf(&out, "\t%s\n", inputOf(t, s, rest))
				}
			default:
				if message, err := strconv.Unquote(strings.TrimSpace(line)); err == nil {
					out.WriteString(described(t, s, message))
				}
			}
			if err != nil {
				t.Fatalf("%s: %s%v", file, line, err)
			}
		}
		golden.Assert(t, out.String(), "messages/"+filepath.Base(file))
	}
}

// formatOf returns the format with that name, or a set of formats for names with commas between.
func formatOf(names string) *format.Format {
	var list []*format.Format
	for name := range strings.SplitSeq(names, ",") {
		list = append(list, format.Lookup(name, yaml.XML))
	}
	if len(list) == 1 {
		return list[0]
	}
	return format.Any(list[0], list[1:]...)
}

// setOptions sets the options to those in words.
func setOptions(s *fuzz.Setup, words string) (err error) {
	o := fuzz.Setup{}.Options
	o.Format, o.AllowAfterMalformed, o.AllowInCode = s.Format, true, true
	for _, word := range strings.Fields(words) {
		name, value, _ := strings.Cut(word, "=")
		n, _ := strconv.Atoi(value)
		switch name {
		case "repair":
			o.Repair = true
		case "strict":
			o.Strict = true
		case "code":
			o.AllowInCode = false
		case "bytes":
			o.Limits.Bytes = n
		case "depth":
			o.Limits.Depth = n
		case "name":
			o.Limits.Name = n
		case "arguments":
			o.Limits.Arguments = n
		default:
			err = fmt.Errorf("no option %q", name)
		}
	}
	s.Options = o
	return err
}

// described returns a line for each part of a message, which is the same at every cut in two.
func described(t *testing.T, s fuzz.Setup, message string) string {
	s.AllowAfterMalformed = true
	parts, err := s.Whole([]byte(message))
	if err != nil {
		t.Fatal(err)
	}
	for i := range message {
		got, err := s.Read([]byte(message[:i]), []byte(message[i:]))
		if diff := fuzz.Differ(parts, got); err != nil || diff != "" {
			t.Errorf("%s: %q cut at %d: %v, %s", s.Format, message, i, err, diff)
		}
	}
	var b strings.Builder
	for _, p := range parts {
		switch p.Type {
		case corpus.TextEvent, corpus.ReasoningEvent:
			fmt.Fprintf(&b, "\t%s %q", p.Type, p.Text)
		case corpus.ToolCallEvent:
			fmt.Fprintf(&b, "\tcall %s %s", p.Name, p.Input)
		case corpus.MalformedEvent:
			fmt.Fprintf(&b, "\tmalformed %d-%d %s at %d", p.Start, p.End, p.Code, p.At)
		default:
			fmt.Fprintf(&b, "\t%s", p.Type)
		}
		if p.AfterMalformed {
			b.WriteString(" (after malformed)")
		}
		for _, i := range p.Issues {
			fmt.Fprintf(&b, ", %s %s at %d", i.Code, i.Path, i.At)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// inputOf returns what is emitted of the input of the last call of an unfinished message, which is
// the same at any size of chunks.
func inputOf(t *testing.T, s fuzz.Setup, begin string) string {
	var all []string
	for _, size := range []int{1, 3, len(begin)} {
		input := ""
		p := newParser(t, s.Catalog, &engine.Options{Format: s.Format, Repair: s.Repair})
		for _, chunk := range fuzz.Sized([]byte(begin), size) {
			for _, e := range p.Feed(chunk) {
				switch e.Kind {
				case engine.InputStart:
					input = ""
				case engine.InputDelta:
					input += string(e.Bytes)
				}
			}
		}
		all = append(all, input)
	}
	if all[0] != all[1] || all[1] != all[2] {
		t.Errorf("%s: %q: %q", s.Format, begin, all)
	}
	return all[0]
}

// newParser returns a parser for options that are right.
func newParser(t *testing.T, catalog *sig.Catalog, o *engine.Options) *engine.Parser {
	t.Helper()
	p, err := engine.NewParser(catalog, o, 0)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
