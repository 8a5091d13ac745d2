package engine_test

import (
	"testing"

	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/internal/engine"
)

// With Strict, an issue that shows only at the end of a call with a reopened group is a fault.
func TestStrictAfterReopenedGroup(t *testing.T) {
	catalog, err := sig.Compile([]byte(tools))
	if err != nil {
		t.Fatal(err)
	}
	o := engine.Options{Strict: true, AllowAfterMalformed: true, AllowInCode: true}
	in := `<call>n d.x=true a=1 d.k=t</call>`
	want := []string{`malformed 0-33 missing-argument at 26 closed=true`}
	for cut := range len(in) {
		got, err := run(newParser(catalog, o), []byte(in), []int{cut})
		diff(t, in, "", got, want, err)
	}
}
