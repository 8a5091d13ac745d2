package stream

import (
	"bytes"
	"strings"
)

// Before its first call a decoder needs no parser, which is most of its memory:
// text is given out as it comes, but for the beginning of an opener with which a
// chunk ends. The parser is made when the opener is whole.

// prelude takes a chunk that completes no opener, and reports whether it did.
func (d *Decoder) prelude(chunk []byte) bool {
	open := d.opts.Delims.OrDefault().Open
	if open == "" || strings.IndexByte(open[1:], open[0]) >= 0 || d.opts.Limits.OrDefault().Bytes <= len(open) {
		// An opener that can begin in itself, and one that never begins a call:
		// what they hold back is for the parser to say.
		return false
	}
	d.first = open[0]
	if d.opening > 0 {
		n := common(chunk, open[d.opening:])
		switch {
		case d.opening+n == len(open):
			return false
		case n == len(chunk):
			d.opening += n
			return true
		}
		d.text(d.unopened())
	}
	for rest := chunk; ; rest = rest[1:] {
		i := bytes.IndexByte(rest, open[0])
		if i < 0 {
			break
		}
		rest = rest[i:]
		switch common(rest, open) {
		case len(open):
			return false
		case len(rest):
			d.opening = len(rest)
			chunk = chunk[:len(chunk)-len(rest)]
		}
	}
	d.text(chunk)
	return true
}

// prosaic takes a chunk, in text, in which no tag can begin.
func (d *Decoder) prosaic(chunk []byte) bool {
	if d.parser != nil {
		return d.parser.Prose(chunk)
	}
	return d.first != 0 && d.opening == 0 && bytes.IndexByte(chunk, d.first) < 0
}

// unopened returns the bytes of the opener that were held back, which are held
// back no longer.
func (d *Decoder) unopened() []byte {
	n := d.opening
	d.opening = 0
	return []byte(d.opts.Delims.OrDefault().Open[:n])
}

// common returns how many bytes b and s begin with alike.
func common(b []byte, s string) int {
	n := 0
	for n < len(b) && n < len(s) && b[n] == s[n] {
		n++
	}
	return n
}
