package fuzz

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/stream"
)

// TestPromptness: property 7. A call or a closed malformed span is delivered exactly on its
// last byte. (Property 6 is that text is emitted as soon as it is certain.)
func TestPromptness(t *testing.T) {
	for _, r := range Readers[1:] {
		t.Run(r.Name, func(t *testing.T) {
			for _, text := range []string{"<call>t \n<call>t ", "<call>t </tool_call><call>t a=1</call>"} { // found once
				if wrong := late(r.New(Setup{Salvage: true, Catalog: groups}), []byte(text)); wrong != "" {
					t.Error(wrong)
				}
			}
			everySample(t, func(rt *rapid.T, s sample) {
				if wrong := late(r.New(s.setup), s.in); wrong != "" {
					rt.Fatal(wrong)
				}
			})
		})
	}
}

// late returns a message if r, given in byte by byte, does not deliver a part on its last
// byte, or "". Where the close tag is missing, only the next opener says that the call has
// ended.
func late(r Reader, in []byte) string {
	seen := 0
	for n := range in {
		r.Feed(in[n : n+1])
		parts := r.Parts()
		for ; seen < len(parts); seen++ {
			if p := parts[seen]; (p.Kind == kindCall && !unclosed(p) || p.Kind == kindMalformed && p.Closed) && p.End != n+1 {
				return fmt.Sprintf("%q: %+v came with byte %d", in, p, n+1)
			}
		}
	}
	return ""
}

// unclosed reports whether p is a call that was read without its close tag.
func unclosed(p Part) bool {
	return slices.ContainsFunc(p.Issues, func(is parse.Issue) bool { return is.Path == "missing-close" || is.Path == "wrong-close" })
}

// stringLag is how many bytes of a long string may be held back: the escape of a surrogate
// pair less one byte.
const stringLag = 11

// TestInputStreams: property 7. A long string streams: after every byte of it, all of its
// characters have been emitted except an incomplete escape or rune.
func TestInputStreams(t *testing.T) {
	const head, tail = `<call>t s="`, `"</call>`
	rapid.Check(t, func(rt *rapid.T) {
		c := Drawn(rt)
		var units []string // each a character or an escape, or what is not quite one
		for range 1 + c.IntN(12) {
			for _, r := range Text(c) {
				units = append(units, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(string(r)))
			}
			units = append(units, oneOf(c, "x", `\ud83d\ude00`, `\u0041`, `\n`, `\d`, `\ud83d`))
		}
		d := stream.NewDecoder(nil, stream.Options{})
		input := ""
		feed := func(s string) {
			for _, e := range d.FeedString(s) {
				if e.Type == stream.ToolInputDelta {
					input += string(e.Delta)
				}
			}
		}
		feed(head)
		fed, certain := "", 0
		for _, unit := range units {
			for i := range len(unit) {
				feed(unit[i : i+1])
			}
			fed += unit
			for certain < len(units) && len(strings.Join(units[:certain+1], "")) <= len(fed)-stringLag {
				certain++
			}
			want := strings.TrimSuffix(inputOf(rt, head+strings.Join(units[:certain], "")+tail), `"}`)
			if len(input) < len(want) {
				rt.Fatalf("%q: input %q is out, %q is certain", fed, input, want)
			}
		}
	})
}

// inputOf returns the input of the one call that text is.
func inputOf(t *rapid.T, text string) string {
	parts, err := Read(newParserReader(Setup{}), []byte(text))
	if err != nil || len(parts) != 1 || parts[0].Kind != kindCall {
		t.Fatalf("%q: %v, %v", text, parts, err)
	}
	return parts[0].Input
}
