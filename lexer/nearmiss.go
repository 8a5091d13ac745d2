package lexer

import (
	"strings"

	"github.com/callwire/callwire/lexer/lexeme"
)

// Near misses: openers that are not ours, after which a call seems to follow.
//
// Rule: salvage.opener.

// strangers are the tags of other formats. After one that is a word and whole a call must
// seem to begin; a fence begins its line. Those that begin with another byte than the
// opener are seen only where text is read byte by byte anyway, which is where a
// conversation is read: to look for them alone takes five times as long in prose.
var strangers = [...]region{
	{"<tool_call>", "</tool_call>"},
	{"<tool_call name=", "</tool_call>"},
	{"<tool_call id=", "</tool_call>"},
	{"<tool_call:", "</tool_call>"},
	{"<tool_calls>", "</tool_calls>"},
	{"<toolcall>", "</toolcall>"},
	{"<TOOLCALL>", "</TOOLCALL>"},
	{"<function_call>", "</function_call>"},
	{"<function_call name=", "</function_call>"},
	{"<function_calls>", "</function_calls>"},
	{"<function=", "</function>"},
	{"<function name=", "</function>"},
	{"<invoke name=", "</invoke>"},
	{"<tool name=", "</tool>"},
	{"<tool_use>", "</tool_use>"},
	{"<tool_use name=", "</tool_use>"},
	{"<tool_code>", "</tool_code>"},
	{"<start_function_call>", "<end_function_call>"},
	{"<minimax:tool_call>", "</minimax:tool_call>"},
	{"<seed:tool_call>", "</seed:tool_call>"},
	{"<|tool_call|>", "<|/tool_call|>"},
	{"<|python_tag|>", "<|eom_id|>"},
	{"<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"},
	{"<|tool_call_begin|>", "<|tool_call_end|>"},
	{"<|tool_call_start|>", "<|tool_call_end|>"},
	{"<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"},
	{"<|tool▁calls▁begin|>", "<|tool▁calls▁end|>"},
	{"<｜DSML｜function_calls>", "</｜DSML｜function_calls>"},
	{"<｜DSML｜tool_calls>", "</｜DSML｜tool_calls>"},
	{"<｜DSML｜invoke name=", "</｜DSML｜invoke>"},
	{"<|channel|>commentary to=", "<|call|>"},
	{"<|channel|>analysis to=", "<|call|>"},
	{"<|start|>assistant to=", "<|call|>"},
	{"[TOOL_CALLS]", ""},
	{"```tool_code\n", "\n```"},
	{"```tool_call\n", "\n```"},
}

// Openers returns what untrusted text must not hold: the opener and all that a reader
// under NearMisses can take for the beginning of one, whatever the case of its letters.
// See [guard.Guard].
func (d Delims) Openers() []string {
	openers := []string{d.Open}
	if stem := stemOf(d.Open); stem != "" {
		for c := range byte(0x80) {
			if lexeme.IsSpace(c) || isJoint(c) {
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

// nearMissAt says which near miss w begins with, and how long its opener is.
func (l *Lexer) nearMissAt(w []byte) (n int, kind regionKind) {
	r := &l.regions
	l.steps++
	some := false
	if w[0] == '<' && r.fold != "" {
		n, kind, tagged := l.spelledAt(w)
		if kind == nearMiss {
			r.closer, r.tagged = r.close, tagged
			return n, kind
		}
		some = kind == someRegion
	}
	for i := range strangers {
		s := &strangers[i]
		if s.open == l.tags.Open || s.open[0] == '`' && !r.atLineStart() {
			continue
		}
		n := lexeme.MatchTag(w, s.open)
		switch {
		case n == 0:
			continue
		case n < len(s.open):
			kind = someRegion
		case s.spoken():
			kind = l.followed(w, n)
		default:
			kind = nearMiss
		}
		switch kind {
		case nearMiss:
			r.closer, r.tagged = s.close, false
			return n, nearMiss
		case someRegion:
			some = true
		}
	}
	if some {
		return 0, someRegion
	}
	return 0, noRegion
}

// spoken reports whether the tag that opens s may be mentioned in prose: it is a word, and
// whole.
func (s *region) spoken() bool {
	last := s.open[len(s.open)-1]
	return s.open[0] == '[' || s.open[0] == '<' && last == '>' && s.open[1] != '|' && s.open[1] < 0x80
}

// mostBlank is how much whitespace may stand within a near miss.
const mostBlank = 8

// followed reports whether a call seems to begin at w[n], after whitespace or none.
func (l *Lexer) followed(w []byte, n int) regionKind {
	for from := n; n < len(w) && n-from <= mostBlank; n++ {
		switch c := w[n]; {
		case lexeme.IsSpace(c):
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
	for from := n; n < len(w) && lexeme.IsSpace(w[n]) && n-from <= mostBlank; n++ {
	}
	switch {
	case n == len(w) || n+1 == len(w) && w[n] == '<':
		return someRegion
	case w[n] != '<' || lower(w[n+1]) < 'a' || lower(w[n+1]) > 'z':
		return noRegion
	}
	switch lexeme.MatchTag(w[n:], l.tags.Open) {
	case len(l.tags.Open): // whatever follows it: else a million openers would be read again for each
		return noRegion
	case len(w) - n:
		return someRegion
	}
	closer, tagged := l.regions.closer, l.regions.tagged
	_, kind := l.regionAt(w[n:])
	l.regions.closer, l.regions.tagged = closer, tagged
	switch kind {
	case noRegion:
		return nearMiss
	case someRegion:
		return someRegion
	}
	return noRegion
}

func nearMissIf(ok bool) regionKind {
	if ok {
		return nearMiss
	}
	return noRegion
}

// isJoint reports whether models put c between the word of our opener and a name.
func isJoint(c byte) bool { return c == ':' || c == '=' }

// spelledAt says whether w begins with our opener in another spelling: with other
// case, with whitespace before its end, or tagged with a name or attributes; or with our
// opener before an element or a name in quotes.
func (l *Lexer) spelledAt(w []byte) (n int, kind regionKind, tagged bool) {
	r := &l.regions
	if n = len(l.tags.Open); lexeme.MatchTag(w, l.tags.Open) == n {
		if kind = l.elementAt(w, n); kind == noRegion {
			kind = quotedAt(w, n)
		}
		return n, kind, false
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
	if isJoint(w[n]) {
		n++
	}
	for n < len(w) && lexeme.IsSpace(w[n]) && n-from <= mostBlank {
		n++
	}
	switch {
	case n == len(w):
		return 0, someRegion, false
	case n == from || n-from > mostBlank:
		return 0, noRegion, false
	case w[n] == '>' && lexeme.IsSpace(w[from]):
		return n + 1, l.followed(w, n+1), false
	}
	return from, attributed(w[n:]), true
}

// mostMarks is how many quotes or stars may stand before a name.
const mostMarks = 3

// quotedAt reports whether a name in quotes, backquotes or stars begins at w[n], after
// whitespace or none, or a call in them.
func quotedAt(w []byte, n int) regionKind {
	for from := n; n < len(w) && lexeme.IsSpace(w[n]) && n-from <= mostBlank; n++ {
	}
	if n == len(w) {
		return someRegion
	}
	q, from := w[n], n
	if q != '"' && q != '\'' && q != '`' && q != '*' {
		return noRegion
	}
	for n < len(w) && w[n] == q && n-from < mostMarks {
		n++
	}
	if n == len(w) {
		return someRegion
	}
	name := w[n:]
	if lexeme.ClassOf(name[0])&lexeme.NameStart == 0 {
		return noRegion
	}
	for n = 0; n < len(name) && lexeme.ClassOf(name[n])&lexeme.Name != 0 && name[n] != q && n <= mostWord; {
		n++
	}
	if n < len(name) && name[n] == q {
		return nearMiss
	}
	return attributed(name)
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
		case !lexeme.IsSpace(c):
			return noRegion
		}
		blank := n
		for n < len(w) && lexeme.IsSpace(w[n]) && n-blank <= mostBlank {
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
