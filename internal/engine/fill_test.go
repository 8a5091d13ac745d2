package engine_test

import (
	"testing"

	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/internal/engine"
	"github.com/callwire/callwire/internal/format"
)

// A required property that allows null besides other types is null where it is missing, in every
// format, at every level, and at any split.
func TestMissingNullable(t *testing.T) {
	catalog, err := sig.Compile([]byte(`[{"name":"t","inputSchema":{"properties":{
		"a":{"type":"integer"},"n":{"type":["string","null"]},"e":{"enum":["x",null]},"z":{"type":"null"},
		"f":{"type":["string","null"],"enum":["x","y"]},
		"o":{"type":"object","properties":{"x":{"type":"integer"},"p.q":{"type":["integer","null"]},
			"i":{"type":"object","properties":{"y":{"type":["boolean","null"]},"k":{"type":"string"}},"required":["y","k"]}},"required":["p.q"]},
		"l":{"type":"array","items":{"type":"object","properties":{"m":{"type":["string","null"]},"v":{"type":"integer"}},"required":["m"]}}
	},"required":["a","n","e","z","f"]}}]`))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		format   *format.Format
		in, want string
		missing  []string // paths
	}{
		{nil, `<call>t a=1</call>`, `{"a":1,"n":null,"e":null}`, []string{"z", "f"}},
		{nil, `<call>t a=1 n=null e=x z=null f=x</call>`, `{"a":1,"n":null,"e":"x","z":null,"f":"x"}`, nil},
		{nil, `<call>t</call>`, `{"n":null,"e":null}`, []string{"a", "z", "f"}},
		{nil, `<call>t {"a":1}</call>`, `{"a":1,"n":null,"e":null}`, []string{"z", "f"}},
		{nil, `<call>t {}</call>`, `{"n":null,"e":null}`, []string{"a", "z", "f"}},
		{nil, `<call>t o.x=1</call>`, `{"o":{"x":1,"p.q":null},"n":null,"e":null}`, []string{"a", "z", "f"}},
		{nil, `<call>t o.x=1 a=1</call>`, `{"o":{"x":1,"p.q":null},"a":1,"n":null,"e":null}`, []string{"z", "f"}},
		{nil, `<call>t o.i.k=s a=1 o.x=2</call>`, `{"o":{"i":{"k":"s","y":null},"x":2,"p.q":null},"a":1,"n":null,"e":null}`, []string{"z", "f"}},
		{nil, `<call>t l=[{v:1},{m:x}]</call>`, `{"l":[{"v":1,"m":null},{"m":"x"}],"n":null,"e":null}`, []string{"a", "z", "f"}},
		{nil, `<call>t o={"i":{}}</call>`, `{"o":{"i":{"y":null},"p.q":null},"n":null,"e":null}`, []string{"o.i.k", "a", "z", "f"}},
		{format.Hermes, `<tool_call>{"name":"t","arguments":{"a":1,"o":{}}}</tool_call>`, `{"a":1,"o":{"p.q":null},"n":null,"e":null}`, []string{"z", "f"}},
		{format.Qwen3Coder, "<tool_call><function=t><parameter=a>1</parameter></function></tool_call>", `{"a":1,"n":null,"e":null}`, []string{"z", "f"}},
	} {
		for cut := range len(c.in) {
			p := newParser(catalog, engine.Options{Format: c.format})
			events := append([]engine.Event(nil), p.Feed([]byte(c.in[:cut]))...)
			var deltas []byte
			add := func(list []engine.Event) (last engine.Event) {
				for _, e := range list {
					if e.Kind == engine.InputDelta {
						deltas = append(deltas, e.Bytes...)
					}
					last = e
				}
				return last
			}
			add(events)
			e := add(p.Feed([]byte(c.in[cut:])))
			if e.Kind != engine.Call || string(e.Bytes) != c.want || string(deltas) != c.want {
				t.Fatalf("%s cut %d: %d %s, deltas %s, want %s", c.in, cut, e.Kind, e.Bytes, deltas, c.want)
			}
			var paths []string
			if e.Problem != nil {
				for _, i := range e.Problem.Issues {
					paths = append(paths, i.Path)
				}
			}
			if len(paths) != len(c.missing) {
				t.Fatalf("%s: issues %v, want %v", c.in, paths, c.missing)
			}
			for i := range paths {
				if paths[i] != c.missing[i] {
					t.Fatalf("%s: issues %v, want %v", c.in, paths, c.missing)
				}
			}
		}
	}
	for _, f := range format.All() {
		if f.ToolTags() {
			continue
		}
		text, err := engine.AppendCall(nil, catalog, engine.Written{Name: "t", Input: []byte(`{"a":1,"z":null,"f":"x"}`)}, &engine.WriteOptions{Format: f})
		if err != nil {
			t.Errorf("%s: %v %s", f.Name, err, text)
		}
	}
}
