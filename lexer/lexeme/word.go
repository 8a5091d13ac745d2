package lexeme

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// A bare word goes on to whitespace or the close tag, a bare item to a comma, a
// closing bracket, a line end or the close tag. Neither has escapes.

// Quotes counts the quotes of a bare word.
type Quotes struct {
	double, single, introduced bool // odd, odd, one ' after punctuation
}

// Flags returns Opened if the quotes look like the rest of a quoted string.
func (q Quotes) Flags() Flags {
	// Rule: issue.open-quote.
	if q.double || q.single && q.introduced {
		return Opened
	}
	return 0
}

// ConsumeWordResumable reads on in the bare word or item that begins at
// w[start], from w[i], at most to w[end]; stop is EndsWord or EndsItem. It
// returns the index of the first byte that is not read, the tag there, and the
// bits of the bytes read.
func (t *Tags) ConsumeWordResumable(w []byte, start, i, end int, stop Class, q *Quotes) (int, Tag, byte) {
	// Rule: value.bare, value.bare-item.
	var seen byte
	for ; i < end; i++ {
		c := w[i]
		if t.Classes[c]&stop == 0 {
			seen |= c
			continue
		}
		if c == '"' {
			q.double = !q.double
			continue
		}
		if c == '\'' {
			q.single = !q.single
			q.introduced = q.introduced || i > start && Introduces(w[i-1])
			continue
		}
		if t.Classes[c]&BeginsTag == 0 {
			break
		}
		if tag := t.At(w[i:]); tag != NoTag {
			return i, tag, seen
		}
	}
	return i, NoTag, seen
}

// ReformatSimpleWord appends the bare word at w[i] as a JSON string, and returns
// the index after it, where a control, a space or a < stands; nil and 0 if it does
// not end in w or holds a byte that needs a look: a quote, a backslash, anything
// but ASCII.
func ReformatSimpleWord(dst, w []byte, i int) (out []byte, end int) {
	dst = append(dst, '"')
	o := len(dst)
	for {
		if o+9 > cap(dst) {
			dst = slices.Grow(dst[:o], o+8)
		}
		room := dst[:cap(dst)]
		x := load(w, i)
		binary.LittleEndian.PutUint64(room[o:], x)
		const bit = 0x60 // < and the backslash differ in these, and | is as rare
		if stop := below(x, '\''+1) | equal(x|bit*ones, '<'|bit) | x&highs; stop != 0 {
			n := bits.TrailingZeros64(stop) / 8
			i += n
			o += n
			if i >= len(w) || w[i] > ' ' && w[i] != '<' {
				return nil, 0
			}
			room[o] = '"'
			return room[:o+1], i
		}
		i += 8
		o += 8
	}
}

// CanBeBare reports whether the syntax lets text stand as a bare word, at any
// place and under these tags.
func (t *Tags) CanBeBare(text []byte) bool {
	// Rule: write.bare.
	if len(text) == 0 || text[0] == '[' || text[0] == '{' {
		return false
	}
	for _, c := range text {
		if c < ' ' || c == 0x7f || c == '<' || c == '>' || t.Classes[c]&EndsWord != 0 {
			return false
		}
	}
	return true
}
