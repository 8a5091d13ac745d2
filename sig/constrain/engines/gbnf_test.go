package engines

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// gbnf is a grammar as its text has it: an opinion of our own on what a text derives.
type gbnf map[string]*expr

// expr is a literal or class (set), a reference (rule), or alternatives of sequences, repeated.
type expr struct {
	set      *regexp.Regexp
	rule     string
	alts     [][]*expr
	min, max int // max < 0: no bound
}

var gbnfToken = regexp.MustCompile(`^ *(?:("(?:[^"\\]|\\.)*")|(\[[^\]]*\])|([A-Za-z][A-Za-z0-9-]*)|([()|?*+])|\{([0-9]+)(,([0-9]*))?\})`)

// readGBNF reads the rules, one in each line.
func readGBNF(t *testing.T, text string) gbnf {
	t.Helper()
	g := make(gbnf)
	for line := range strings.Lines(text) {
		name, body, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ::= ")
		alts, rest := readAlts(body)
		if g[name] = (&expr{alts: alts, min: 1, max: 1}); rest != "" {
			t.Fatalf("cannot read %q in %s", rest, line)
		}
	}
	return g
}

// readAlts reads alternatives up to a parenthesis, the end, or what it cannot read.
func readAlts(text string) (alts [][]*expr, rest string) {
	alts = [][]*expr{nil}
	for {
		found := gbnfToken.FindStringSubmatch(text)
		if found == nil || found[4] == ")" {
			return alts, text
		}
		text = text[len(found[0]):]
		last := &alts[len(alts)-1]
		one := &expr{min: 1, max: 1}
		switch {
		case found[1] != "":
			literal, _ := strconv.Unquote(found[1])
			one.set = regexp.MustCompile("^" + regexp.QuoteMeta(literal))
		case found[2] != "":
			class := regexp.MustCompile(`\\u([0-9a-f]{4})`).ReplaceAllString(found[2], `\x{$1}`)
			one.set = regexp.MustCompile("^" + class)
		case found[3] != "":
			one.rule = found[3]
		case found[4] == "|":
			alts = append(alts, nil)
			continue
		case found[4] == "(":
			one.alts, text = readAlts(text)
			text = strings.TrimPrefix(text, ")")
		default:
			(*last)[len(*last)-1].repeat(found)
			continue
		}
		*last = append(*last, one)
	}
}

func (e *expr) repeat(token []string) {
	e.min, _ = strconv.Atoi(token[5])
	switch {
	case token[4] == "?":
		e.max = 1
	case token[6] == "" && token[5] != "":
		e.max = e.min
	case token[7] != "":
		e.max, _ = strconv.Atoi(token[7])
	default:
		e.max = -1
	}
	if token[4] == "+" {
		e.min = 1
	}
}

// match reports whether the grammar derives the text.
func (g gbnf) match(text string) bool {
	m := matching{g, text, make(map[string][][]int)}
	return utf8.ValidString(text) && slices.Contains(m.from(&expr{rule: "root", min: 1, max: 1}, 0), len(text))
}

// matching remembers, by rule and offset, where the text of a rule may end.
type matching struct {
	grammar gbnf
	text    string
	known   map[string][][]int
}

// from returns where the text of e that begins at an offset may end.
func (m *matching) from(e *expr, at int) (ends []int) {
	starts := []int{at}
	for n := 0; len(starts) > 0; n++ {
		if n >= e.min {
			starts = slices.DeleteFunc(starts, func(i int) bool { return slices.Contains(ends, i) })
			ends = append(ends, starts...)
		}
		if n == e.max {
			break
		}
		var next []int
		for _, start := range starts {
			next = append(next, m.once(e, start)...)
		}
		slices.Sort(next)
		starts = slices.Compact(next)
	}
	return ends
}

func (m *matching) once(e *expr, at int) (ends []int) {
	switch {
	case e.set != nil:
		if found := e.set.FindStringIndex(m.text[at:]); found != nil {
			ends = []int{at + found[1]}
		}
		return ends
	case e.rule != "":
		known := m.known[e.rule]
		if known == nil {
			known = make([][]int, len(m.text)+1)
			m.known[e.rule] = known
		}
		if known[at] == nil {
			known[at] = append([]int{}, m.once(m.grammar[e.rule], at)...)
		}
		return known[at]
	}
	for _, list := range e.alts {
		starts := []int{at}
		for _, part := range list {
			var next []int
			for _, start := range starts {
				next = append(next, m.from(part, start)...)
			}
			slices.Sort(next)
			starts = slices.Compact(next)
		}
		ends = append(ends, starts...)
	}
	slices.Sort(ends)
	return slices.Compact(ends)
}
