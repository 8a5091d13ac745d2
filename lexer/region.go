package lexer

import (
	"bytes"
	"strings"

	"github.com/callwire/callwire/lexer/lexeme"
)

// Regions of text, where the configuration asks for them: reasoning, in which
// nothing is read; Markdown code, in which a call is malformed; and near misses,
// openers that are not ours, which begin malformed spans. All of them begin in text
// alone, never in a call.
//
// Rule: region.reasoning, region.code, salvage.opener.

// thoughts are the tags around reasoning.
var thoughts = [...]region{
	{"<think>", "</think>"},
	{"<thinking>", "</thinking>"},
	{"<thought>", "</thought>"},
	{"<reasoning>", "</reasoning>"},
	{"<seed:think>", "</seed:think>"},
	{"[THINK]", "[/THINK]"},
	{"◁think▷", "◁/think▷"},
}

// ThoughtAt returns the length of the tag of reasoning that w begins with, 0 if it
// begins with none, and the tag that closes it; more says that w may be the beginning
// of one.
func ThoughtAt(w []byte) (n int, closer string, more bool) {
	for i := range thoughts {
		switch n := lexeme.MatchTag(w, thoughts[i].open); n {
		case 0:
		case len(thoughts[i].open):
			return n, thoughts[i].close, false
		default:
			more = true
		}
	}
	return 0, "", more
}

// ThoughtEnd returns the length of the tag that w begins with, if that closes reasoning
// of any kind, else 0; more says that w may be the beginning of one.
func ThoughtEnd(w []byte) (n int, more bool) {
	for i := range thoughts {
		switch n := lexeme.MatchTag(w, thoughts[i].close); n {
		case 0:
		case len(thoughts[i].close):
			return n, false
		default:
			more = true
		}
	}
	return 0, more
}

// BeginsThought reports whether a tag of reasoning begins with c.
func BeginsThought(c byte) bool { return c == '<' || c == '[' || c == "◁"[0] }

// strangers are the tags of other formats. After one that ends with > a call must
// seem to begin.
var strangers = [...]region{
	{"<tool_call>", "</tool_call>"},
	{"<tool_calls>", "</tool_calls>"},
	{"<toolcall>", "</toolcall>"},
	{"<function_call>", "</function_call>"},
	{"<function_calls>", "</function_calls>"},
	{"<function=", "</function>"},
	{"<function name=", "</function>"},
	{"<invoke name=", "</invoke>"},
	{"<tool name=", "</tool>"},
	{"<tool_use>", "</tool_use>"},
	{"<tool_code>", "</tool_code>"},
	{"<minimax:tool_call>", "</minimax:tool_call>"},
	{"<|tool_call|>", "<|/tool_call|>"},
	{"<|python_tag|>", "<|eom_id|>"},
	{"<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"},
	{"<|tool_call_begin|>", "<|tool_call_end|>"},
	{"<|tool_call_start|>", "<|tool_call_end|>"},
	{"<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"},
	{"<｜DSML｜function_calls>", "</｜DSML｜function_calls>"},
}

// Openers returns what untrusted text must not hold: the opener and all that a reader
// under NearMisses can take for the beginning of one, whatever the case of its letters.
// See [lexeme.Guard].
func (d Delims) Openers() []string {
	openers := []string{d.Open}
	if stem := stemOf(d.Open); stem != "" {
		for c := range byte(0x80) {
			if isBlank(c) {
				openers = append(openers, stem+string(rune(c)))
			}
		}
	}
	for _, s := range strangers {
		openers = append(openers, s.open)
	}
	return openers
}

// stemOf returns an opener without the > at its end, "" where no spelling is near it.
func stemOf(open string) string {
	if stem, ok := strings.CutSuffix(open, ">"); ok && open[0] == '<' {
		return stem
	}
	return ""
}

// region is a pair of tags.
type region struct{ open, close string }

// regions is what is known of the regions of a text.
type regions struct {
	wanted

	closer string // of the reasoning or near miss being read
	tagged bool   // a near miss is read whose tag has attributes, and may close itself
	last   byte   // the byte before the window, where it ends between calls; 0 at the beginning
	plain  int    // the offset up to which no opener was found, so that nobody looks twice

	// Markdown.
	begun  bool // something else than whitespace was read
	indent int  // bytes of whitespace since the line began; -1 after anything else
	mark   byte // the run of ` or ~ being read
	run    int  // its length
	atLine bool // it began its line
	outer  byte // the byte of the fence with which the message begins, which is left out
	fence  int  // length of the run that opened a fence
	fencer byte // and its byte
	span   int  // length of the run that opened a code span
}

// wanted says which regions are read.
type wanted struct {
	reasoning, code, nearMisses bool
	on                          bool // one of them
	bytewise                    bool // not only near misses that begin as the opener does

	fold  string // the opener without its last byte, in small letters; "" where no spelling is near
	close string // the close tag in small letters
}

// wantedBy returns which regions are read under c.
func wantedBy(c Config, tags *lexeme.Tags) wanted {
	r := wanted{reasoning: c.Reasoning, code: c.Code, nearMisses: c.NearMisses}
	r.on = r.reasoning || r.code || r.nearMisses
	r.bytewise = r.reasoning || r.code || r.on && tags.Open[0] != '<'
	if stem := stemOf(tags.Open); r.nearMisses && stem != "" {
		r.fold, r.close = strings.ToLower(stem), strings.ToLower(tags.Close)
	}
	return r
}

// nearOf returns what knows where text needs a look for near misses of open, which begins
// with < as they do.
func nearOf(open string) *lexeme.Near {
	near := []string{open}
	if stem := stemOf(open); stem != "" {
		near[0] = stem
	}
	for i := range strangers {
		near = append(near, strangers[i].open)
	}
	return lexeme.NewNear(near...)
}

// regional reports whether w, which comes next, must be read byte by byte: its text may
// hold a region, or stands in one, or before the next byte one may end.
func (l *Lexer) regional(w []byte) bool {
	r := &l.regions
	if r.code && (len(w) > 0 || r.inCode()) {
		return true
	}
	offset := l.base + l.pos
	n := min(len(w), max(0, r.plain-offset))
	more, _ := l.tags.ConsumeSimpleText(w[n:])
	n += more
	l.steps += more
	r.plain = offset + n
	text := w[:n]
	return bytes.IndexByte(text, '<') >= 0 || r.reasoning && (bytes.IndexByte(text, '[') >= 0 || bytes.IndexByte(text, "◁"[0]) >= 0)
}

// Pass is Discard for n bytes of prose that are not fed, of which text is the end. It
// reports false where something of l may begin in that, and then it passes nothing.
func (l *Lexer) Pass(n int, text []byte) bool {
	for i := 0; l.regions.bytewise && i < len(text); i++ {
		if l.begins(text[i]) {
			return false
		}
	}
	l.Discard(n, Prose)
	if r := &l.regions; r.code {
		for _, c := range text {
			r.pass(c)
		}
	} else if len(text) > 0 {
		r.last = text[len(text)-1]
	}
	return true
}

// inCode reports whether what comes next stands in Markdown code.
func (r *regions) inCode() bool {
	if r.run > 0 {
		c := *r
		c.endRun()
		return c.fence > 0 || c.span > 0
	}
	return r.fence > 0 || r.span > 0
}

// pass notes a byte of text.
func (r *regions) pass(c byte) {
	r.last = c
	if !r.code {
		return
	}
	if r.run > 0 && c == r.mark {
		r.run++
		return
	}
	r.endRun()
	switch c {
	case '\n':
		r.indent, r.span = 0, 0
	case ' ', '\t', '\r':
		if r.indent >= 0 {
			r.indent++
		}
	case '`', '~':
		r.mark, r.run, r.atLine = c, 1, r.indent >= 0 && r.indent <= 3
		r.indent = -1
	default:
		r.begun = true
		r.indent = -1
	}
}

// endRun ends a run of ` or ~: it opens or closes a fence or a code span. A fence
// with which a message begins is left out: it stands around what is said.
func (r *regions) endRun() {
	n := r.run
	if r.run = 0; n == 0 {
		return
	}
	first := !r.begun
	r.begun = true
	switch {
	case r.fence > 0:
		if r.atLine && r.mark == r.fencer && n >= r.fence {
			r.fence = 0
		}
	case r.atLine && n >= 3 && first:
		r.outer = r.mark
	case r.atLine && n >= 3 && r.mark == r.outer:
		r.outer = 0
	case r.atLine && n >= 3:
		r.fence, r.fencer = n, r.mark
	case r.mark == '~':
	case r.span == n:
		r.span = 0
	case r.span == 0:
		r.span = n
	}
}

// begins says of each byte whether a region, or a tag, may begin with it.
func (l *Lexer) begins(c byte) bool {
	return c == l.tags.Open[0] || c == '<' || l.regions.reasoning && BeginsThought(c)
}

// readProse is readText where each byte of it counts.
func (l *Lexer) readProse() bool {
	r := &l.regions
	w := l.win
	if l.scan > 0 {
		r.last = w[l.scan-1]
	}
	for i := l.scan; i < len(w); i++ {
		c := w[i]
		l.steps++
		if !l.begins(c) {
			r.pass(c)
			continue
		}
		if c == l.tags.Open[0] {
			if opens, more := l.opens(i); opens {
				return more
			}
		}
		if !r.inCode() {
			if begins, more := l.region(i); begins {
				return more
			}
		}
		r.pass(c)
	}
	l.piece(Text, len(w))
	return false
}

// region reads text up to the region that begins at win[i] and its opener, and reports
// whether there is one, or may be; more is the answer of the state.
func (l *Lexer) region(i int) (begins, more bool) {
	r := &l.regions
	n, kind := l.regionAt(l.win[i:])
	if kind == nearMiss && n >= l.limits.Bytes {
		kind, r.closer = noRegion, ""
	}
	if kind == noRegion {
		return false, false
	}
	l.piece(Text, i)
	switch kind {
	case someRegion:
		return true, false
	case thought:
		l.state = inThought
		l.emit(ThoughtOpen, 0, i, i+n)
		r.last = '>'
	case nearMiss:
		var f Flags
		if r.last == 0 || r.last == '\n' {
			f = First
		}
		l.enter(i)
		l.emit(Open, f, i, i)
		l.failAt(WrongOpener, i, i+n)
	}
	return true, true
}

// regionKind is what begins at a place of the text.
type regionKind uint8

const (
	noRegion   regionKind = iota
	someRegion            // more input decides
	thought
	nearMiss
)

// regionAt says which region w begins with, and how long its opener is.
func (l *Lexer) regionAt(w []byte) (n int, kind regionKind) {
	r := &l.regions
	some := false
	if r.reasoning && r.last != '`' { // after which a tag is spoken of
		n, closer, more := ThoughtAt(w)
		if n > 0 {
			r.closer = closer
			return n, thought
		}
		some = more
	}
	if r.nearMisses {
		if w[0] == '<' && r.fold != "" {
			n, kind, tagged := l.spelledAt(w)
			if kind == nearMiss {
				r.closer, r.tagged = r.close, tagged
				return n, kind
			}
			some = some || kind == someRegion
		}
		for i := range strangers {
			s := &strangers[i]
			if s.open == l.tags.Open {
				continue
			}
			n := lexeme.MatchTag(w, s.open)
			if n == len(s.open) && s.open[n-1] == '>' && s.open[1] != '|' && s.open[1] < 0x80 {
				kind = l.followed(w, n)
			} else if n == len(s.open) {
				kind = nearMiss
			} else if n > 0 {
				kind = someRegion
			} else {
				continue
			}
			switch kind {
			case nearMiss:
				r.closer, r.tagged = s.close, false
				return n, nearMiss
			case someRegion:
				some = true
			}
		}
	}
	if some {
		return 0, someRegion
	}
	return 0, noRegion
}

// mostBlank is how much whitespace may stand within a near miss.
const mostBlank = 8

// followed reports whether a call seems to begin at w[n], after whitespace or none.
func (l *Lexer) followed(w []byte, n int) regionKind {
	for from := n; n < len(w) && n-from <= mostBlank; n++ {
		switch c := w[n]; {
		case isBlank(c):
			continue
		case c == '<':
			switch m := lexeme.MatchTag(w[n:], l.tags.Open); m {
			case len(l.tags.Open): // around calls of ours it is text
				return noRegion
			case 0:
				if n+1 == len(w) {
					return someRegion
				}
				return nearMissIf(w[n+1] != '/')
			default:
				return someRegion
			}
		default:
			return nearMissIf(c == '{' || c == '[' || lexeme.ClassOf(c)&lexeme.NameStart != 0)
		}
	}
	if n == len(w) {
		return someRegion
	}
	return noRegion
}

// elementAt reports whether an element begins at w[n], after whitespace or none, that is
// no region of its own and no call.
func (l *Lexer) elementAt(w []byte, n int) regionKind {
	for from := n; n < len(w) && isBlank(w[n]) && n-from <= mostBlank; n++ {
	}
	switch {
	case n == len(w) || n+1 == len(w) && w[n] == '<':
		return someRegion
	case w[n] != '<' || lower(w[n+1]) < 'a' || lower(w[n+1]) > 'z':
		return noRegion
	}
	closer, tagged := l.regions.closer, l.regions.tagged
	_, kind := l.regionAt(w[n:])
	l.regions.closer, l.regions.tagged = closer, tagged
	switch {
	case kind == someRegion || lexeme.MatchTag(w[n:], l.tags.Open) == len(w)-n:
		return someRegion
	case kind != noRegion || lexeme.MatchTag(w[n:], l.tags.Open) == len(l.tags.Open):
		return noRegion
	}
	return nearMiss
}

func nearMissIf(ok bool) regionKind {
	if ok {
		return nearMiss
	}
	return noRegion
}

func isBlank(c byte) bool { return lexeme.ClassOf(c)&lexeme.Space != 0 }

// spelledAt says whether w begins with our opener in another spelling: with other
// case, with whitespace before its end, or tagged with attributes.
func (l *Lexer) spelledAt(w []byte) (n int, kind regionKind, tagged bool) {
	r := &l.regions
	if n = len(l.tags.Open); lexeme.MatchTag(w, l.tags.Open) == n {
		return n, l.elementAt(w, n), false
	}
	for n = 0; n < len(r.fold) && n < len(w) && lower(w[n]) == r.fold[n]; {
		n++
	}
	switch {
	case n == len(w):
		return 0, someRegion, false
	case n < len(r.fold):
		return 0, noRegion, false
	}
	if w[n] == '>' {
		return n + 1, l.followed(w, n+1), false
	}
	from := n
	for n < len(w) && isBlank(w[n]) && n-from <= mostBlank {
		n++
	}
	switch {
	case n == len(w):
		return 0, someRegion, false
	case n == from || n-from > mostBlank:
		return 0, noRegion, false
	case w[n] == '>':
		return n + 1, l.followed(w, n+1), false
	}
	return from, attributed(w[n:]), true
}

// mostWord is how long a name or key may be in a near miss.
const mostWord = 64

// attributed reports whether w begins as the attributes of a tag do: name=…, or a
// name and then the end of the tag, an attribute or a brace.
func attributed(w []byte) regionKind {
	if lexeme.ClassOf(w[0])&lexeme.NameStart == 0 {
		return noRegion
	}
	for words := 0; words < 2; words++ {
		n := 0
		for n < len(w) && n <= mostWord && lexeme.ClassOf(w[n])&(lexeme.Name|lexeme.Key) != 0 && w[n] != '/' {
			n++
		}
		if n == len(w) {
			return someRegion
		}
		switch c := w[n]; {
		case n == 0 || n > mostWord:
			return noRegion
		case c == '=':
			return nearMiss
		case words == 0 && (c == '/' || c == '>'):
			return nearMiss
		case !isBlank(c):
			return noRegion
		}
		blank := n
		for n < len(w) && isBlank(w[n]) && n-blank <= mostBlank {
			n++
		}
		if n == len(w) {
			return someRegion
		}
		if c := w[n]; c == '=' || words == 0 && (c == '/' || c == '>' || c == '{') {
			return nearMiss
		}
		w = w[n:]
	}
	return noRegion
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c | 0x20
	}
	return c
}

// readThought reads reasoning up to its close tag.
func (l *Lexer) readThought() bool {
	w, closer := l.win, l.regions.closer
	for i := l.scan; ; i++ {
		from := i
		for i < len(w) && w[i] != closer[0] {
			i++
		}
		l.steps += i - from + 1
		n := lexeme.MatchTag(w[i:], closer)
		if i == len(w) || n > 0 && n < len(closer) {
			cut := i - lexeme.PartialRune(w[l.pos:i])
			if i < len(w) {
				cut = i
			}
			l.piece(Thought, cut)
			return false
		}
		if n == len(closer) {
			l.piece(Thought, i)
			l.state = inText
			l.regions.closer = ""
			l.emit(ThoughtClose, 0, i, i+n)
			return true
		}
	}
}

// ends reports whether the near miss that is skipped ends at win[i], and after how
// many bytes, and whether more input decides.
func (l *Lexer) ends(i int) (n int, some bool) {
	r := &l.regions
	w := l.win[i:]
	if r.tagged && w[0] == '>' {
		r.tagged = false
		before := l.prev
		if i > 0 {
			before = l.win[i-1]
		}
		if before == '/' {
			return 1, false
		}
		return 0, false
	}
	for n < len(r.closer) && n < len(w) && lower(w[n]) == lower(r.closer[n]) {
		n++
	}
	switch n {
	case len(r.closer):
		return n, false
	case len(w):
		return 0, true
	}
	return 0, false
}
