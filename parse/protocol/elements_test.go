package protocol_test

import (
	"fmt"
	"testing"

	"github.com/callwire/callwire/lexer"
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

// A property that comes once more, after others or where no list is wanted, makes the call
// malformed at every depth, and nothing after it is written.
func TestRepeatedElement(t *testing.T) {
	catalog := mustCompile(`[{"name": "t", "inputSchema": {"type": "object", "properties": {"o": {"type": "object", "properties": {"a": {"type": "number"}, "b": {"type": "boolean"}}}, "u": {}}}}]`)
	for text, at := range map[string]int{
		"<t><o><a>1</a><b>true</b><a>2</a><c>3</c></o></t>":         26,
		"<t><o><a>1</a><a>2</a></o></t>":                            15,
		"<t><u><x><a>1</a><b>2</b><a><c>1</c></a></x></u></t>":      26,
		"<t><u><x><a>1</a><b>2</b><a>1</a><a>2</a></x></u><u/></t>": 26,
	} {
		got := parse.Options{Protocol: protocol.MorphXML}.Text(text, catalog)
		if len(got) != 1 || got[0].Kind != parse.Malformed || got[0].Err.Code != lexer.DuplicateKey || got[0].Err.Offset != at {
			t.Errorf("%s: %+v", text, got)
		}
	}
}
