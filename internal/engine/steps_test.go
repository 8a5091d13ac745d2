package engine_test

import (
	"testing"

	"github.com/callwire/callwire/internal/engine"
	"github.com/callwire/callwire/parse/protocol/yaml"
	"github.com/callwire/callwire/sig"
)

// TestStepsOutliveDrafts reads a call and then text, so that the parser gives its draft to another.
// Its work counts for the first only.
func TestStepsOutliveDrafts(t *testing.T) {
	catalog, err := sig.Compile(`[{"name":"t"}]`)
	if err != nil {
		t.Fatal(err)
	}
	c, err := engine.Compile(catalog, &engine.Options{Format: yaml.XML}, 0)
	if err != nil {
		t.Fatal(err)
	}
	const call = "<t>\na: 1\n</t>\n"
	p := c.NewParser()
	p.Feed([]byte(call))
	once := p.Steps()
	for range 3 {
		p.Feed([]byte("x"))
	}
	if p.Steps() <= once {
		t.Errorf("%d steps after the draft was given back, %d before", p.Steps(), once)
	}
	other := c.NewParser()
	other.Feed([]byte(call))
	if other.Steps() != once {
		t.Errorf("another parser takes %d steps, the first took %d", other.Steps(), once)
	}
}
