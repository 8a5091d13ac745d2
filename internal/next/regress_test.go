package next

import (
	"testing"

	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/internal/next/parse"
)

// With Strict, an issue that shows only at the end of a call with a reopened group is a fault.
func TestStrictAfterReopenedGroup(t *testing.T) {
	catalog, err := sig.Compile([]byte(tools))
	if err != nil {
		t.Fatal(err)
	}
	o := parse.Options{Strict: true, AllowAfterMalformed: true, AllowInCode: true}
	in := `<call>n d.x=true a=1 d.k=t</call>`
	want := mainLines(in, catalog, o, nil)
	for cut := range len(in) {
		got, err := run(newParser(catalog, o), []byte(in), []int{cut})
		diff(t, in, "", got, want, err)
	}
}
