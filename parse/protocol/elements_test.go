package protocol_test

import (
	"fmt"
	"testing"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
)

// What is ambiguous in an item of a list is told of that item, and under its type.
func TestIssueOfAnItem(t *testing.T) {
	catalog := mustCompile(`[{"name": "t", "inputSchema": {"type": "object", "properties": {"l": {"type": "array", "items": {"type": "object", "properties": {"k": {}}}}}}}]`)
	message := "<t><l><k>v</k></l><l>b<t\n<k>1</k></l></t>"
	for _, size := range []int{1, len(message)} {
		r, err := parse.NewReader(catalog, parse.Options{Protocol: protocol.MorphXML})
		if err != nil {
			t.Fatal(err)
		}
		if drain(r, []byte(message), size) != 1 {
			t.Fatal("no call")
		}
		var got string
		for _, i := range r.Segment().Issues {
			got += fmt.Sprint(i.Code, " ", i.Path, " ", i.Type.Kinds, "; ")
		}
		if want := "ambiguous-text l[1] object; type-mismatch l[1] object; "; got != want {
			t.Errorf("chunks of %d: %s, want %s", size, got, want)
		}
	}
}
