package protocol

import (
	"bytes"
	"slices"

	"github.com/callwire/callwire/lexer/lexeme"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// drift reads, under Salvage, calls with parameters in which models have left something
// out, if only one reading is possible:
//
//   - the tags around the function of a known tool (missing-open)
//
//   - the end of a parameter, before another declared one that has not appeared yet, and before the ends of function and call (missing-close)
//
//   - the end of the function, before that of the call (missing-close)
//
//   - a name and keys without quotes (quoted-name, quoted-key)
//
// If a tag is missing, later calls count as read after damage.
type drift struct {
	name, value Marks
	close       string // the tag that closes the call
	catalog     *sig.Catalog
	longest     int // length of the longest tool name, in bytes

	bare bool      // the call has no opener
	args *sig.Type // of the tool
	seen []bool    // its properties that have appeared
}

// newDrift returns nil if the marks of p do not all begin with the same byte; then it
// looks for nothing.
func newDrift(p *Protocol, catalog *sig.Catalog) *drift {
	d := &drift{name: p.Envelope.Function, value: p.Envelope.Parameter, close: p.Frame.Close, catalog: catalog}
	for _, tag := range [...]string{p.Frame.Open, p.Frame.Close, d.name.Open, d.name.Close, d.value.Open, d.value.Close} {
		if tag[0] != p.Frame.Open[0] {
			return nil
		}
	}
	for _, t := range catalog.Tools() {
		d.longest = max(d.longest, len(t.Name))
	}
	return d
}

// opens reports whether the function of a known tool begins at w[i]; more says that the
// window is too short to tell.
func (d *drift) opens(w []byte, i int) (found, more bool) {
	n := lexeme.MatchTag(w[i:], d.name.Open)
	switch {
	case n == 0:
		return false, false
	case n < len(d.name.Open):
		return false, true
	}
	name, more := d.name.word(w, i+n, d.longest)
	if more || len(name) == 0 || d.catalog.Lookup(name) == nil {
		return false, more
	}
	n += len(name)
	end := lexeme.MatchTag(w[i+n:], d.name.End)
	return end == len(d.name.End), end == len(w)-i-n && end < len(d.name.End)
}

// word returns the word at w[i]; more says that the window ends inside it.
func (m *Marks) word(w []byte, i, longest int) (word []byte, more bool) {
	end := m.End[0]
	for j := i; j < len(w) && j-i <= longest; j++ {
		if w[j] == end || breaksWord(w[j]) {
			return w[i:j], false
		}
	}
	return nil, len(w)-i <= longest
}

// begin begins a call.
func (d *drift) begin(r *reader) {
	d.args = nil
	if d.bare = r.offset(r.pos) == r.start; d.bare {
		r.asm.Repaired("missing-open", r.start, true)
	}
}

// named records which tool is called.
func (d *drift) named(r *reader, name []byte) {
	if t := r.catalog.Lookup(name); t != nil && t.Args != nil {
		d.args = t.Args
		d.seen = append(d.seen[:0], make([]bool, len(t.Args.Fields))...)
	}
}

// met records that a parameter has begun.
func (d *drift) met(key []byte) {
	if f := d.field(key); f != nil {
		d.seen[f.Index] = true
	}
}

// field returns the declared property of that name, or nil.
func (d *drift) field(key []byte) *sig.Field {
	if d.args == nil {
		return nil
	}
	return d.args.Field(key)
}

// unquoted returns a name or key at offset at without the quotes around it, and notes
// that repair. A word known with its quotes keeps them.
func (d *drift) unquoted(r *reader, word []byte, at int, repair string, known bool) ([]byte, int) {
	bare := unquoted(word)
	if known || len(bare) == len(word) {
		return word, at
	}
	if !r.asm.Dead() {
		r.asm.Repaired(repair, at, false)
	}
	return bare, at + 1
}

// unquoted returns word without the quotes around it.
func unquoted(word []byte) []byte {
	n := len(word) - 1
	if n > 1 && (word[0] == '"' || word[0] == '\'') && word[n] == word[0] {
		return word[1:n]
	}
	return word
}

// closes reports whether the call ends at w[i] while its function is still open.
func (d *drift) closes(w []byte, i int) (found, more bool) {
	n := lexeme.MatchTag(w[i:], d.close)
	return n == len(d.close), n == len(w)-i && n < len(d.close)
}

// ends reports whether a value ends at w[i] without its closer.
func (d *drift) ends(r *reader, b *parameters, w []byte, i int) (found, more bool) {
	if n := lexeme.MatchTag(w[i:], d.value.Open); n > 0 {
		if n < len(d.value.Open) {
			return false, true
		}
		key, more := d.value.word(w, i+n, r.asm.Limits().Name)
		f := d.field(key)
		if f == nil {
			f = d.field(unquoted(key))
		}
		if more || f == nil || d.seen[f.Index] {
			return false, more
		}
		n += len(key)
		end := lexeme.MatchTag(w[i+n:], d.value.End)
		return end == len(d.value.End), end == len(w)-i-n && end < len(d.value.End)
	}
	n := lexeme.MatchTag(w[i:], d.name.Close)
	if n < len(d.name.Close) {
		return false, n > 0
	}
	j := lexeme.SkipSpace(w, i+n+b.looked)
	r.steps += j - i - n - b.looked
	b.looked = 0
	found, more = d.closes(w, j)
	if more = more || j == len(w); more {
		b.looked = j - i - n
	}
	return found, more
}

// missing notes that a closer is missing at win[i].
func (d *drift) missing(r *reader, i int) {
	if !r.asm.Dead() {
		r.asm.Repaired("missing-close", r.offset(i), true)
	}
}

// beginDrift begins a call after head; its body may be that of another protocol, or in
// a fence.
func (r *reader) beginDrift(head []byte) {
	at := r.offset(r.pos)
	w := r.win[r.pos:]
	r.body = r.own
	i := slices.IndexFunc(r.others, func(b body) bool { return b.takes(w) })
	other := i >= 0 && !r.own.takes(w)
	if other {
		r.body = r.others[i]
		if r.drift != nil {
			r.drift.bare = false
		}
	}
	r.body.begin(r)
	if other {
		r.asm.Repaired("other-protocol", at, true)
	}
	if fence := bytes.IndexByte(head, '`'); fence > 0 {
		r.wrapped("fence", r.start-r.base+fence, "```")
	}
}

// wrapped notes what is around the body, which begins at win[i]; end must come before
// the closer.
func (r *reader) wrapped(name string, i int, end string) {
	r.asm.Repaired(name, r.offset(i), false)
	r.wrap = end
}

// unclosed ends a call whose closer is missing at offset at, where another call begins
// or the message ends.
func (r *reader) unclosed(at int) parse.Part {
	if !r.asm.Dead() {
		r.asm.Repaired("missing-close", at, true)
	}
	r.state = inText
	return r.asm.Finish(at, at)
}

// endBare ends a call without tags around its body where the body ends.
func (r *reader) endBare() parse.Part {
	r.state = inText
	r.pos = r.ended - r.base
	return r.asm.Finish(r.ended, r.ended)
}
