package manual

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

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
// with their examples and skill texts. Input is the call's arguments. Load is lenient if they
// differ from the declaration. A query is words, or a regular expression between slashes; the
// answer has the best matches among the lazy tools. If the input names no tool or an unknown one,
// or the query has no match, the answer explains what to do, so the model does not repeat the call.
//
// The text can be shown as it is: text of tools is neutralized. It depends only on the manual and
// the input.
func (m *Manual) Load(input json.RawMessage) string {
	names, isAll := requested(input)
	query := strings.TrimSpace(rawjson.ParseObject(input).Text("query"))
	var note string
	if query != "" {
		names, note = m.find(query, names)
	}
	var lines, unknown []string
	for _, name := range names {
		if t := m.catalog.Lookup([]byte(name)); t != nil {
			lines = append(lines, m.load(t)...)
		} else {
			unknown = append(unknown, name)
		}
	}
	isFound := len(lines) > 0
	if !isAll {
		lines = append(lines, fmt.Sprintf(firstNames, maxLoaded))
	}
	if note != "" {
		lines = append(lines, m.line(note))
	}
	if len(unknown) > 0 {
		lines = append(lines, m.line(fmt.Sprintf(unknownTool, quoteAll(unknown))))
	} else if len(names) == 0 && note == "" {
		lines = append(lines, nameTools)
	}
	if !isFound || len(unknown) > 0 {
		lines = append(lines, m.loadable())
	}
	return strings.Join(lines, "\n")
}

// LoadResult returns the result of a call of the loader under that name, with the answer of Load.
// Calls in it are examples, so they are not neutralized.
func (m *Manual) LoadResult(name string, input json.RawMessage) string {
	return m.wrap(result{name: name}, m.Load(input))
}

// requested returns the names in arguments of the loader: in a list or a string of any property but
// the query. It returns at most maxLoaded; isAll reports whether these are all.
func requested(input json.RawMessage) (names []string, isAll bool) {
	if len(input) > maxInput {
		return nil, true
	}
	var values [][]byte
	for _, m := range rawjson.ParseObject(input) {
		if m.Key != "query" {
			values = append(append(values, m.Value), rawjson.ParseArray(m.Value)...)
		}
	}
	isBetween := func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(",;[]\"", r)
	}
	for _, value := range values {
		for name := range strings.FieldsFuncSeq(rawjson.Text(value), isBetween) {
			switch {
			case slices.Contains(names, name):
			case len(names) == maxLoaded:
				return names, false
			default:
				names = append(names, name)
			}
		}
	}
	return names, true
}

// maxInput is the size of arguments of the loader that are read.
const maxInput = 1 << 20

// find adds the names of the lazy tools that a query finds, and returns a note on the search.
func (m *Manual) find(query string, names []string) (all []string, note string) {
	found, n, err := search(m.lazy, query)
	switch {
	case err == errComplex:
		note = hardQuery
	case err != nil:
		note = fmt.Sprintf(badQuery, begin(err.Error(), longestName))
	case n == 0:
		note = fmt.Sprintf(notFound, quoteAll([]string{query}))
	case n > len(found):
		note = fmt.Sprintf(moreFound, n-len(found))
	}
	for _, t := range found {
		if !slices.Contains(names, t.Name) && len(names) < maxFound {
			names = append(names, t.Name)
		}
	}
	return names, note
}

// load returns everything about a tool.
func (m *Manual) load(t *sig.Tool) (lines []string) {
	p := m.plans[t.Name]
	lines = append(lines, m.line(m.loaded(p)))
	if m.showsSchema(p.Tool) {
		lines = append(lines, m.line(string(rawjson.Compact(p.Tool.Schema))))
	}
	if own := m.ownExamples(p); len(own) > 0 {
		lines = append(lines, own...)
	} else if call, ok := m.Example(t.Name); ok {
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
	s := m.opts.Signatures
	s.Tags, s.Parameters, s.Budget = m.guard.Tags(), sig.Full, 0
	if s.Description == 0 {
		s.Description = sig.WholeDescription
	}
	if m.showsSchema(p.Tool) {
		p = withoutArguments(p.Tool.Name, p.Tool.Description)
	}
	return s.Signature(p)
}

// loadedLines returns the signatures of all lazy tools.
func (m *Manual) loadedLines() (lines []string) {
	for _, t := range m.lazy {
		lines = append(lines, m.loaded(m.plans[t.Name]))
	}
	return lines
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

// deferredLines returns the lines of the lazy tools: their signatures without parameters.
func (m *Manual) deferredLines(s sig.SignatureOptions) (lines []string) {
	if m.opts.Lazy.HideNames {
		return nil
	}
	for _, t := range m.lazy {
		lines = append(lines, s.Signature(withoutArguments(t.Name, t.Summary())))
	}
	return lines
}

// loading returns how to load lazy tools.
func (m *Manual) loading() string {
	words := loadFirst
	if m.opts.Lazy.HideNames {
		words = searchFirst // without their number, which would change the prompt with each tool
	}
	if call := m.loaderCall(m.lazy[0]); call != "" {
		return words + ": " + call
	}
	return words + fmt.Sprintf(loadBy, m.line(m.opts.Lazy.name()))
}

// loaderCall returns a call of the loader that asks for a tool, by words if names are hidden; "" if
// none fits the loader's schema, which may be the caller's own.
func (m *Manual) loaderCall(t *sig.Tool) string {
	plan, ok := m.plans[m.opts.Lazy.name()]
	if !ok {
		return ""
	}
	args, fields := plan.Tool.Args, []string{"names"} // the likely one comes first
	for i := 0; args != nil && i < len(args.Fields); i++ {
		if name := args.Fields[i].Name; name != "query" {
			fields = append(fields, name)
		}
	}
	name := rawjson.Quote(t.Name)
	var tries []rawjson.Object
	for _, value := range [][]byte{rawjson.AppendArray(nil, [][]byte{name}), name} {
		for _, field := range fields {
			tries = append(tries, rawjson.Make(field, value))
		}
	}
	query := rawjson.Make("query", strings.Join(splitWords(t.Name), " "))
	if m.opts.Lazy.HideNames {
		tries = slices.Insert(tries, 0, query)
	} else {
		tries = append(tries, query)
	}
	for _, input := range tries {
		isDeclared := args == nil || args.Field([]byte(input[0].Key)) != nil
		if call, ok := m.write(plan, input.Append(nil)); ok && isDeclared {
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
	call := m.loaderCall(m.lazy[0])
	if m.opts.Lazy.HideNames {
		return strings.TrimSpace(fmt.Sprintf(searchAgain, call))
	}
	text := fmt.Sprintf(writeNames, call)
	if call == "" {
		text = m.line(fmt.Sprintf(callByNames, m.opts.Lazy.name()))
	}
	for i, t := range m.lazy {
		if i == maxLoaded {
			return text + " …"
		}
		text += " " + m.line(t.Name)
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
