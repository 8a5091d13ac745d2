package repair_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/next/repair"
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
	"days": {"type": "integer"}, "tags": {"type": "array", "items": {"type": "string"}}},
	"required": ["location"], "additionalProperties": false}},
{"name": "list_files", "inputSchema": {"type": "object", "properties": {"all": {"type": "boolean"}}}},
{"name": "t_"}, {"name": "_t"}]`

// span returns the span of a text that is one call of the wire format.
func span(text string) repair.Span {
	return repair.Span{
		Text: []byte(text), Open: "<call>", Close: "</call>", MaxDepth: 32, MaxArguments: 64,
		Closed: strings.HasSuffix(strings.ToLower(text), "</call>") || strings.HasSuffix(text, "/>"),
	}
}

// show returns the call as text: name, arguments, and repairs.
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
	return b.String()
}

func showValue(b *strings.Builder, v *repair.Value) {
	switch v.Kind {
	case repair.Word:
		b.Write(v.Text)
	case repair.String:
		fmt.Fprintf(b, "%q", v.Text)
	default:
		b.WriteString("[{"[v.Kind-repair.Array:][:1])
		for i, m := range v.Members {
			if i > 0 {
				b.WriteByte(' ')
			}
			if v.Kind == repair.Object {
				fmt.Fprintf(b, "%s:", m.Key)
			}
			showValue(b, m.Value)
		}
		b.WriteString("]}"[v.Kind-repair.Array:][:1])
	}
}

func TestRead(t *testing.T) {
	tools := compile(t, weather)
	for text, want := range map[string]string{
		`<call>getWeather location: New York, units: metric</call>`: `getWeather location="New York" units=metric !colon@25 !unquoted-spaces@27 !commas@35`,
	} {
		c, ok := repair.Read(tools, span(text))
		got := "refused"
		if ok {
			got = show(c)
		}
		if got != want {
			t.Errorf("%s\ngot  %s\nwant %s", text, got, want)
		}
	}
}
