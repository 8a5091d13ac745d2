package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/engine"
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/golden"
	"github.com/callwire/callwire/parse/protocol/yaml"
	"github.com/callwire/callwire/sig"
)

// TestMessages reads the messages of testdata/messages. A file has lines "format NAME", "tools JSON",
// "repair BOOL" and "depth N", which hold until the next one, and messages in quotes, each with what is read.
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
		var catalog *sig.Catalog
		o := engine.Options{AllowAfterMalformed: true, WholeCalls: true}
		var out strings.Builder
		for line := range strings.Lines(string(text)) {
			word, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			switch {
			case strings.HasPrefix(line, "\t"):
				continue // an event of the last run
			case word == "format":
				o.Format = format.Lookup(rest, yaml.XML)
			case word == "tools":
				catalog, err = sig.Compile([]byte(rest))
			case word == "repair":
				o.Repair, err = strconv.ParseBool(rest)
			case word == "depth":
				o.Limits.Depth, err = strconv.Atoi(rest)
			}
			if err != nil {
				t.Fatalf("%s: %s%v", file, line, err)
			}
			out.WriteString(line)
			if message, err := strconv.Unquote(strings.TrimSpace(line)); err == nil {
				writeEvents(&out, newParser(catalog, o), message)
			}
		}
		golden.Assert(t, out.String(), "messages/"+filepath.Base(file))
	}
}

// writeEvents writes a line for each event of a message.
func writeEvents(out *strings.Builder, p *engine.Parser, message string) {
	for _, read := range []func() []engine.Event{func() []engine.Event { return p.Feed([]byte(message)) }, p.Close} {
		for _, e := range read() {
			switch e.Kind {
			case engine.Text:
				fmt.Fprintf(out, "\ttext %q", e.Bytes)
			case engine.Call:
				fmt.Fprintf(out, "\tcall %s %s", e.Name, e.Bytes)
			case engine.Malformed:
				fmt.Fprintf(out, "\tmalformed %d-%d %s at %d", e.Start, e.End, e.Problem.Code, e.Problem.At)
			}
			if e.AfterMalformed {
				out.WriteString(" (after malformed)")
			}
			if e.Problem != nil {
				for _, i := range e.Problem.Issues {
					fmt.Fprintf(out, ", %s %s at %d", i.Code, i.Path, i.At)
				}
			}
			out.WriteString("\n")
		}
	}
}
