package manual

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/internal/unseen"
	"github.com/callwire/callwire/sig"
)

// The bounds of an answer of the loader.
const (
	maxLoaded   = 100 // names that are looked up, and listed
	maxUnknown  = 10  // unknown names that are repeated
	longestName = 64  // bytes of an unknown name that are repeated
)

// Load answers a call of the loader: the signatures of the requested tools, or their JSON Schemas,
// with their examples and skill texts. Input is the call's arguments: names, in a list or a string
// under any key, or a query of words, or of a regular expression between slashes. A query gives the
// best matches among the lazy tools. If the input names no tool or an unknown one, or the query has
// no match, the answer explains what to do, so the model does not repeat the call.
//
// The text can be shown as it is: text of tools is neutralized. It depends only on the manual and
// the input.
func (m *Manual) Load(input json.RawMessage) string {
	o := rawjson.ParseObject(input)
	names := requested(o)
	note := ""
	if query := strings.TrimSpace(o.Text("query")); query != "" {
		names, note = m.find(query, names)
	} else if len(names) == 0 {
		note = nameTools
	}
	var lines, unknown []string
	for _, name := range names[:min(len(names), maxLoaded)] {
		if t := m.catalog.Lookup([]byte(name)); t != nil {
			lines = append(lines, m.load(t)...)
		} else {
			unknown = append(unknown, name)
		}
	}
	isMissing := len(lines) == 0 || len(unknown) > 0
	if len(names) > maxLoaded {
		lines = append(lines, fmt.Sprintf(firstNames, maxLoaded))
	}
	if note != "" {
		lines = append(lines, m.line(note))
	}
	if len(unknown) > 0 {
		lines = append(lines, m.line(fmt.Sprintf(unknownTool, quoteAll(unknown))))
	}
	if isMissing {
		lines = append(lines, m.loadable())
	}
	return strings.Join(lines, "\n")
}

// requested returns the names in arguments of the loader, at most one more than maxLoaded: those in
// a list or a string under any key but query, since the loader may be the caller's own.
func requested(o rawjson.Object) (names []string) {
	isBetween := func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(",;[]\"", r)
	}
	for _, m := range o {
		if m.Key == "query" {
			continue
		}
		for _, value := range append(rawjson.ParseArray(m.Value), m.Value) {
			for name := range strings.FieldsFuncSeq(rawjson.Text(value), isBetween) {
				if len(names) <= maxLoaded && !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	return names
}

// find adds the names of the lazy tools that a query finds, and returns a note on the search.
func (m *Manual) find(query string, names []string) (all []string, note string) {
	found, err := search(m.lazy, query)
	switch {
	case err == errComplex:
		note = hardQuery
	case err != nil:
		reason := strings.Replace(err.Error(), "(?i)", "", 1)
		note = fmt.Sprintf(badQuery, begin(reason, longestName))
	case len(found) == 0:
		note = fmt.Sprintf(notFound, quoteAll([]string{query}))
	case len(found) > maxFound:
		note = fmt.Sprintf(moreFound, len(found)-maxFound)
	}
	for _, t := range found[:min(len(found), maxFound)] {
		if !slices.Contains(names, t.Name) && len(names) < maxFound {
			names = append(names, t.Name)
		}
	}
	return names, note
}

// load returns everything about a tool.
func (m *Manual) load(t *sig.Tool) []string {
	p := m.plans[t.Name]
	lines := []string{m.line(m.loaded(p))}
	if m.showsSchema(p.Tool) {
		lines = append(lines, m.line(string(rawjson.Compact(p.Tool.Schema))))
	}
	own, call := m.ownExamples(p), m.exampleOf(t.Name)
	switch {
	case m.isApart: // the answer is a result
	case len(own) > 0:
		lines = append(lines, own...)
	case call != "":
		lines = append(lines, call)
	}
	if skill := strings.TrimSpace(t.Skill); skill != "" {
		lines = append(lines, m.guard.Neutralize(unseen.Remove(skill)))
	}
	return lines
}

// loaded returns the signature that the loader answers with. It is complete, since the model
// requested it, except for a tool description whose length the options limit.
func (m *Manual) loaded(p sig.Plan) string {
	s := m.signatures()
	s.HideParameters, s.Budget = false, 0
	s.Description = cmp.Or(s.Description, math.MaxInt)
	if m.showsSchema(p.Tool) {
		p = withoutArguments(p.Tool.Name, p.Tool.Description)
	}
	return s.Signature(p)
}

// showsSchema reports whether the loader answers with the schema of the tool.
func (m *Manual) showsSchema(t *sig.Tool) bool {
	return m.opts.Lazy.Schemas && json.Valid(t.Schema) && rawjson.ParseObject(t.Schema) != nil
}

// withoutArguments returns the plan of a tool without arguments.
func withoutArguments(name, description string) sig.Plan {
	none := &sig.Type{Kinds: sig.Object, Free: sig.Object, Closed: true}
	return sig.Plan{Tool: &sig.Tool{Name: name, Description: description, Args: none}}
}

// loading returns how to load lazy tools.
func (m *Manual) loading() string {
	words := loadFirst
	if m.opts.Lazy.HideNames {
		words = searchFirst // without their number, which would change the prompt with each tool
	}
	if call := m.loaderCall(); call != "" {
		return words + ": " + call
	}
	return words + fmt.Sprintf(loadBy, m.line(m.opts.Lazy.Loader))
}

// loaderCall returns a call of the loader that asks for the first lazy tool, by words if names are
// hidden; "" if none fits the loader's schema, which may be the caller's own.
func (m *Manual) loaderCall() string {
	plan, name := m.plans[m.opts.Lazy.Loader], m.lazy[0].Name
	args := plan.Tool.Args
	fields := []string{"names"} // the likely one comes first
	for i := 0; args != nil && i < len(args.Fields); i++ {
		fields = append(fields, args.Fields[i].Name)
	}
	var tries []rawjson.Object
	if m.opts.Lazy.HideNames {
		tries = append(tries, rawjson.Make("query", strings.Join(splitWords(name), " ")))
	}
	for _, field := range fields {
		list := [][]byte{rawjson.Quote(name)}
		tries = append(tries, rawjson.Make(field, list), rawjson.Make(field, name))
	}
	for _, input := range tries {
		isDeclared := args == nil || args.Field([]byte(input[0].Key)) != nil
		if call := m.write(plan, input.Append(nil)); call != "" && isDeclared {
			return call
		}
	}
	return ""
}

// loadable returns which tools can be loaded, and how.
func (m *Manual) loadable() string {
	if len(m.lazy) == 0 {
		return allLoaded
	}
	call := m.loaderCall()
	if m.opts.Lazy.HideNames {
		return strings.TrimSpace(fmt.Sprintf(searchAgain, call))
	}
	text := fmt.Sprintf(writeNames, call)
	if call == "" {
		text = m.line(fmt.Sprintf(callByNames, m.opts.Lazy.Loader))
	}
	for _, t := range m.lazy[:min(len(m.lazy), maxLoaded)] {
		text += " " + m.line(t.Name)
	}
	if len(m.lazy) > maxLoaded {
		text += " …"
	}
	return text
}

// quoteAll returns the names in quotes with commas between them.
func quoteAll(names []string) string {
	var quoted []string
	for i, n := range names {
		if i == maxUnknown {
			quoted = append(quoted, "…")
			break
		}
		name := begin(strings.ToValidUTF8(n, "\ufffd"), longestName)
		quoted = append(quoted, unseen.Escape(angles.Replace(string(rawjson.Quote(name)))))
	}
	return strings.Join(quoted, ", ")
}

// A model that does not know the name of a tool searches by words, or by a regular expression
// between slashes, in the names of tools and in what they and their parameters are described as.
// Nothing is kept between searches: each takes time linear in the text of the catalog.

// The bounds of one search.
const (
	maxFound       = 5    // tools
	maxQuery       = 200  // bytes of a query that are read
	maxRepeats     = 8    // repetitions in a regular expression
	maxDescription = 1024 // bytes of a description that a regular expression is matched with
	nameWeight     = 4.0  // of a word in a name
)

var errComplex = errors.New("manual: the regular expression is too complex")

// search returns the tools that a query finds, the best first. A regular expression with counted
// repetitions, or with many, could take many steps for each byte.
func search(tools []*sig.Tool, query string) (found []*sig.Tool, err error) {
	query = strings.TrimSpace(strings.ToValidUTF8(query[:min(len(query), maxQuery)], ""))
	n := len(query)
	if n < 3 || query[0] != '/' || query[n-1] != '/' {
		return rank(tools, terms(query)), nil
	}
	repeats := strings.Count(query, "*") + strings.Count(query, "+") + strings.Count(query, "?")
	if strings.Contains(query, "{") || repeats > maxRepeats {
		return nil, errComplex
	}
	re, err := regexp.Compile("(?i)" + query[1:n-1])
	if err != nil {
		return nil, err
	}
	for _, t := range tools {
		if re.MatchString(t.Name) || re.MatchString(begin(t.Description, maxDescription)) {
			found = append(found, t)
		}
	}
	return found, nil
}

// rank returns the tools that contain one of the words, the best first; equal ones in catalog
// order. Rare words count more than frequent ones, and those of names more than others.
func rank(tools []*sig.Tool, query []string) (found []*sig.Tool) {
	weights := make([]map[string]float64, len(tools)) // of the words of the query in each tool
	holders := make(map[string]float64)               // how many tools contain each
	for i, t := range tools {
		texts := []string{t.Name, t.Description}
		for j := 0; t.Args != nil && j < len(t.Args.Fields); j++ {
			f := &t.Args.Fields[j]
			texts = append(texts, f.Name, cmp.Or(f.Type, &sig.Type{}).Description)
		}
		weights[i] = make(map[string]float64)
		weight := nameWeight
		for _, text := range texts {
			for _, word := range terms(text) {
				if slices.Contains(query, word) && weights[i][word] == 0 {
					weights[i][word] = weight
					holders[word]++
				}
			}
			weight = 1
		}
		name, description := strings.ToLower(t.Name), strings.ToLower(t.Description)
		for _, word := range query { // not all names, and not all languages, separate words
			isPart := strings.Contains(name, word) ||
				word[0] >= utf8.RuneSelf && strings.Contains(description, word)
			if isPart && len(word) > 2 && weights[i][word] == 0 {
				weights[i][word] = weight
				holders[word]++
			}
		}
	}
	scores := make(map[*sig.Tool]float64)
	for i, t := range tools {
		for word, weight := range weights[i] {
			scores[t] += weight * math.Log(1+float64(len(tools))/holders[word])
		}
		if scores[t] > 0 {
			found = append(found, t)
		}
	}
	slices.SortStableFunc(found, func(a, b *sig.Tool) int {
		return cmp.Compare(scores[b], scores[a])
	})
	return found
}

// terms returns the words of a text as they are compared: in lower case, names split into their
// parts, and without endings: issues, creating and queries are issu, creat and queri, and so are
// issue, create and query.
func terms(text string) []string {
	list := splitWords(text)
	for i, word := range list {
		for _, ending := range []string{"s", "ing", "ed", "e", "s", "y"} {
			stem, isCut := strings.CutSuffix(word, ending)
			switch {
			case !isCut || len(stem) < 3 || ending == "s" && strings.HasSuffix(stem, "s"):
			case ending == "y":
				word = stem + "i"
			default:
				word = stem
			}
		}
		list[i] = word
	}
	return list
}

// splitWords splits a name at underscores, hyphens and capitals into words of letters and digits in
// lower case: getHTTPStatus is get, http, status.
func splitWords(name string) []string {
	var spaced []rune
	before := ' '
	for i, r := range name {
		if unicode.IsUpper(r) {
			after, _ := utf8.DecodeRuneInString(name[i+utf8.RuneLen(r):])
			if !unicode.IsUpper(before) || unicode.IsLower(after) {
				spaced = append(spaced, ' ')
			}
		}
		before, spaced = r, append(spaced, unicode.ToLower(r))
	}
	isBetween := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	return strings.FieldsFunc(string(spaced), isBetween)
}

// begin returns at most the first n bytes of text, ending with a whole character.
func begin(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return text[:runeStart(text, n)] + "…"
}
