package sig

import (
	"maps"
	"regexp"
	"slices"
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
		if i > 0 && breaksBefore(text, i, r) {
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

// breaksBefore reports whether a word ends before r, which is at text[i:]: at a
// space, and between the characters of scripts without spaces.
func breaksBefore(text string, i int, r rune) bool {
	if r == ' ' {
		return true
	}
	if r < 0x2e80 {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(text[:i])
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) &&
		unicode.In(last, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Po)
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
	lines := strings.SplitAfter(t.Description, "\n")
	entries = make(map[string][]string)
	var kept []string
	for i := 0; i < len(lines); i++ {
		kept = append(kept, lines[i])
		if !title.MatchString(strings.TrimSpace(lines[i])) {
			continue
		}
		found, others, n := readSection(lines[i:], isField)
		if len(found) == 0 {
			continue
		}
		if len(others) == 0 {
			kept = kept[:len(kept)-1]
		}
		kept = append(kept, others...)
		maps.Copy(entries, found)
		i += n - 1
	}
	if len(entries) == 0 {
		return t.Description, nil
	}
	return strings.TrimSpace(strings.Join(kept, "")), entries
}

// readSection reads the n lines, the title first, that belong to a section: the lines of the
// entries on fields, and those of entries on something else.
func readSection(lines []string, isField func(name string) bool) (
	entries map[string][]string, others []string, n int,
) {
	entries = make(map[string][]string)
	margin, name := -1, "" // indent of the entries; field of the current entry
	for i, line := range lines[1:] {
		bare := strings.TrimSpace(line)
		if bare == "" {
			continue
		}
		at := indent(line)
		if margin < 0 || at <= margin { // otherwise it continues the entry
			m := entry.FindStringSubmatch(bare)
			if m == nil || at < margin {
				break
			}
			isOutside := at <= indent(lines[0]) && m[1] == ""
			if isOutside && !isField(m[2]) {
				break
			}
			margin, name, bare = at, m[2], strings.TrimSpace(m[3])
			if !isField(name) || entries[name] != nil {
				name = ""
			}
		}
		if name == "" {
			others = append(others, line)
		} else {
			entries[name] = append(entries[name], bare)
		}
		n = i + 2
	}
	return entries, others, n
}

// indent returns how far a line is indented.
func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// Summary returns the description of the tool without its section on parameters.
func (t *Tool) Summary() string {
	prose, _ := t.sections()
	return prose
}
