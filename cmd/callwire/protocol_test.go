package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
)

// TestProtocolFlag: what format writes in each format, parse reads back, cut in any way.
func TestProtocolFlag(t *testing.T) {
	const tools = `[{"name":"f","inputSchema":{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"}}}}]`
	file := writeFile(t, tools)
	for _, name := range protocol.Formats() {
		written := callwire(`{"name":"f","input":{"city":"a\nb","days":3}}`, "format", "--tools", file, "--protocol", name)
		if written.code != exitOK {
			t.Errorf("%s: %+v", name, written)
			continue
		}
		read := callwire("x "+written.stdout, "parse", "--tools", file, "--protocol", name, "--json")
		if read.code != exitOK || !strings.Contains(read.stdout, `"name":"f","input":"{\"city\":\"a\\nb\",\"days\":3}"`) {
			t.Errorf("%s: %s is read as %+v", name, written.stdout, read)
		}
		if proof := callwire("x "+written.stdout, "parse", "--tools", file, "--protocol", name, "--every-split"); proof.code != exitOK {
			t.Errorf("%s: %+v", name, proof)
		}
	}
	// The tags of a format that has some are anyone's choice.
	tags := []string{"--protocol", "hermes", "--open", "<x7>", "--close", "</x7>"}
	text := callwire(`{"name":"f","input":{"days":3}}`, append([]string{"format", "--tools", file}, tags...)...).stdout
	if got := callwire(text, append([]string{"parse", "--json", "--tools", file}, tags...)...); !strings.HasPrefix(text, "<x7>\n{") || !strings.Contains(got.stdout, `"input":"{\"days\":3}"`) {
		t.Errorf("%s: %+v", text, got)
	}
	if got := callwire(twoAtOnce, append([]string{"history"}, tags...)...); !strings.Contains(got.stdout, "<x7>\n{") {
		t.Errorf("%+v", got)
	}
	var made struct{ Text, Open string }
	random := callwire("", "manual", "--tools", file, "--protocol", "hermes", "--random", "--json")
	if err := json.Unmarshal([]byte(random.stdout), &made); err != nil || made.Open == "<tool_call>" || !strings.Contains(made.Text, made.Open+"\n{") || strings.Contains(made.Text, "<tool_call>") {
		t.Errorf("%+v", random)
	}
}
