package protocol

import (
	"strings"
	"testing"

	"github.com/callwire/callwire/parse"
)

// What may begin reasoning does not make the reader look for an opener anew in all the
// text that follows.
func TestLooksForOpeners(t *testing.T) {
	for _, p := range []Protocol{Hermes, GemmaFence, MorphXML} {
		for _, unit := range []string{"– a", "[1] ", "< b", "[THINK]c[/THINK]"} {
			made, err := p.NewReader(nil, parse.Options{Reasoning: true})
			if err != nil {
				t.Fatal(err)
			}
			r := made.(*reader)
			counted := &countedFrame{frame: r.frame}
			r.frame = counted
			text := strings.Repeat(unit, 1000)
			r.Feed([]byte(text))
			for r.Next() != parse.NoPart {
			}
			if counted.looked > 2*len(text) {
				t.Errorf("%s, %q: looks at %d bytes of %d", p, unit, counted.looked, len(text))
			}
		}
	}
}

// countedFrame counts the bytes that a frame looks at for openers.
type countedFrame struct {
	frame
	looked int
}

func (f *countedFrame) next(w []byte, i int) int {
	n := f.frame.next(w, i)
	f.looked += n - i + 1
	return n
}
