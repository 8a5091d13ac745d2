package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/engine"
	"github.com/callwire/callwire/internal/golden"
	"github.com/callwire/callwire/sig"
)

// TestCoerce converts the arguments in testdata/coerce.txt. Under each line, which has the name of
// a tool and its input, are the new input and what was changed, or the fault.
func TestCoerce(t *testing.T) {
	tools, lines, _ := strings.Cut(string(golden.Get(t, "coerce.txt")), "\n")
	catalog, err := sig.Compile([]byte(tools))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	out.WriteString(tools + "\n")
	for line := range strings.Lines(lines) {
		if strings.HasPrefix(line, "\t") {
			continue
		}
		out.WriteString(line)
		name, input, found := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if !found {
			continue
		}
		got, issues, code, at := engine.Coerce(catalog, name, []byte(input))
		if code != "" {
			fmt.Fprintf(&out, "\t%s at %d\n", code, at)
			continue
		}
		fmt.Fprintf(&out, "\t%s", got)
		for _, i := range issues {
			fmt.Fprintf(&out, ", %s %s at %d", i.Code, i.Path, i.At)
		}
		out.WriteString("\n")
		again, issues, _, _ := engine.Coerce(catalog, name, got)
		for _, i := range issues {
			if i.Code == "coerced" {
				t.Errorf("%s: %s is coerced again", line, i.Path)
			}
		}
		if string(again) != string(got) {
			t.Errorf("%sbecame %s and then %s", line, got, again)
		}
	}
	golden.Assert(t, out.String(), "coerce.txt")
	got, _, code, _ := engine.Coerce(sig.AnyTool, "x", []byte(`{ "a" : 1.0 }`))
	if code != "" || string(got) != `{"a":1.0}` {
		t.Errorf("any tool: %s, %s", got, code)
	}
	for input, want := range map[string]int{
		"{\"a\":\"\xe2\x82A\"}": 8, "{\"\xc3(\":1}": 3, "\"\xed\xa0\x80\"": 2,
		"{\"a\":\"\xff\"}": 6,
	} {
		_, _, code, at := engine.Coerce(sig.AnyTool, "x", []byte(input))
		if code != "invalid-utf8" || at != want {
			t.Errorf("%q: %s at %d, want %d", input, code, at, want)
		}
	}
	if _, _, code, _ := engine.Coerce(nil, "x", []byte(`{}`)); code != "unknown-tool" {
		t.Errorf("no tool: %s", code)
	}
}
