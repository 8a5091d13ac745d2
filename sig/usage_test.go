package sig

import "testing"

// TestNamesOfTypesDiffer: two types whose definitions share a name get different ones.
func TestNamesOfTypesDiffer(t *testing.T) {
	object := func(name string) string {
		return `{"type":"object","properties":{"` + name + `":{"type":"integer"},"the_same_in_both":{"type":"boolean"}}}`
	}
	tool := compileTools(t, Tool{Name: "t", Schema: []byte(`{"type":"object","properties":{
		"a":{"$ref":"#/$defs/x.node"},"b":{"$ref":"#/$defs/x.node"},"c":{"$ref":"#/$defs/y.node"},"d":{"$ref":"#/$defs/y.node"}},
		"$defs":{"x.node":` + object("x") + `,"y.node":` + object("y") + `}}`)}).Tools()[0]
	want := `t a?:@node{x?:int the_same_in_both?:bool} b?:@node c?:@node_2{y?:int the_same_in_both?:bool} d?:@node_2`
	if got := tool.Signature(); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
