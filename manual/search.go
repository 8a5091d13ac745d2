package manual

import (
	"cmp"
	"errors"
	"math"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/callwire/callwire/sig"
)

// A model that does not know the name of a tool searches by words, or by a regular expression
// between slashes. Words are ranked by BM25 over the names of tools, their descriptions, and the
// names and descriptions of their parameters. Nothing is kept between searches: each takes time
// linear in the text of the catalog.

// The bounds of one search.
const (
	maxFound = 5   // tools
	maxQuery = 256 // bytes of a query that are read

	maxProgram     = 200  // instructions of a regular expression
	maxDescription = 1024 // bytes of a description that it is matched with
)

// search returns the tools that a query finds, the best first, and how many there are in all.
func search(tools []*sig.Tool, query string) (found []*sig.Tool, all int, err error) {
	query = strings.TrimSpace(strings.ToValidUTF8(query[:min(len(query), maxQuery)], ""))
	if n := len(query); n > 2 && query[0] == '/' && query[n-1] == '/' {
		re, err := compileQuery(query[1 : n-1])
		if err != nil {
			return nil, 0, err
		}
		for _, t := range tools {
			if re.MatchString(t.Name) || re.MatchString(begin(t.Description, maxDescription)) {
				found = append(found, t)
			}
		}
	} else {
		found = rank(tools, terms(query))
	}
	return found[:min(len(found), maxFound)], len(found), nil
}

// compileQuery compiles a regular expression. One that takes many steps for each byte is an error.
func compileQuery(pattern string) (*regexp.Regexp, error) {
	parsed, err := syntax.Parse(pattern, syntax.Perl|syntax.FoldCase)
	if err != nil {
		return nil, err
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return nil, err
	}
	if len(program.Inst) > maxProgram {
		return nil, errComplex
	}
	return regexp.Compile("(?i)" + pattern)
}

var errComplex = errors.New("manual: the regular expression is too complex")

// The parameters of BM25, and the weight of a word in a name.
const (
	bm25K      = 1.2
	bm25B      = 0.75
	nameWeight = 4
)

// rank returns the tools that contain one of the terms, the best first; equal ones in catalog
// order.
func rank(tools []*sig.Tool, query []string) (found []*sig.Tool) {
	slices.Sort(query)
	query = slices.Compact(query)
	counts := make([]map[string]float64, len(tools)) // of the terms of the query in each tool
	lengths := make([]float64, len(tools))           // terms of each tool
	holders := make(map[string]float64)              // how many tools contain a term
	total := 0.0
	for i, t := range tools {
		counts[i] = make(map[string]float64)
		add := func(text string, weight float64) {
			for _, term := range terms(text) {
				lengths[i] += weight
				if _, isWanted := slices.BinarySearch(query, term); isWanted {
					counts[i][term] += weight
				}
			}
		}
		add(t.Name, nameWeight)
		add(t.Description, 1)
		for j := 0; t.Args != nil && j < len(t.Args.Fields); j++ {
			f := &t.Args.Fields[j]
			add(f.Name, 1)
			if f.Type != nil {
				add(f.Type.Description, 1)
			}
		}
		total += lengths[i]
		for term := range counts[i] {
			holders[term]++
		}
	}
	all := float64(len(tools))
	scores := make(map[*sig.Tool]float64)
	for i, t := range tools {
		length := lengths[i] * all / total
		for _, term := range query {
			rare := math.Log(1 + (all-holders[term]+0.5)/(holders[term]+0.5))
			n := counts[i][term]
			scores[t] += rare * n * (bm25K + 1) / (n + bm25K*(1-bm25B+bm25B*length))
		}
		if len(counts[i]) > 0 {
			found = append(found, t)
		}
	}
	byScore := func(a, b *sig.Tool) int { return cmp.Compare(scores[b], scores[a]) }
	slices.SortStableFunc(found, byScore)
	return found
}

// terms returns the words of a text as they are compared: in lower case, names split into their
// parts, and without the s of a plural.
func terms(text string) []string {
	list := splitWords(text)
	for i, word := range list {
		if len(word) > 3 && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") {
			list[i] = word[:len(word)-1]
		}
	}
	return list
}

// splitWords splits a name at underscores, hyphens and capitals into words of letters and digits in
// lower case: getHTTPStatus is get, http, status.
func splitWords(name string) (words []string) {
	var word []rune
	end := func() {
		if len(word) > 0 {
			words = append(words, string(word))
		}
		word = nil
	}
	for i, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end()
			continue
		case unicode.IsUpper(r) && beginsWord(name, i, r):
			end()
		}
		word = append(word, unicode.ToLower(r))
	}
	end()
	return words
}

// beginsWord reports whether the capital r at name[i] follows a small letter or a digit, or comes
// before a small letter.
func beginsWord(name string, i int, r rune) bool {
	before, _ := utf8.DecodeLastRuneInString(name[:i])
	after, _ := utf8.DecodeRuneInString(name[i+utf8.RuneLen(r):])
	return !unicode.IsUpper(before) || unicode.IsLower(after)
}

// begin returns at most the first n bytes of text, ending with a whole character.
func begin(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return text[:runeStart(text, n)] + "…"
}
