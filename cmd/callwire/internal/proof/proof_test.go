package proof

import (
	"testing"

	"github.com/callwire/callwire/cmd/callwire/internal/split"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
)

// TestProofFinds gives a proof readers that depend on the split.
func TestProofFinds(t *testing.T) {
	lines := "one\ntwo\nthree\n"
	for _, c := range []struct {
		at, wrong, want string
	}{
		{"in chunks of 1 byte", "one\n2\nthree\n", "in chunks of 1 byte, event 2 differs\nwhole: two\nsplit: 2"},
		{"cut at 3", "one\ntwo\n", "cut at 3, event 3 differs\nwhole: three\nsplit: nothing"},
		{"cut at 2 and 2", lines + "four\n", "cut at 2 and 2, event 4 differs\nwhole: nothing\nsplit: four"},
		{"cut at 3 and 4", "", "cut at 3 and 4, event 1 differs\nwhole: one\nsplit: nothing"},
	} {
		p := Proof{
			Text: []byte("text"),
			read: func(text []byte, s split.Split) []byte {
				if len(s.Cuts)+s.Size > 0 && s.String() == c.at {
					return []byte(c.wrong)
				}
				return []byte(lines)
			},
			Most:     5,
			Progress: terminal.NewProgress(nil, "splits", 0),
		}
		if verdict, same := p.Run(); same || verdict != c.want {
			t.Errorf("%s: %v, %q", c.at, same, verdict)
		}
	}
}
