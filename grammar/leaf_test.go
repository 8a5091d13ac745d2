package grammar

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLeaves(t *testing.T) {
	for _, test := range []struct {
		text string
		want []Leaf
	}{
		{`<call>t</call>`, []Leaf{{NameLeaf, 6, 7, "t"}}},
		{`<call>t a.b=x c="\n" d=</call>`, []Leaf{
			{NameLeaf, 6, 7, "t"},
			{KeyLeaf, 8, 9, "a"},
			{KeyLeaf, 10, 11, "b"},
			{BareLeaf, 12, 13, "x"},
			{KeyLeaf, 14, 15, "c"},
			{StringLeaf, 16, 20, "\n"},
			{KeyLeaf, 21, 22, "d"},
			{BareLeaf, 23, 23, ""},
		}},
		{`<call>t {a:[ x y ,], "b":{}}</call>`, []Leaf{
			{NameLeaf, 6, 7, "t"},
			{OpenBraceLeaf, 8, 9, "{"},
			{KeyLeaf, 9, 10, "a"},
			{OpenBracketLeaf, 11, 12, "["},
			{BareLeaf, 13, 16, "x y"},
			{CloseBracketLeaf, 18, 19, "]"},
			{StringLeaf, 21, 24, "b"},
			{OpenBraceLeaf, 25, 26, "{"},
			{CloseBraceLeaf, 26, 27, "}"},
			{CloseBraceLeaf, 27, 28, "}"},
		}},
	} {
		if diff := cmp.Diff(test.want, readOne(t, test.text).Leaves()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.text, diff)
		}
	}
}
