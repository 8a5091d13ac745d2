package next

import (
	"testing"

	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/internal/next/parse"
)

func TestDottedInOpenGroup(t *testing.T) {
	cat, err := sig.Compile([]byte(`[{"name":"t","inputSchema":{"type":"object","properties":{"p":{"type":"object","properties":{"y":{"type":"integer"},"x":{"type":"integer"}}},"p.x":{"type":"string"}}}}]`))
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range []string{`<call>t p.x=2 p.y=1</call>`, `<call>t p.y=1 p.x=2</call>`} {
		t.Log(mainLines(in, cat, parse.Options{}, nil))
		got, _ := run(newParser(cat, parse.Options{}), []byte(in), nil)
		t.Log(got)
	}
}
