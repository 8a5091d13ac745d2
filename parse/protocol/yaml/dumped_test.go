package yaml_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	goyaml "go.yaml.in/yaml/v4"
	"pgregory.net/rapid"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol/yaml"
	"github.com/callwire/callwire/sig"
)

// What the library writes, each node in a style of its own, with end tags in all that can contain
// them, reads as one call with the same arguments.
func TestDumped(t *testing.T) {
	catalog, err := sig.Compile([]byte(`[{"name": "g"}]`))
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		root := mapping(t, 3)
		dumped, err := goyaml.Dump(root, goyaml.WithIndent(rapid.IntRange(2, 4).Draw(t, "indent")))
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]any{}
		if err := goyaml.Load(dumped, &want); err != nil {
			t.Fatalf("%q: %v", dumped, err)
		}
		message := "<g>\n" + string(dumped) + "</g> and"
		segments, err := parse.Message(catalog, message, &parse.Options{Format: yaml.XML})
		if err != nil || len(segments) != 2 || segments[0].Call == nil {
			t.Fatalf("%q reads as %+v, %v", message, segments, err)
		}
		var got map[string]any
		if err := json.Unmarshal(segments[0].Call.Input, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%q (-want +got)\n%s", message, diff)
		}
	})
}

var (
	words = rapid.SampledFrom([]string{
		"a", " ", "\n", "\n\n", "  ", "</g>", "<g>", "'", `"`, `\`, ": ", " #", "- ", "é", "{",
		"]", "|", "\t", "1", "&",
	})
	text = rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(words, 0, 8).Draw(t, "words"), "")
	})
	styles = rapid.SampledFrom([]goyaml.Style{
		goyaml.DoubleQuotedStyle, goyaml.SingleQuotedStyle, goyaml.LiteralStyle, goyaml.FoldedStyle,
	})
)

func mapping(t *rapid.T, depth int) *goyaml.Node {
	n := &goyaml.Node{Kind: goyaml.MappingNode}
	for _, key := range rapid.SliceOfNDistinct(text, 0, 3, rapid.ID).Draw(t, "keys") {
		name := &goyaml.Node{Kind: goyaml.ScalarNode, Style: goyaml.DoubleQuotedStyle, Value: key}
		n.Content = append(n.Content, name, node(t, depth-1))
	}
	return n
}

func node(t *rapid.T, depth int) (n *goyaml.Node) {
	switch kind := rapid.IntRange(0, 3).Draw(t, "kind"); {
	case depth > 0 && kind == 0:
		n = mapping(t, depth)
	case depth > 0 && kind == 1:
		n = &goyaml.Node{Kind: goyaml.SequenceNode}
		for range rapid.IntRange(0, 3).Draw(t, "items") {
			n.Content = append(n.Content, node(t, depth-1))
		}
	default:
		return &goyaml.Node{
			Kind: goyaml.ScalarNode, Style: styles.Draw(t, "style"), Tag: "!!str",
			Value: text.Draw(t, "text"),
		}
	}
	if rapid.IntRange(0, 4).Draw(t, "flow") == 0 {
		n.Style = goyaml.FlowStyle
	}
	return n
}
