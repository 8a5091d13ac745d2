package railroad

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// lists is a small grammar: List = "[" (Item (sep Item)*)? "]" . Item = a | b? c | List .
func lists() Grammar {
	terminal := func(name string) *Node { return &Node{Kind: Word, Text: name, Class: "t", Terminal: name} }
	refer := func(name string) *Node { return &Node{Kind: Word, Text: name, Class: "n", Production: name} }
	items := Of(Loop, refer("Item"))
	items.Between = terminal(",")
	g := Grammar{
		"List": Of(Sequence, terminal("["), Of(Optional, items), terminal("]")),
		"Item": Of(Choice, terminal("a"), Of(Sequence, Of(Optional, terminal("b")), terminal("c"), &Node{Kind: Word, Text: "then", Class: "p", Follow: []string{",", "]"}}), refer("List")),
	}
	for _, n := range g {
		n.Number()
	}
	return g
}

// TestWalk: a text is read as far as it fits, and its visits are nested as its
// productions are.
func TestWalk(t *testing.T) {
	for text, want := range map[string]struct {
		read   int
		visits string
	}{
		"[ ]":             {2, "List"},
		"[ a , b c ]":     {6, "List List/Item List/Item"},
		"[ [ a ] , c ]":   {7, "List List/Item List/Item/List List/Item/List/Item List/Item"},
		"[ a a ]":         {2, "List List/Item"},
		"[ b , a ]":       {2, "List List/Item"},
		"[ c a":           {2, "List List/Item"},
		"[ a ,":           {3, "List List/Item List/Item"},
		"x":               {0, "List"},
		"":                {0, "List"},
		"[ ] after it":    {2, "List"},
		"[ a , x ] later": {3, "List List/Item List/Item"},
	} {
		visits, read := lists().Walk("List", strings.Fields(text))
		var paths []string
		for _, v := range visits {
			path := v.Production
			for up := v.Parent; up >= 0; up = visits[up].Parent {
				path = visits[up].Production + "/" + path
			}
			paths = append(paths, path)
		}
		if got := strings.Join(paths, " "); read != want.read || got != want.visits {
			t.Errorf("%q: %d words, %q; want %d, %q", text, read, got, want.read, want.visits)
		}
	}
	visits, _ := lists().Walk("List", []string{"[", ""})
	if steps := visits[0].Steps; steps[len(steps)-1].At != "1.1" {
		t.Errorf("nothing is left out to come to a fault: %+v", steps)
	}
	if visits, read := lists().Walk("Nothing", []string{"a"}); len(visits) != 0 || read != 0 {
		t.Errorf("%v %d", visits, read)
	}
}

// TestWalkReadsEachWordOnce: every word that is read is in one box.
func TestWalkReadsEachWordOnce(t *testing.T) {
	g := lists()
	words := strings.Fields("[ a , [ b c , c ] , a ]")
	visits, read := g.Walk("List", words)
	var taken []int
	for _, v := range visits {
		for _, s := range v.Steps {
			if s.Terminal {
				taken = append(taken, s.Word)
			}
		}
	}
	slices.Sort(taken)
	if read != len(words) || len(taken) != read || len(slices.Compact(taken)) != read {
		t.Errorf("%d of %d words are read, in the boxes %v", read, len(words), taken)
	}
}

// TestWalkIsDrawn: what a walk names is named in the drawing, but for lines of no
// length, and what it does not visit is drawn too.
func TestWalkIsDrawn(t *testing.T) {
	g := lists()
	visits, _ := g.Walk("List", strings.Fields("[ a , b c ]"))
	drawn := func(production string) (names []string) {
		for _, m := range regexp.MustCompile(` data-at="([^"]*)"`).FindAllStringSubmatch(Draw(g[production], "", "#"), -1) {
			names = append(names, m[1])
		}
		return names
	}
	for _, v := range visits {
		names, missing := drawn(v.Production), 0
		for _, s := range v.Steps {
			if !slices.Contains(names, s.At) {
				missing++
				if !strings.HasSuffix(s.At, ".0") && !strings.HasSuffix(s.At, ".out") {
					t.Errorf("%s: %s is not drawn", v.Production, s.At)
				}
			}
		}
		if missing == len(v.Steps) || len(names) == 0 {
			t.Errorf("%s: nothing of it is drawn", v.Production)
		}
	}
	if list := drawn("List"); !slices.Contains(list, visits[0].Steps[0].At) || !slices.Contains(drawn("Item"), "3.2") {
		t.Errorf("%q", list)
	}
	if strings.Contains(Draw(every(), "", "#"), "data-at") {
		t.Error("nodes without numbers have names")
	}
}
