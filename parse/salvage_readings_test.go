package parse_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/callwire/callwire/parse"
)

var update = flag.Bool("update", false, "write the readings of testdata/salvage.txt anew")

// testdata/salvage.txt has damaged calls, each a line and in it \n for the end of one, and
// under each what it is read as, or why it is not: what is meant and what could mean two
// things stand side by side there. A line without a catalogue begins with "?".
func TestSalvageReadings(t *testing.T) {
	catalog := compiled(t, `[
		{"name":"t","inputSchema":{"type":"object","additionalProperties":false,"properties":{"a":{"type":"string"},"b":{"type":["string","integer"]},
			"n":{"type":"integer"},"l":{"type":"array","items":{"type":"string"}},"o":{"type":"object","properties":{"k":{"type":"string"},"m":{"type":"integer"}}}}}},
		{"name":"u","inputSchema":{"type":"object","additionalProperties":false,"properties":{}}},
		{"name":"w","inputSchema":{"type":"object","additionalProperties":false,"properties":{"args":{"type":"integer"},"p.q":{"type":"string"}}}},
		{"name":"one","inputSchema":{"type":"object","additionalProperties":false,"properties":{"a":{"type":"string"}}}},
		{"name":"get_user"},{"name":"x_y"},{"name":"x-y"},{"name":"tool"}]`)
	const name = "testdata/salvage.txt"
	file, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	line := ""
	read := func() {
		if line == "" {
			return
		}
		text, known := strings.CutPrefix(strings.ReplaceAll(line, `\n`, "\n"), "?")
		c := catalog
		if known {
			c = nil
		}
		o := parse.Options{Salvage: true}
		segs := prosed(o.Text(text, c))
		fmt.Fprintln(&all, line)
		for _, s := range segs {
			fmt.Fprintf(&all, "\t%s\n", reading(s))
		}
		p, err := parse.NewParser(c, o)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := summary(segs), summary(bytewise(p, text)); a != b {
			t.Errorf("%q\nin one chunk %sbyte by byte %s", text, a, b)
		}
	}
	for next := range strings.Lines(string(file)) {
		if strings.HasPrefix(next, "\t") {
			continue
		}
		read()
		line = strings.TrimSuffix(next, "\n")
	}
	read()
	got := all.String()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want := strings.Split(string(file), "\n")
	for i, line := range strings.Split(got, "\n") {
		if i == len(want) || line != want[i] {
			t.Fatalf("line %d is\n%s\n, got\n%s", i+1, want[min(i, len(want)-1)], line)
		}
	}
	if got != string(file) {
		t.Errorf("%s goes on", name)
	}
}

// reading tells what was read, in a line.
func reading(s parse.Segment) string {
	var b strings.Builder
	switch s.Kind {
	case parse.Prose:
		fmt.Fprintf(&b, "text %q", s.Text)
	case parse.Call:
		fmt.Fprintf(&b, "%s %s", s.Name, s.Input)
	default:
		fmt.Fprintf(&b, "%s@%d", s.Err.Code, s.Err.Offset)
	}
	for _, is := range s.Issues {
		fmt.Fprintf(&b, " %s(%s)@%d", is.Code, is.Path, is.At)
	}
	if s.AfterMalformed {
		b.WriteString(" after malformed")
	}
	return b.String()
}
