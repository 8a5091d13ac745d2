package repair_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/repair"
	"github.com/callwire/callwire/sig"
)

func compile(t testing.TB, tools string) *repair.Tools {
	t.Helper()
	catalog, err := sig.Compile([]byte(tools))
	if err != nil {
		t.Fatal(err)
	}
	return repair.NewTools(catalog)
}

const weather = `[
{"name": "getWeather", "inputSchema": {"type": "object", "properties": {
	"location": {"type": "string"}, "units": {"enum": ["metric", "imperial"]},
	"days": {"type": "integer"}, "tags": {"type": "array", "items": {"type": "string"}},
	"at": {"type": "object", "properties": {"lat": {"type": "number"},
		"name": {"type": "string"}}}},
	"required": ["location"], "additionalProperties": false}},
{"name": "list_files", "inputSchema": {"type": "object",
	"properties": {"all": {"type": "boolean"}}}},
{"name": "t_"}, {"name": "_t"}]`

// span returns the span of a text that is one call of the wire format, or of hermes.
func span(text string) repair.Span {
	s := repair.Span{Text: []byte(text), Format: format.Wire, MaxDepth: 4, MaxArguments: 4}
	if strings.HasPrefix(text, "<tool_call>") {
		s.Format = format.Hermes
	}
	s.Closed = strings.HasSuffix(strings.ToLower(text), s.Format.Call.Close) ||
		strings.HasSuffix(text, "/>")
	s.Last = !strings.HasSuffix(text, "\n")
	return s
}

// show returns a call as text: its name, arguments, and repairs.
func show(c *repair.Call) string {
	var b strings.Builder
	b.WriteString(c.Name)
	for _, m := range c.Args {
		fmt.Fprintf(&b, " %s=", m.Key)
		showValue(&b, m.Value)
	}
	if c.Object != nil {
		b.WriteByte(' ')
		showValue(&b, c.Object)
	}
	for _, n := range c.Notes {
		fmt.Fprintf(&b, " !%s@%d", n.Name, n.At)
	}
	isGuess := func(n repair.Note) bool { return repair.Guesses(n.Name) }
	if slices.ContainsFunc(c.Notes, isGuess) {
		b.WriteString(" guessed")
	}
	return b.String()
}

func showValue(b *strings.Builder, v *repair.Value) {
	switch v.Kind {
	case repair.Word:
		b.Write(v.Text)
		return
	case repair.String:
		fmt.Fprintf(b, "%q", v.Text)
		return
	}
	brackets := "[]"
	if v.Kind == repair.Object {
		brackets = "{}"
	}
	b.WriteByte(brackets[0])
	for i, m := range v.Members {
		if i > 0 {
			b.WriteByte(' ')
		}
		if v.Kind == repair.Object {
			fmt.Fprintf(b, "%s:", m.Key)
		}
		showValue(b, m.Value)
	}
	b.WriteByte(brackets[1])
}

// Each line of testdata/spans.txt is a span, as a Go string, and the call that it means after an
// arrow. Run with UPDATE=1 to write what is read now.
func TestRead(t *testing.T) {
	const golden = "testdata/spans.txt"
	data, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	tools := compile(t, weather)
	var out strings.Builder
	for _, line := range strings.Split(strings.TrimRight(string(data), "\n"), "\n") {
		text, want, isCase := strings.Cut(line, "  ->  ")
		if !isCase {
			out.WriteString(line + "\n")
			continue
		}
		source := strings.ReplaceAll(text, `\n`, "\n")
		got := "refused"
		if c, _, ok := repair.Read(tools, span(source)); ok {
			got = show(c)
		}
		if got != want {
			t.Errorf("%s\ngot  %s\nwant %s", text, got, want)
		}
		out.WriteString(text + "  ->  " + got + "\n")
	}
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(golden, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// Every example of the table that this package reads is read as it says, by that repair.
func TestTable(t *testing.T) {
	tools := compile(t, `[{"name": "t", "inputSchema": {"type": "object",
		"properties": {"a": {"type": "string"}, "b": {"type": "integer"}}}}]`)
	elsewhere := []string{"other-protocol", "missing-open"}
	for _, row := range repair.Table() {
		if slices.Contains(elsewhere, row.Name) {
			continue
		}
		text, _, _ := strings.Cut(row.Reads, "<call>u") // the span ends before the next call
		got, _, ok := repair.Read(tools, span(text))
		want, _, exact := repair.Read(tools, span(row.As))
		if !ok || !exact || flat(got) != flat(want) {
			t.Errorf("%s: %q and %q are not read alike: %t, %t", row.Name, row.Reads, row.As, ok,
				exact)
			continue
		}
		if !slices.ContainsFunc(got.Notes, func(n repair.Note) bool { return n.Name == row.Name }) {
			t.Errorf("%s: %q is %s", row.Name, row.Reads, show(got))
		}
	}
}

// flat returns the name and the arguments of a call, however they are written.
func flat(c *repair.Call) string {
	plain := repair.Call{Name: c.Name, Args: c.Args}
	if c.Object != nil {
		plain.Args = c.Object.Members
	}
	return strings.ReplaceAll(show(&plain), `"`, "")
}

// TestReadIsBounded reads every span, and all its beginnings: reading ends after a bounded number
// of steps, and the tree is bounded.
func TestReadIsBounded(t *testing.T) {
	data, err := os.ReadFile("testdata/spans.txt")
	if err != nil {
		t.Fatal(err)
	}
	tools := compile(t, weather)
	names := []string{"getWeather", "list_files", "t_", "_t"}
	for line := range strings.Lines(string(data)) {
		whole, _, _ := strings.Cut(line, "  ->  ")
		whole = strings.ReplaceAll(whole, `\n`, "\n")
		for i := range 8 * len(whole) {
			text, flags := whole[:i/8+1], i%8
			s := span(text)
			s.Closed, s.Last, s.Cut = flags&1 != 0, flags&2 != 0, flags&4 != 0
			c, steps, ok := repair.Read(tools, s)
			if steps > 8*len(text)+100 {
				t.Errorf("%q: %d steps", text, steps)
			}
			if !ok {
				continue
			}
			if !slices.Contains(names, c.Name) || len(c.Args) > s.MaxArguments {
				t.Errorf("%q calls %q with %d arguments", text, c.Name, len(c.Args))
			}
			for _, n := range c.Notes {
				if n.At < 0 || n.At > len(text) {
					t.Errorf("%q: %v", text, n)
				}
			}
		}
	}
}
