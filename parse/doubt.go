package parse

import (
	"bytes"
	"math"
	"slices"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/lexer/lexeme"
	"github.com/callwire/callwire/sig"
)

// A bare word can be well formed and yet not say what was meant: a=x, b=y has the value
// "x,", and a=null "null". Under Options.Salvage such a value is held back, with all
// after it, to the end of the call. Then the call is read as its repair says, or as it
// is written, with an issue.
//
// Rule: salvage.doubt.

// doubt is the first doubtful value of a call.
type doubt struct {
	is   bool
	from int // where its value begins in the input; unlimited if there is none
	path int // offset of its path
	at   int // offset of its value
}

// suspect records that the value at offset at, the path of which is at offset
// path, is doubtful. It is written to b.out from index from on.
func (p *Parser) suspect(from, path, at int) {
	if !p.doubt.is {
		p.doubt = doubt{true, from - p.base, path, at}
		p.until = min(p.until, p.doubt.from)
	}
}

// unlimited is Parser.until where all of the input so far is what it will be.
const unlimited = math.MaxInt / 2

// holdFrom says that the input may still change from there on: a bare word may go on,
// a=New York, and an empty string be the beginning of doubled quotes, until the next
// argument begins.
func (p *Parser) holdFrom(n int) {
	p.latest, p.until = 0, min(n, p.doubt.from)
}

// awaited is Parser.latest between the = of an argument and its value.
const awaited = -1

// goesOn notes whether the value that was read last may go on, or the argument whose value
// is awaited may be dropped. It is asked only where that matters, which is in few calls.
func (p *Parser) goesOn() {
	if p.latest == 0 || !p.opts.Salvage {
		return
	}
	from := unlimited
	if p.latest == awaited {
		if droppable(p.args.field) {
			from = max(1, p.args.begun)
		}
		p.holdFrom(from)
		return
	}
	at := p.seg.Start + p.word
	switch c := p.lex.Slice(at, at+1)[0]; { // the byte after it, if it is empty
	case p.b.out[p.base+p.latest] == '[':
	case c != '"' && c != '\'':
		from = p.latest
	case c == p.lex.Slice(at+1, at+2)[0]: // the quote is final
		from = p.latest + 1
	}
	p.holdFrom(from)
}

// droppable reports whether a null in place of the field says that it is not there:
// the field may be left out, and allows neither null nor, by name, the string "null".
func droppable(f *sig.Field) bool {
	return f != nil && !f.Required && f.Type.Says() && f.Type.Kinds&sig.Null == 0 && !listed(f.Type, nullWord)
}

var nullWord = []byte("null")

// recordFinal records how much of the input is final, at the end of its reading.
func (p *Parser) recordFinal() {
	if p.opts.Salvage && !p.dead {
		p.goesOn()
		p.certain = min(p.b.sure-p.base, p.until)
	}
}

// separates says of each byte whether a word that ends with it is doubtful.
var separates = [256]bool{',': true, ';': true}

// doubtful reports whether a bare word looks like something else.
func doubtful(word []byte) bool {
	if !suspicious(word) {
		return false
	}
	last := word[len(word)-1]
	if separates[last] || len(word) > 3 && (word[0] == '>' || word[0] == '=') && (last == '"' || last == '\'') && word[1] == last {
		return true
	}
	for _, q := range otherQuotes {
		if bytes.HasPrefix(word, []byte(q.open)) {
			return true
		}
	}
	return false
}

// unclosed reports whether a bare word begins as a string in otherQuotes does, and does
// not end as one: the close tag after it may have been meant to stand in that string.
func unclosed(word []byte) bool {
	for _, q := range otherQuotes {
		if bytes.HasPrefix(word, []byte(q.open)) {
			return len(word) < len(q.open)+len(q.close) || !bytes.HasSuffix(word, []byte(q.close))
		}
	}
	return false
}

// doubts suspects the bare word at offset at, if the schema does not list it and it is
// doubtful.
func (p *Parser) doubts(word []byte, path, at int) {
	p.asked += len(word)
	if doubtful(word) && !listed(p.b.slot, word) {
		p.suspect(len(p.b.out), path, at)
		p.opened = p.opened || unclosed(word)
	}
}

// suspicious reports whether the first and the last byte of a word let it be doubtful.
func suspicious(word []byte) bool {
	n := len(word)
	return n > 0 && (beginsDoubt[word[0]] || separates[word[n-1]])
}

// beginsDoubt says of each byte whether a word that begins with it may be doubtful: what
// is left of an arrow, and otherQuotes.
var beginsDoubt = func() (begins [256]bool) {
	begins['>'], begins['='] = true, true
	for _, q := range otherQuotes {
		begins[q.open[0]] = true
	}
	return begins
}()

// listed reports whether the schema lists the word, which is beyond doubt then.
func listed(t *sig.Type, word []byte) bool { return t != nil && t.Member(sig.String, word) != nil }

// questionable reports whether a string, written bare, may be read otherwise under
// Salvage: as a null, or as several arguments.
func questionable(word []byte) bool {
	return doubtful(word) || string(word) == "null" || bytes.IndexByte(word, ',') >= 0 && bytes.IndexByte(word, '=') >= 0
}

// oddKey reports whether a key that the schema does not name looks like another
// one, or like all arguments.
func oddKey(key []byte) bool {
	c := key[len(key)-1]
	return c == '?' || c == ':' || key[0] == '-' || slices.Contains(argumentWords, string(key))
}

// envelops reports whether key, as it is written, is that of a member of an envelope.
func envelops(key []byte) bool {
	key = bytes.Trim(key, `"'`)
	return slices.Contains(nameWords, string(key)) || slices.Contains(argumentWords, string(key))
}

// odd reports whether a well-formed call whose close tag is at offset at looks like
// drift.
func (p *Parser) odd(at int) bool {
	if p.doubt.is {
		return true
	}
	for i := range p.b.issues {
		if c := p.b.issues[i].Code; c == lexer.UnknownArgument || c == lexer.MissingArgument {
			return true
		}
	}
	return p.several && p.args.count == 1 && p.joined(at)
}

// joined reports whether the only argument of a call whose close tag is at offset at
// looks like several with commas between them, a=x,b=y, and suspects it.
func (p *Parser) joined(at int) bool {
	source := p.lex.Slice(p.seg.Start, at)
	p.asked += len(source)
	if bytes.LastIndexByte(source, '=') < bytes.IndexByte(source, ',') {
		return false // as in most URLs
	}
	if c := source[len(source)-1]; c == '\'' || c == ']' || bytes.ContainsAny(source, `"[`) {
		return false
	}
	first := bytes.IndexByte(source, '=')
	for from := first + 1; from > 0; { // source[from:to] is between two equals signs
		to := bytes.IndexByte(source[from:], '=')
		if to < 0 {
			return false
		}
		to += from
		comma := bytes.LastIndexByte(source[from:to], ',')
		if key := source[from+comma+1 : to]; comma > 0 && lexeme.IsKey(key) && (p.tool == nil || p.tool.Args.Field(key) != nil) {
			path := bytes.LastIndexAny(source[:first], lexeme.Whitespace) + 1
			p.suspect(p.base, p.seg.Start+path, p.seg.Start+first+1)
			return true
		}
		from = to + 1
	}
	return false
}

// doubted reads a call that is well formed and odd once more. It reports whether it
// is another one then; if not, its doubtful value has an issue.
func (p *Parser) doubted(end int, closed bool) bool {
	s, d := &p.seg, p.doubt
	text, cut := p.lex.Raw(s.Start, end)
	s.End = end
	if !cut && p.salvaged(text, closed) {
		return true
	}
	if d.is && d.at > 0 {
		path := bytes.TrimSpace(p.lex.Slice(d.path, d.at-1))
		p.b.report(Issue{Code: lexer.Doubtful, Path: string(shorten(path)), At: d.at})
		p.plain = false
		p.sortIssues()
	}
	return false
}
