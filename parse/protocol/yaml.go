package protocol

import (
	"bytes"
	"strings"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/lexer/lexeme"
	"github.com/callwire/callwire/parse"
)

// YAMLCodec reads and writes arguments in YAML. This package does not read YAML itself:
// package yaml has a codec built on a library.
type YAMLCodec interface {
	// Read writes the arguments in text, which is everything between the tags of a
	// call, at offset at in the message. If text is malformed, it returns a code and an
	// offset in the message.
	Read(a *parse.Assembler, text []byte, at int) (code lexer.Code, offset int)

	// Append appends arguments in compact form as a block, which ends with a line end.
	// If flat, it writes values as explicitly as it can; if visible, it escapes what
	// [sig.Invisible] reports.
	Append(dst []byte, tool string, args []byte, flat, visible bool) []byte
}

// yamlBody reads a body that is a block of YAML in an element named after the tool. It
// looks for the end tag, and follows YAML only as closely as that requires; the block
// is written once it is complete.
type yamlBody struct {
	tags   *toolTags
	codec  YAMLCodec
	layout layout
	named  bool
	from   int // offset of the block
	line   int // offset of its first line that is not empty; 0 if there is none yet
}

func (b *yamlBody) begin(r *reader) {
	r.asm.Begin(r.start, false)
	b.tags.begin(r)
	b.layout.begin()
	b.named, b.from, b.line = false, r.offset(r.pos), 0
}

func (b *yamlBody) read(r *reader, bound int) (part parse.Part, more bool) {
	w := r.win[:bound]
	if !b.named {
		if r.spoken > 0 {
			switch mapping, more := b.mapping(r, w); {
			case more:
				return parse.NoPart, false
			case !mapping:
				return b.tags.speaks(r, lexer.NotAnObject, b.line-r.base), true
			}
		}
		b.named = true
		part, _ = b.tags.name(r)
		return part, true
	}
	w = w[:bound-lexeme.PartialRune(w[r.pos:])]
	bad := lexeme.IllFormed(w[r.pos:])
	if bad >= 0 {
		w = w[:r.pos+bad]
	}
	switch found := b.find(r, w); {
	case found == anEnd:
		return b.complete(r), true
	case found == anOpener:
		return r.fail(lexer.NestedCall, r.pos), true
	case bad >= 0:
		return r.failFrom(lexer.InvalidUTF8, len(w), r.pos), true
	}
	return parse.NoPart, false
}

// longestKey is how many bytes a key may have: YAML allows 1024 characters.
const longestKey = 4 << 10

// mapping reports whether the block may be a mapping, as far as its first line tells.
// More says that the window is too short to tell. What follows win[pos] is read later.
func (b *yamlBody) mapping(r *reader, w []byte) (mapping, more bool) {
	i := r.pos + r.look
	defer func() {
		r.steps += i - r.pos - r.look + 1
		r.look = i - r.pos
		if !more {
			r.look = 0
		}
	}()
	if b.line == 0 {
		if i = lexeme.SkipSpace(w, i); i == len(w) {
			return false, true
		}
		b.line = r.offset(i)
		if w[i] == '{' || w[i] == '#' || bytes.IndexByte(w[r.pos:i], '\n') >= 0 && strings.IndexByte("?-.%", w[i]) >= 0 {
			return true, false
		}
		r.quiet = max(r.quiet, b.line)
	}
	limit := min(len(w), b.line-r.base+longestKey)
	if quiet := min(limit, r.quiet-r.base); quiet > i { // each of many openers would look again otherwise
		r.steps -= quiet - i
		i = quiet
	}
	for ; i < limit; i++ {
		switch c := w[i]; {
		case c == '\n' || c == '\r':
			return false, false
		case c == '<':
			if end, more := b.tags.closes(w, i); more || end > 0 {
				return end > 0, more
			}
		case c != ':' || r.offset(i) == b.line:
		case i+1 == len(w):
			return false, true
		case lexeme.IsSpace(w[i+1]):
			return true, false
		}
		if r.quiet == r.offset(i) && !b.tags.mayClose(w, i) {
			r.quiet++
		}
	}
	return false, i == len(w)
}

// complete writes the arguments: the end tag stands at win[pos].
func (b *yamlBody) complete(r *reader) (part parse.Part) {
	if at := r.offset(r.pos); !r.asm.Dead() {
		if code, fault := b.codec.Read(r.asm, r.slice(b.from, at), b.from); code != "" {
			part = r.asm.Fail(code, fault)
		} else {
			part, _ = r.asm.Failed()
		}
	}
	r.complete()
	return part
}

// found is what find returns.
type found uint8

const (
	nothing  found = iota // more input is needed
	anEnd                 // the call's end tag
	anOpener              // the opener of a call, where a key is due
)

// find reads on to the next of these tags.
func (b *yamlBody) find(r *reader, w []byte) found {
	if b.tags.self {
		return anEnd
	}
	from := r.pos
	defer func() { r.steps += r.pos - from + 1 }()
	for ; r.pos < len(w); r.pos++ {
		c := w[r.pos]
		if c != '<' {
			b.layout.step(c)
			continue
		}
		next := b.layout
		if next.step(c); !next.text() {
			end, more := b.tags.closes(w, r.pos)
			begin := 0
			if end == 0 && !more && b.layout.keyDue() {
				begin, more, _ = b.tags.opens(w, r.pos, 0)
			}
			switch {
			case more:
				return nothing
			case end > 0:
				return anEnd
			case begin > 0:
				return anOpener
			}
		}
		b.layout = next
	}
	return nothing
}

func (b *yamlBody) takes([]byte) bool { return true }

func (b *yamlBody) quotes() string { return "" }

func (b *yamlBody) quote() (byte, int) { return 0, 0 }

func (b *yamlBody) spoil(*reader) {}

func (b *yamlBody) pass(r *reader) bool { return !b.named || b.find(r, r.win) != nothing }
