package stream

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// A run of chunks of text goes past the parser. These tests look at when it does.

func TestPlain(t *testing.T) {
	d := Decoder{first: '<'}
	for at := range 8 {
		for c := range 256 {
			for _, others := range []uint64{0x6161616161616161, 0x0000000000000000, 0x7f7f7f7f7f7f7f7f, 0x3b3d3b3d3b3d3b3d} {
				x := others&^(0xff<<(8*at)) | uint64(c)<<(8*at)
				if got, want := d.plain(x), c < utf8.RuneSelf && c != '<'; got != want {
					t.Fatalf("%016x: plain is %t, want %t", x, got, want)
				}
			}
		}
	}
}

// Of a chunk of up to eight bytes each is looked at, of a longer one the last,
// and each for the first of an opener.
func TestProse(t *testing.T) {
	const letters = "bdfhjlnprtvxzbdfhjln" // no bit of one is taken for a byte of 0x80
	for n := 1; n <= len(letters); n++ {
		for at := range n {
			for _, c := range []byte{'x', 0, 0x7f, ';', '=', 0x80, 0xc3, 0xff} {
				chunk := []byte(letters[:n])
				chunk[at] = c
				d, events := afterProse(chunk)
				plain := c < utf8.RuneSelf || n > 8 && at < n-1
				if past := d.prose && d.seen <= d.pos-n; plain && (!past || len(events) != 1 || len(events[0].Delta) != n) {
					t.Fatalf("%q went through the parser: %v", chunk, events)
				}
			}
			chunk := []byte(letters[:n])
			copy(chunk[at:], "<call>t")
			text := 0
			_, events := afterProse(chunk)
			for _, e := range events {
				text += len(e.Delta)
			}
			if text != at {
				t.Fatalf("%q: %d bytes are text", chunk, text)
			}
		}
	}
}

// afterProse returns what becomes of a chunk behind some of text, all but the
// first of which went past the parser.
func afterProse(chunk []byte) (*Decoder, []Event) {
	d := NewDecoder(nil, Options{})
	for _, s := range []string{"<call>t</call>a", "few", "words"} {
		d.Feed([]byte(s))
	}
	return d, d.Feed(chunk)
}

// No delta of a run ends inside a rune, wherever the chunks end.
func TestRunesOfProse(t *testing.T) {
	for _, r := range []string{"é", "Ā", "€", "“", "退", "𐀀", "😀", "\U0010ffff"} {
		for cut := 1; cut < len(r); cut++ {
			for n := range 20 {
				for before := range 3 {
					name := fmt.Sprintf("%q cut after %d, behind %d bytes and %d chunks", r, cut, n, before)
					d := NewDecoder(nil, Options{})
					var chunks, got strings.Builder
					for _, chunk := range append([]string{"a", "bc", "d e f g h i"}[:before:before], strings.Repeat("x", n)+r[:cut], r[cut:]+"y", "z") {
						chunks.WriteString(chunk)
						for _, e := range d.Feed([]byte(chunk)) {
							got.Write(e.Delta)
							if !utf8.Valid(e.Delta) {
								t.Fatalf("%s: a delta is %q", name, e.Delta)
							}
						}
					}
					if got.String() != chunks.String() {
						t.Fatalf("%s: %q became %q", name, chunks.String(), got.String())
					}
				}
			}
		}
	}
}

// Two runes that chunks have cut may become whole, or broken, in one chunk: the
// delta of each holds until the next Feed.
func TestRunesHeldTwice(t *testing.T) {
	d := NewDecoder(nil, Options{})
	d.FeedString("<call>t</call>\xc3")
	var got []string
	for _, e := range d.FeedString("\xa9\xe2<call> 1") {
		got = append(got, string(e.Delta))
	}
	if fmt.Sprintf("%q", got) != `["" "é" "\xe2" "<call> 1"]` {
		t.Errorf("%q", got)
	}
}
