package parse_test

import (
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
)

// A Parser in the memory of one that was released reads as a new one does: under tags
// that are not legal, all is text.
func TestIllegalTagsAfterRelease(t *testing.T) {
	for range 8 {
		p, err := parse.NewParser(nil, parse.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p.Feed([]byte("<call>t</call>"))
		for p.Next() != parse.NoPart {
		}
		parse.Release(p)
		segs := parse.Options{Delims: lexer.Delims{Open: "x", Close: "y"}}.Text("a<call>t</call>", nil)
		if len(segs) != 1 || segs[0].Kind != parse.Prose {
			t.Fatalf("%+v", segs)
		}
	}
}

// What was fed before Close is read, also where it was not asked for until then.
func TestCloseBeforeNext(t *testing.T) {
	p, err := parse.NewParser(nil, parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p.Feed([]byte(`<call>t a="x`))
	for p.Next() != parse.NoPart {
	}
	rest := `y"</call>` + string(make([]byte, 5000))
	p.Feed([]byte(rest))
	p.Close()
	text := 0
	for part := p.Next(); part != parse.NoPart; part = p.Next() {
		if part == parse.TextPart {
			text += len(p.Delta())
		}
	}
	if text != 5000 {
		t.Errorf("%d bytes of text", text)
	}
}
