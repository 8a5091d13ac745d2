package sig

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/unseen"
)

// Descriptions are untrusted text. In a signature they become prose: one line of
// visible characters, of bounded length.

// oneLine returns text in one line: every run of whitespace and control characters
// becomes one space, with none at the ends; invisible characters and those that
// change the direction of text are removed; bytes that are not UTF-8 become
// U+FFFD.
func oneLine(text string) string {
	visible := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			return ' '
		case unseen.Is(r):
			return -1
		}
		return r
	}, text)
	return strings.Join(strings.Fields(visible), " ")
}

// ellipsis marks the end of shortened prose.
const ellipsis = "…"

// cut shortens text, one line, to at most n characters. It cuts at the end of a
// sentence if there is one in the second half of what fits, otherwise after a word,
// and adds "…". It never cuts inside a word.
func cut(text string, n int) string {
	if len(text) <= n || utf8.RuneCountInString(text) <= n {
		return text
	}
	runes, word, sentence := 0, 0, 0
	for i, r := range text {
		if r == ' ' || r >= 0x2e80 { // scripts without spaces
			if runes < n {
				word = i
			}
			if runes >= n/2 && runes <= n && endsSentence(text[:i]) {
				sentence = i
			}
		}
		if runes++; runes > n {
			break
		}
	}
	switch {
	case sentence > 0:
		return text[:sentence]
	case n <= 0:
		return ""
	}
	return strings.TrimRight(text[:word], " ,;:-–—(") + ellipsis
}

// endsSentence reports whether text ends a sentence.
func endsSentence(text string) bool {
	r, n := utf8.DecodeLastRuneInString(text)
	switch r {
	case '。', '！', '？', '!', '?':
		return true
	case '.':
		word := text[strings.LastIndexByte(text, ' ')+1 : len(text)-n]
		return !strings.Contains(word, ".") && word != "etc" && word != "vs"
	}
	return false
}

// A tool generated from a function often explains its parameters in its own
// description, in a section of the docstring:
//
//	Get the weather.
//
//	Args:
//	    location: a city, or lat,lon
//	    days (int): how many,
//	        16 at most
//
// An entry that names a property is read as a description of that property, and
// removed from the tool's own. Everything else stays.

// title matches the title of a section on parameters, marked by a colon or as a heading.
var title = regexp.MustCompile(`(?i)^(?:[#*_: ]+(?:args|arguments|params|parameters)[#*_: ]*|` +
	`(?:args|arguments|params|parameters)[#*_: ]+)$`)

// entry matches a line such as "- name (type): text".
var entry = regexp.MustCompile("^([-*•] *)?[`*]*([^ \t:(`*]+)[`* \t]*(?:\\([^)]*\\)[`* \t]*)?" +
	"(?::|[-–—] )[`* \t]*(.*)$")

// sections splits the tool's description into its prose and the lines of the entries on
// parameters. It takes time linear in the text.
func (t *Tool) sections() (prose string, entries map[string][]string) {
	isField := func(name string) bool {
		has := func(t *Type) bool { return t.Field([]byte(name)) != nil }
		return slices.ContainsFunc(rootsOf(t.Args), has)
	}
	entries = make(map[string][]string)
	var kept []string
	inside, titleAt, outer := false, 0, 0 // a section; where its title is kept; its indent
	margin, name, before := -1, "", 0     // indent of entries; field of the current one; see end
	end := func() {
		if inside && len(entries) > before && len(kept) == titleAt+1 {
			kept = kept[:titleAt] // all that was below the title is in entries
		}
		inside, name = false, ""
	}
	for line := range strings.Lines(t.Description) {
		bare, at := strings.TrimSpace(line), indent(line)
		if inside && bare == "" {
			continue
		}
		if inside && (margin < 0 || at <= margin) { // otherwise it continues the entry
			m := entry.FindStringSubmatch(bare)
			isOutside := m != nil && m[1] == "" && at <= outer
			if m == nil || at < margin || isOutside && !isField(m[2]) {
				end()
			} else {
				margin, name, bare = at, m[2], strings.TrimSpace(m[3])
				if !isField(name) || entries[name] != nil {
					name = ""
				}
			}
		}
		if name != "" {
			entries[name] = append(entries[name], bare)
			continue
		}
		kept = append(kept, line)
		if !inside && title.MatchString(bare) {
			inside, titleAt, outer, margin, before = true, len(kept)-1, at, -1, len(entries)
		}
	}
	end()
	if len(entries) == 0 {
		return t.Description, nil
	}
	return strings.TrimSpace(strings.Join(kept, "")), entries
}

// indent returns how far a line is indented.
func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// Summary returns the description of the tool without its section on parameters.
func (t *Tool) Summary() string {
	prose, _ := t.sections()
	return prose
}

// In signatures, literals and names are written as words, if they can be read as
// nothing else, or as JSON.

// The words of the notation. A bare literal is never one of them.
const (
	anyWord    = "any"
	neverWord  = "never"
	stringWord = "string"
	nullWord   = "null"
	objectWord = "object"
)

// typeWords are the words that mean types.
var typeWords = map[string]bool{
	anyWord: true, neverWord: true, stringWord: true, objectWord: true,
	"number": true, "int": true, "bool": true, nullWord: true,
}

// literal returns a member of an enum in the notation.
func (w *writer) literal(m *Member) piece {
	switch {
	case m.Kind&(Array|Object) != 0:
		return piece{text: w.ticked(m.JSON)}
	case m.Kind != String:
		return piece{text: string(m.JSON)}
	case w.isBare(m.Text) && !typeWords[m.Text]:
		return piece{text: m.Text, word: true}
	}
	return piece{text: w.quoted(m.Text)}
}

// value returns a default value, which is JSON, in the notation.
func (w *writer) value(text []byte) string {
	v, err := decode(text, maxDepth)
	if err != nil {
		return w.ticked(text)
	}
	m := memberOf(v)
	switch {
	case m.Kind != String:
		return w.literal(&m).text
	case !w.o.Classic && w.isBare(m.Text):
		return m.Text
	}
	return w.quoted(m.Text)
}

// isBare reports whether a string can be written without quotes: it is a word that would
// not be read as null, a boolean or a number.
func (w *writer) isBare(text string) bool {
	switch text {
	case "null", "true", "false":
		return false
	}
	return isWord(text) && !strings.ContainsRune("-+0123456789", rune(text[0])) && !w.guard.In(text)
}

// isLetter reports whether c is an ASCII letter, a digit or _.
func isLetter(c byte) bool {
	lower := c | 0x20
	isDigit := '0' <= c && c <= '9'
	return isDigit || c == '_' || 'a' <= lower && lower <= 'z'
}

// isWord reports whether text can be written in a signature without quotes.
func isWord(text string) bool {
	if text == "" || text == "-" {
		return false
	}
	for i, r := range text {
		switch {
		case r < utf8.RuneSelf && isLetter(byte(r)), r == '-' && i > 0:
		case r < utf8.RuneSelf && !strings.ContainsRune("$#%+./;^!&", r):
			return false
		case r == '—', r == utf8.RuneError, !strconv.IsPrint(r), unseen.Is(r):
			return false
		}
	}
	return true
}

// showsName reports whether a call can have the name of the tool, and nothing in it has to be
// escaped.
func (t *Tool) showsName() bool {
	isOther := func(part string) bool { return !isWord(strings.ReplaceAll(part, "@", "_")) }
	return t.Callable() && !slices.ContainsFunc(strings.Split(t.Name, ":"), isOther)
}

// quoted returns text as a JSON string without tags, line ends or invisible
// characters.
func (w *writer) quoted(text string) string { return `"` + w.escaped(text, `"\`) + `"` }

// ticked returns a JSON array or object in backquotes, which set it off from
// types. A backquote in it can only be in a string, so it can be escaped.
func (w *writer) ticked(json []byte) string { return "`" + w.escaped(string(json), "`") + "`" }

// escaped returns text with these ASCII characters, invisible ones and the first bytes of
// tags escaped as in JSON.
func (w *writer) escaped(text, special string) string {
	var dst []byte
	tags := w.guard.In(text)
	for i, r := range text {
		isSpecial := strings.ContainsRune(special, r)
		isHidden := unseen.Is(r) || r >= utf8.RuneSelf && !strconv.IsPrint(r)
		switch {
		case isSpecial && r != '`':
			dst = append(dst, '\\', byte(r))
		case isSpecial, isHidden, tags && w.guard.Begins(text[i:]):
			dst = unseen.AppendEscape(dst, r)
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return string(dst)
}
