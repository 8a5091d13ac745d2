package main

import (
	"strings"
	"testing"
)

// TestProtocolFlag: what format writes in each format, parse reads back, cut in any way.
func TestProtocolFlag(t *testing.T) {
	const tools = `[{"name":"f","inputSchema":{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"}}}}]`
	file := writeFile(t, tools)
	for _, name := range protocolNames() {
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
	for _, args := range []string{"parse --protocol none", "format --protocol none", "cases --protocol none", "parse --protocol hermes --open (( --close ))"} {
		if got := callwire("", strings.Fields(args)...); got.code != exitFailed || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%s: %+v", args, got)
		}
	}
	if got := callwire("", "cases", "--protocol", "hermes"); !strings.Contains(got.stdout, "hermes/plain") {
		t.Errorf("%+v", got)
	}
	if got := callwire("", "cases", "show", "hermes/plain"); !strings.Contains(got.stdout, "protocol.hermes") {
		t.Errorf("%+v", got)
	}
}
