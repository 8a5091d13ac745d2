package spec

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/grammar"
)

// A matcher tells where a text may end that an element of ABNF derives, if it begins
// at a byte: each end once, in no order.
type matcher func(r *recognizer, at int) []int

// An abnf is a grammar as RFC 5234 and RFC 7405 read it, without incremental
// alternatives, prose and binary or decimal numbers.
type abnfGrammar struct {
	rules map[string]matcher
	order []string
	uses  map[string][]string // the names in each rule
}

// A recognizer reads one text.
type recognizer struct {
	grammar *abnfGrammar
	text    []byte
	known   map[string]map[int][]int // the ends of a rule that begins at a byte
}

// derives reports whether the rule derives the text.
func (g *abnfGrammar) derives(rule string, text []byte) bool {
	r := &recognizer{g, text, map[string]map[int][]int{}}
	return slices.Contains(r.rule(rule, 0), len(text))
}

func (r *recognizer) rule(name string, at int) []int {
	if r.known[name] == nil {
		r.known[name] = map[int][]int{}
	}
	ends, ok := r.known[name][at]
	if !ok {
		ends = r.grammar.rules[name](r, at)
		r.known[name][at] = ends
	}
	return ends
}

var abnfToken = regexp.MustCompile(`^(?:[ \t\n]+|(%s)?"([ !#-~]*)"|%x([0-9A-F]{2})(?:-([0-9A-F]{2}))?|([A-Za-z][A-Za-z0-9-]*)|([0-9]*)\*([0-9]*)|[=/()\[\]])`)

// An abnfReader reads the elements of one rule.
type abnfReader struct {
	tokens [][]string
	uses   []string
}

// readABNF reads a grammar. A rule begins at the beginning of a line, and every line
// that continues it with whitespace.
func readABNF(text string) (*abnfGrammar, error) {
	g := &abnfGrammar{map[string]matcher{}, nil, map[string][]string{}}
	text = regexp.MustCompile(`(?m);.*$`).ReplaceAllString(text, "")
	for _, source := range regexp.MustCompile(`(?m)^\S.*\n(?:[ \t].*\n|\n)*`).FindAllString(text, -1) {
		r := &abnfReader{}
		for rest := source; rest != ""; {
			m := abnfToken.FindStringSubmatch(rest)
			if m == nil {
				return nil, fmt.Errorf("no ABNF: %q", rest)
			}
			if strings.TrimSpace(m[0]) != "" {
				r.tokens = append(r.tokens, m)
			}
			rest = rest[len(m[0]):]
		}
		if len(r.tokens) < 3 || r.tokens[0][5] == "" || r.tokens[1][0] != "=" {
			return nil, fmt.Errorf("no rule: %q", source)
		}
		name := r.tokens[0][5]
		if name != strings.ToLower(name) || g.rules[name] != nil {
			return nil, fmt.Errorf("%s is not lower case, or defined twice", name)
		}
		r.tokens = r.tokens[2:]
		body, err := r.alternation()
		if err == nil && len(r.tokens) > 0 {
			err = fmt.Errorf("%q remains", r.tokens)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		g.rules[name], g.uses[name] = body, r.uses
		g.order = append(g.order, name)
	}
	return g, nil
}

// next reports whether the next token is one of those, all of one byte.
func (r *abnfReader) next(one string) bool {
	return len(r.tokens) > 0 && len(r.tokens[0][0]) == 1 && strings.Contains(one, r.tokens[0][0])
}

func (r *abnfReader) alternation() (matcher, error) {
	first, err := r.concatenation()
	all := []matcher{first}
	for err == nil && r.next("/") {
		r.tokens = r.tokens[1:]
		var more matcher
		more, err = r.concatenation()
		all = append(all, more)
	}
	return func(r *recognizer, at int) (ends []int) {
		for _, m := range all {
			ends = append(ends, m(r, at)...)
		}
		return unique(ends)
	}, err
}

func (r *abnfReader) concatenation() (matcher, error) {
	var all []matcher
	for len(r.tokens) > 0 && !r.next("/)]") {
		m, err := r.repetition()
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("an empty concatenation before %q", r.tokens)
	}
	return func(r *recognizer, at int) []int {
		ends := []int{at}
		for _, m := range all {
			ends = from(r, m, ends)
		}
		return ends
	}, nil
}

func (r *abnfReader) repetition() (matcher, error) {
	least, repeats := 1, false
	if t := r.tokens[0]; strings.HasSuffix(t[0], "*") || t[6] != "" || t[7] != "" {
		if t[7] != "" {
			return nil, fmt.Errorf("%s has a highest number, which this reader does not know", t[0])
		}
		least, _ = strconv.Atoi(t[6])
		repeats, r.tokens = true, r.tokens[1:]
	}
	one, err := r.element()
	if err != nil || !repeats {
		return one, err
	}
	return func(r *recognizer, at int) []int {
		ends := []int{at}
		for range least {
			ends = from(r, one, ends)
		}
		for last := ends; len(last) > 0; {
			last = slices.DeleteFunc(from(r, one, last), func(end int) bool { return slices.Contains(ends, end) })
			ends = append(ends, last...)
		}
		return ends
	}, nil
}

func (r *abnfReader) element() (matcher, error) {
	if len(r.tokens) == 0 {
		return nil, fmt.Errorf("an element is missing")
	}
	t := r.tokens[0]
	r.tokens = r.tokens[1:]
	switch {
	case t[0] == "(" || t[0] == "[":
		inner, err := r.alternation()
		if err != nil || !r.next(map[string]string{"(": ")", "[": "]"}[t[0]]) {
			return nil, fmt.Errorf("%s is not closed: %w", t[0], err)
		}
		r.tokens = r.tokens[1:]
		if t[0] == "(" {
			return inner, nil
		}
		return func(r *recognizer, at int) []int { return unique(append(inner(r, at), at)) }, nil
	case t[5] != "":
		r.uses = append(r.uses, t[5])
		return func(r *recognizer, at int) []int { return r.rule(t[5], at) }, nil
	case t[3] != "":
		first, _ := strconv.ParseUint(t[3], 16, 8)
		last := first
		if t[4] != "" {
			last, _ = strconv.ParseUint(t[4], 16, 8)
		}
		return func(r *recognizer, at int) []int {
			if at < len(r.text) && uint64(r.text[at]) >= first && uint64(r.text[at]) <= last {
				return []int{at + 1}
			}
			return nil
		}, nil
	case t[2] != "":
		if t[1] == "" && strings.ToUpper(t[2]) != strings.ToLower(t[2]) {
			return nil, fmt.Errorf("%s has letters of either case", t[0])
		}
		return func(r *recognizer, at int) []int {
			if bytes.HasPrefix(r.text[at:], []byte(t[2])) {
				return []int{at + len(t[2])}
			}
			return nil
		}, nil
	}
	return nil, fmt.Errorf("%s is no element", t[0])
}

// from returns where m may end if it begins at any of the places.
func from(r *recognizer, m matcher, places []int) (ends []int) {
	for _, at := range places {
		ends = append(ends, m(r, at)...)
	}
	return unique(ends)
}

func unique(ends []int) []int {
	slices.Sort(ends)
	return slices.Compact(ends)
}

func ofSpec(t *testing.T) (*document, *abnfGrammar) {
	t.Helper()
	d, err := theDocument()
	if err != nil {
		t.Fatal(err)
	}
	text, err := abnf(d)
	if err != nil {
		t.Fatal(err)
	}
	g, err := readABNF(string(text))
	if err != nil {
		t.Fatal(err)
	}
	for n, line := range strings.Split(string(text), "\n") {
		if len(line) > width {
			t.Errorf("line %d has %d bytes", n+1, len(line))
		}
	}
	return d, g
}

// TestABNFIsWhole: every name is defined, and all that is defined is used.
func TestABNFIsWhole(t *testing.T) {
	_, g := ofSpec(t)
	used := map[string]bool{g.order[0]: true}
	for _, name := range g.order {
		for _, other := range g.uses[name] {
			used[other] = true
			if g.rules[other] == nil {
				t.Errorf("%s names %s, which is not defined", name, other)
			}
		}
	}
	for _, name := range g.order {
		if !used[name] {
			t.Errorf("%s is not used", name)
		}
	}
}

// disagreement tells of a call that is one by one grammar only. What is malformed
// though it has the form of a call, such as a repeated key, is a call here.
func disagreement(d *document, g *abnfGrammar, text []byte) string {
	for _, s := range d.grammar.Read(text, grammar.Options{Limits: grammar.Limits{Bytes: 1 << 30, Depth: 1 << 20, Arguments: 1 << 20, Name: 1 << 20}}) {
		call := s.Kind == grammar.CallSegment
		if s.Kind == grammar.TextSegment || s.Kind == grammar.MalformedSegment && slices.Contains([]grammar.Code{
			grammar.DuplicateKey, grammar.PathConflict, grammar.InvalidUTF8,
		}, s.Code) {
			continue
		}
		if span := text[s.Start:s.End]; g.derives("call", span) != call {
			return fmt.Sprintf("%q derives from call: %v; it is %s, %s", span, !call, s.Kind, s.Code)
		}
	}
	return ""
}

// readable returns the parse cases in this format, but for large ones.
func (d *document) readable() []corpus.Case {
	return slices.DeleteFunc(slices.Clone(d.cases), func(c corpus.Case) bool {
		return c.Op != corpus.Parse || c.Protocol != "" || c.Delims != nil || c.Repeat != nil || len(c.Text) > 1000
	})
}

// TestABNFReadsTheCorpus: what the grammar reads as a call derives from the ABNF,
// and what it finds malformed does not.
func TestABNFReadsTheCorpus(t *testing.T) {
	d, g := ofSpec(t)
	for _, c := range d.readable() {
		if wrong := disagreement(d, g, c.Text); wrong != "" {
			t.Errorf("%s: %s", c.ID, wrong)
		}
		if len(c.Text) < 60 && !g.derives("text", c.Text) {
			t.Errorf("%s is no text", c.ID)
		}
	}
}

// TestABNFReadsAnything: so it is for texts of the cases with a piece put in, in the
// place of up to two bytes.
func TestABNFReadsAnything(t *testing.T) {
	d, g := ofSpec(t)
	cases := slices.DeleteFunc(d.readable(), func(c corpus.Case) bool { return len(c.Text) > 100 })
	pieces := []string{
		"", " ", "\n", "a", "b=", "=", ".", ":", ",", "[", "]", "{", "}", `"`, "'", `"x"`, `\`, "<", "/", ">",
		"<call>", "</call>", "<call", "<cal ", "k: ", "é", "\x7f", "\x00", "[]", "{}", "$",
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom(cases).Draw(t, "case").Text
		at := rapid.IntRange(0, len(text)).Draw(t, "at")
		piece := rapid.SampledFrom(pieces).Draw(t, "piece")
		end := min(len(text), at+rapid.IntRange(0, 2).Draw(t, "bytes"))
		if wrong := disagreement(d, g, slices.Concat(text[:at], []byte(piece), text[end:])); wrong != "" {
			t.Fatal(wrong)
		}
	})
}
