package parse

import (
	"testing"

	"github.com/callwire/callwire/sig"
)

// TestListed: an array is compared with the members of an enum by value.
func TestListed(t *testing.T) {
	catalog, err := sig.Compile([]byte(`[{"name":"t","inputSchema":{"type":"object","properties":{"a":{"$ref":"#/$defs/l"}},
		"$defs":{"l":{"type":["array","object"],"enum":[[1, 2.0],[[1]],{"b":1,"c":[]},["x,y"]],"items":{"$ref":"#/$defs/l"}}}}}]`))
	if err != nil {
		t.Fatal(err)
	}
	for value, want := range map[string]bool{
		`[1,2]`: true, `[1.0,2]`: true, `[1,2,3]`: false, `[2,1]`: false, `["x,y"]`: true, `["x","y"]`: false,
		`{c:[],b:1}`: true, `{b:1}`: false, `{b:1,c:[1]}`: false, `{b:1,c:{}}`: false,
	} {
		segs := Text("<call>t a="+value+"</call>", catalog)
		listed := true
		for _, i := range segs[0].Issues {
			listed = listed && i.Path != "a"
		}
		if listed != want {
			t.Errorf("%s: %v", value, segs[0].Issues)
		}
	}
}
