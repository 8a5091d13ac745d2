package fuzz

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestTransparency: property 15. Input in which no call begins comes out identical, byte for
// byte, valid UTF-8 or not, and only as text.
func TestTransparency(t *testing.T) {
	everyReader(t, func(t *testing.T, open func(Setup) Reader) {
		rapid.Check(t, func(rt *rapid.T) {
			c := Drawn(rt)
			s := oneOf(c, setups...)
			s.Salvage, s.Regions = false, false // under these, text can be something else
			opener := s.Delims.OrDefault().Open
			var b bytes.Buffer
			for range c.IntN(12) {
				b.WriteString(oneOf(c, "a", " ", "<", opener[:1], opener[:len(opener)-1], "</call>", "\"", "'", "\xff", "é", "\n", "=", strings.Repeat("<", 9), strings.ToUpper(opener)))
			}
			in := bytes.ReplaceAll(b.Bytes(), []byte(opener), []byte("-"))
			if chance(c, 2) { // openers that do not start a call
				in = append(in, strings.Repeat(opener+oneOf(c, "<", " \n", "1", "\"", ".", "", "\x00"), 1+c.IntN(3))...)
				in = append(in, '>')
			}
			if bytes.Contains(in, []byte(opener)) && s.Delims.Open == "@c" {
				rt.Skip("a name may follow")
			}
			parts, err := Read(open(s), Chunks(in, Cuts(c, len(in)))...)
			if err != nil {
				rt.Fatal(err)
			}
			out := ""
			for _, p := range parts {
				out += p.Text
				if !strings.EqualFold(p.Kind, kindText) {
					rt.Fatalf("%q: %+v", in, p)
				}
			}
			if out != string(in) {
				rt.Fatalf("%q came out as %q", in, out)
			}
		})
	})
}
