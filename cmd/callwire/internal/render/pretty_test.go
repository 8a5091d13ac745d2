package render

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/internal/unseen"
)

func TestPretty(t *testing.T) {
	for _, c := range []struct {
		width    int
		in, want string
	}{
		{80, `{}`, `{}`},
		{1, `{}`, "{}"},
		{80, `{"a":1.50,"b":[true,null,{}]}`, `{"a": 1.50, "b": [true, null, {}]}`},
		{22, `{"a":1.50,"b":[true,null,{}]}`, "{\n    \"a\": 1.50,\n    \"b\": [\n      true,\n      null,\n      {}\n    ]\n  }"},
		{30, `{"a":1.50,"b":[true,null,{}]}`, "{\n    \"a\": 1.50,\n    \"b\": [true, null, {}]\n  }"},
		{10, `{"a":"longer than the line","b":-1e400}`, "{\n    \"a\": \"longer than the line\",\n    \"b\": -1e400\n  }"},
		{80, "{\"a\":\"\u202e\x7f\\\"\"}", `{"a": "\u202e\u007f\""}`},
	} {
		if got := prettyJSON(terminal.Screen{Width: c.width}, []byte(c.in), 2, 0); got != c.want {
			t.Errorf("%s in %d columns:\n%s\nwant\n%s", c.in, c.width, got, c.want)
		}
	}
}

// TestPrettyIsTheSame lays out every input of the corpus at several widths and
// undoes it.
func TestPrettyIsTheSame(t *testing.T) {
	for _, c := range corpus.Cases() {
		for _, e := range c.Want.Events {
			for _, width := range []int{1, 20, 40, 100} {
				if e.Input == "" {
					continue
				}
				got := prettyJSON(terminal.Screen{Width: width}, []byte(e.Input), 2, 10)
				var back bytes.Buffer
				if err := json.Compact(&back, []byte(got)); err != nil || back.String() != unseen.Escape(e.Input) {
					t.Errorf("%s at %d: %v\n%s\n%s", c.ID, width, err, e.Input, got)
				}
				for line := range strings.Lines(got) {
					if terminal.Cells(line) > max(width, 60) && strings.Count(line, `": `) > 1 {
						t.Errorf("%s at %d: a line could be broken: %s", c.ID, width, line)
					}
				}
			}
		}
	}
}
