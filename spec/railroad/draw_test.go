package railroad

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// every is a diagram with every kind of node in it.
func every() *Node {
	a := func() *Node { return &Node{Kind: Word, Text: "a", Class: "t"} }
	b := func() *Node {
		return &Node{Kind: Word, Text: "Production", Class: "n", Link: "production.Production"}
	}
	list := Of(Loop, b())
	list.Between = &Node{Kind: Word, Text: ",", Class: "t"}
	return Of(Sequence,
		a(), Of(Optional, b()), Of(Choice, a(), Of(Sequence, b(), a()), Of(Skip)),
		list, Of(Optional, Of(Loop, Of(Sequence, a(), b()))),
		&Node{Kind: Word, Text: "then x", Class: "p"},
		&Node{Kind: Word, Text: "a class of bytes with many words", Class: "c"},
	)
}

// Boxes keep to the width that they are given, as soon as it can be kept to.
func TestLayoutKeepsWidth(t *testing.T) {
	for limit := 200.0; limit < 1200; limit += 7 {
		if b := every().layout(limit); b.width > limit {
			t.Errorf("%v wide, want at most %v", b.width, limit)
		}
	}
}

// All that is drawn is within the picture.
func TestDrawingIsWithin(t *testing.T) {
	box := regexp.MustCompile(`viewBox="0 0 ([0-9.]+) ([0-9.]+)"`)
	shape := regexp.MustCompile(`<rect x="([0-9.-]+)" y="([0-9.-]+)" width="([0-9.]+)" height="([0-9.]+)"`)
	command := regexp.MustCompile(`([MLQV])([0-9. -]+)`)
	for _, limit := range []float64{narrowDiagram, 480, wideDiagram, 2000} {
		picture := svg(every(), limit, "")
		size := numbers(t, box.FindStringSubmatch(picture)[1:])
		for _, m := range shape.FindAllStringSubmatch(picture, -1) {
			r := numbers(t, m[1:])
			if r[0] < 0 || r[1] < 0 || r[0]+r[2] > size[0] || r[1]+r[3] > size[1] {
				t.Errorf("%v: the box %v is outside of %v", limit, r, size)
			}
		}
		for _, m := range command.FindAllStringSubmatch(picture, -1) {
			n := numbers(t, strings.Fields(m[2]))
			for i, v := range n {
				most := size[i%2]
				if m[1] == "V" {
					most = size[1]
				}
				if v < 0 || v > most {
					t.Errorf("%v: %s leaves %v", limit, m[0], size)
				}
			}
		}
	}
}

func numbers(t *testing.T, words []string) (all []float64) {
	t.Helper()
	for _, w := range words {
		f, err := strconv.ParseFloat(w, 64)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, f)
	}
	return all
}

// A row that is full is followed by another one, and what fits on one line stays
// there.
func TestSequenceBreaks(t *testing.T) {
	s := Of(Sequence)
	for range 8 {
		s.Parts = append(s.Parts, &Node{Kind: Word, Text: "abcdefgh", Class: "t"})
	}
	long, short := s.layout(10_000), s.layout(300)
	if long.exit != 0 || long.down != boxHeight/2 {
		t.Errorf("there is room for one row: %+v", long)
	}
	if short.exit <= boxHeight || short.width > 300 {
		t.Errorf("there is no room for one row: %+v", short)
	}
}

// A drawing has every word once, those of references as links.
func TestDraw(t *testing.T) {
	n := Of(Sequence, &Node{Kind: Word, Text: "<call>", Class: "t"}, Of(Optional, &Node{Kind: Word, Text: "Name", Class: "n", Link: "production.Name"}))
	got := Draw(n, `a "label"`)
	for _, want := range []string{`aria-label="a &#34;label&#34;"`, `&lt;call&gt;</text>`, `<a href="#production.Name"><g class="n">`} {
		if strings.Count(got, want) != 1 {
			t.Errorf("%s is not there once: %s", want, got)
		}
	}
	if strings.Contains(got, "narrow") {
		t.Error("a short diagram has one drawing")
	}
	if got := Draw(every(), ""); !strings.Contains(got, `"rr wide"`) || !strings.Contains(got, `"rr narrow"`) {
		t.Error("a long diagram has two drawings")
	}
}
