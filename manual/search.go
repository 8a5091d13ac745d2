package manual

import (
	"cmp"
	"errors"
	"math"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/callwire/callwire/sig"
)

// A model that does not know the name of a tool asks for it by words, or by a regular
// expression between slashes. Words are ranked by BM25 over the names of tools, their
// descriptions, and the names and descriptions of their parameters. Nothing is kept
// between searches: each takes time linear in the text of the catalog.

// The bounds of one search.
const (
	maxFound = 5   // tools
	maxQuery = 256 // bytes of a query that are looked at

	maxProgram     = 200  // instructions of a regular expression
	maxDescription = 1024 // bytes of a description that it is matched with
)

// search returns the tools that a query finds, the best first, and how many there
// are in all.
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
		found = newRanking(tools).rank(tools, terms(query))
	}
	return found[:min(len(found), maxFound)], len(found), nil
}

// compileQuery compiles a regular expression. One that takes many steps for each byte is an error.
func compileQuery(pattern string) (*regexp.Regexp, error) {
	parsed, err := syntax.Parse("(?i)"+pattern, syntax.Perl)
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

// ranking records in which tools each term occurs, and how often.
type ranking struct {
	postings map[string][]posting
	lengths  []int // terms of each tool
	total    int
}

type posting struct{ tool, count int }

func newRanking(tools []*sig.Tool) *ranking {
	r := &ranking{postings: make(map[string][]posting), lengths: make([]int, len(tools))}
	for i, t := range tools {
		r.add(i, t.Name, nameWeight)
		r.add(i, t.Description, 1)
		if t.Args == nil {
			continue
		}
		for j := range t.Args.Fields {
			f := &t.Args.Fields[j]
			r.add(i, f.Name, 1)
			if f.Type != nil {
				r.add(i, f.Type.Description, 1)
			}
		}
	}
	return r
}

// add counts the terms of a text of a tool. Tools are added in order.
func (r *ranking) add(tool int, text string, weight int) {
	for _, term := range terms(text) {
		r.lengths[tool] += weight
		r.total += weight
		list := r.postings[term]
		if n := len(list); n > 0 && list[n-1].tool == tool {
			list[n-1].count += weight
			continue
		}
		r.postings[term] = append(list, posting{tool, weight})
	}
}

// rank returns the tools that contain one of the terms, the best first; equal ones in
// catalog order.
func (r *ranking) rank(tools []*sig.Tool, query []string) []*sig.Tool {
	scores := make([]float64, len(tools))
	average := float64(r.total) / float64(max(len(tools), 1))
	slices.Sort(query)
	for _, term := range slices.Compact(query) {
		list := r.postings[term]
		rare := math.Log(1 + (float64(len(tools)-len(list))+0.5)/(float64(len(list))+0.5))
		for _, p := range list {
			n, length := float64(p.count), float64(r.lengths[p.tool])/average
			scores[p.tool] += rare * n * (bm25K + 1) / (n + bm25K*(1-bm25B+bm25B*length))
		}
	}
	var order []int
	for i, score := range scores {
		if score > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	found := make([]*sig.Tool, len(order))
	for i, n := range order {
		found[i] = tools[n]
	}
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
