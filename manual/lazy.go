package manual

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/callwire/callwire/sig"
)

// DefaultLoader is the name of the tool that loads others, unless the options
// say otherwise.
const DefaultLoader = "__load_tool_schema__"

// Lazy is for catalogs too large to be explained in full: lazy tools appear by name and
// description only, or not at all, and the model asks for more by calling one more
// tool, the loader, with names or a query.
//
// What was asked for is not remembered: the manual stays the same, and every tool can
// be called at any time, loaded or not.
type Lazy struct {
	// Tool reports which tools are lazy; nil means those that say so themselves, see
	// [sig.Tool].
	Tool func(*sig.Tool) bool

	// Loader is the name of the loader; "" means DefaultLoader.
	Loader string

	// HideNames leaves lazy tools out altogether: the model finds them by a query.
	// Thousands of tools then take a few lines.
	HideNames bool

	// Schemas makes the loader answer with JSON Schemas instead of signatures.
	Schemas bool

	// Examples are arguments of tools, JSON objects; Skills are longer texts on
	// how to use them. Both are keyed by tool name, are part of the loader's answer,
	// and replace the tool's own.
	Examples map[string][]json.RawMessage
	Skills   map[string]string
}

// name returns the name of the loader.
func (l Lazy) name() string {
	if l.Loader == "" {
		return DefaultLoader
	}
	return l.Loader
}

// Add returns the tools followed by the loader, unless no tool is lazy or one already
// has its name: that one is then the loader, and its author answers its calls. The
// tools are copied.
func (l Lazy) Add(tools []sig.Tool) []sig.Tool {
	tools = slices.Clone(tools)
	for i := range tools {
		t := &tools[i]
		t.Schema, t.InputExamples = bytes.Clone(t.Schema), slices.Clone(t.InputExamples)
		for j, example := range t.InputExamples {
			t.InputExamples[j] = bytes.Clone(example)
		}
	}
	if !l.any(tools) || slices.ContainsFunc(tools, func(t sig.Tool) bool { return t.Name == l.name() }) {
		return tools
	}
	return append(tools, sig.Tool{
		Name:        l.name(),
		Description: "Show the parameters of tools that are listed without them.",
		Schema:      []byte(`{"type":"object","properties":{"names":{"type":"array","items":{"type":"string"}},"query":{"type":"string","description":"words to search for, or /regexp/"}}}`),
	})
}

// Extend returns the catalog with the loader in it, as Add does.
func (l Lazy) Extend(catalog *sig.Catalog) *sig.Catalog {
	tools := make([]sig.Tool, 0, catalog.Len()+1)
	for _, t := range catalog.Tools() {
		tools = append(tools, *t)
	}
	if with := l.Add(tools); len(with) > len(tools) {
		return catalog.With(with[len(tools):]...)
	}
	return catalog
}

// Filter returns the tools for which keep returns true, all if it is nil, and always
// the loader.
func (l Lazy) Filter(tools []sig.Tool, keep func(*sig.Tool) bool) []sig.Tool {
	var kept []sig.Tool
	lazy := l.any(tools)
	for i := range tools {
		if keep == nil || keep(&tools[i]) || lazy && tools[i].Name == l.name() {
			kept = append(kept, tools[i])
		}
	}
	return kept
}

// in returns l, or, if the catalog has no loader, a Lazy that leaves nothing out, since
// the model could not ask.
func (l Lazy) in(catalog *sig.Catalog) Lazy {
	if catalog.Lookup([]byte(l.name())) == nil {
		l.Tool = func(*sig.Tool) bool { return false }
	}
	return l
}

// any reports whether tools may be lazy.
func (l Lazy) any(tools []sig.Tool) bool {
	return l.Tool != nil || slices.ContainsFunc(tools, func(t sig.Tool) bool { return t.Lazy })
}

// is reports whether the tool is lazy. The loader never is.
func (l Lazy) is(t *sig.Tool) bool {
	switch {
	case t.Name == l.name():
		return false
	case l.Tool == nil:
		return t.Lazy
	}
	return l.Tool(t)
}

// deferredLines returns the lines of the lazy tools: their signatures without
// parameters.
func (r *renderer) deferredLines() []string {
	if r.o.Lazy.HideNames {
		return nil
	}
	lines := make([]string, len(r.deferred))
	s := r.o.signatures()
	for i, t := range r.deferred {
		lines[i] = s.Signature(sig.Plan{Tool: &sig.Tool{Name: t.Name, Description: t.Summary(), Args: noArguments}})
	}
	return lines
}

// noArguments is the type of an empty arguments object.
var noArguments = &sig.Type{Kinds: sig.Object, Free: sig.Object, Closed: true}

// loading says how to load lazy tools.
func (r *renderer) loading() string {
	words := "More tools. Load their parameters before the first call"
	call := r.o.loadCall(r.catalog, r.deferred[0].Name)
	if r.o.Lazy.HideNames {
		words = fmt.Sprintf("Tools that are not listed: %d. Search for them by what they do before the first call", len(r.deferred))
		call = r.o.searchCall(r.catalog, r.deferred[0])
	}
	if call != "" {
		return words + ": " + call
	}
	return words + ", by " + r.o.shownName(r.o.Lazy.name()) + "."
}

// searchCall returns a call of the loader that searches for words of the tool, or asks
// for it by name if the loader takes no query; "" if none is found.
func (o Options) searchCall(catalog *sig.Catalog, t *sig.Tool) string {
	loader := catalog.Lookup([]byte(o.Lazy.name()))
	if loader == nil {
		return ""
	}
	plan, err := o.Plan.Plan(o.seen(loader))
	if err != nil {
		return ""
	}
	args := plan.Tool.Args
	query := appendJSON(nil, strings.Join(splitWords(t.Name), " "))
	if f := args.Field([]byte("query")); f != nil && (f.Type == nil || (&maker{}).fits(f.Type, query)) {
		input := (&maker{}).objectWith(args, f, query)
		if call, ok := o.write(catalog, plan, input); input != nil && ok {
			return call
		}
	}
	return o.loadCall(catalog, t.Name)
}

// shownName returns a name as it can be shown.
func (o Options) shownName(name string) string {
	return sig.SignatureOptions{Description: -1, Tags: o.guard().Tags()}.Signature(sig.Plan{Tool: &sig.Tool{Name: name, Args: noArguments}})
}

// loadCall returns a call of the loader that asks for the tool and fits the loader's
// schema, which may be the caller's own; "" if none is found.
func (o Options) loadCall(catalog *sig.Catalog, name string) string {
	loader := catalog.Lookup([]byte(o.Lazy.name()))
	if loader == nil {
		return ""
	}
	plan, err := o.Plan.Plan(o.seen(loader))
	if err != nil {
		return ""
	}
	one := appendJSON(nil, name)
	list := append(append([]byte{'['}, one...), ']')
	args := plan.Tool.Args
	if args == nil {
		args = &sig.Type{Fields: []sig.Field{{Name: "names", JSONKey: []byte(`"names":`)}}}
	}
	m := maker{}
	for _, value := range [...][]byte{list, one} {
		for _, f := range inOrder(args.Fields) {
			if f.Type != nil && !m.fits(f.Type, value) {
				continue
			}
			input := m.objectWith(args, f, value)
			if call, ok := o.write(catalog, plan, input); input != nil && ok {
				return call
			}
		}
	}
	return ""
}

// inOrder returns the fields sorted by how likely they take names of tools: those whose
// name says so, the required ones, the others.
func inOrder(fields []sig.Field) (list []*sig.Field) {
	rank := func(f *sig.Field) int {
		name := strings.ToLower(f.Name)
		switch {
		case name == "names":
			return 0
		case strings.Contains(name, "name"), strings.Contains(name, "tool"):
			return 1
		case f.Required:
			return 2
		}
		return 3
	}
	for i := range fields {
		list = append(list, &fields[i])
	}
	slices.SortStableFunc(list, func(a, b *sig.Field) int { return rank(a) - rank(b) })
	return list
}

// Load answers a call of the loader: the signatures of the tools asked for, or
// their JSON Schemas, with their examples and skill texts. Input is the call's
// arguments; if they are not quite as declared, they are read as meant. A query is
// words, or a regular expression between slashes; the answer has the best matches among
// the lazy tools. If the input names no tool, or an unknown one, or nothing is found,
// the answer says what to do, so the model does not ask the same again.
//
// The text can be shown as it is: what tools say is neutralized. It depends only on the
// options and arguments.
func (o Options) Load(catalog *sig.Catalog, input []byte) string {
	o = o.among(catalog)
	names, all := requested(input)
	var b strings.Builder
	var note string
	if query := queryIn(input); query != "" {
		var found []string
		found, note = o.find(catalog, query)
		names = slices.DeleteFunc(names, func(name string) bool { // words of the query, unless all are tools
			return catalog.Lookup([]byte(name)) == nil && strings.Contains(query, name)
		})
		for _, name := range found {
			if !slices.Contains(names, name) && len(names) < maxFound {
				names = append(names, name)
			}
		}
	}
	var unknown []string
	known := 0
	for _, name := range names {
		t := catalog.Lookup([]byte(name))
		if t == nil {
			unknown = append(unknown, name)
			continue
		}
		if known++; known > 1 {
			b.WriteByte('\n')
		}
		o.load(&b, catalog, t)
	}
	if !all {
		b.WriteString("\n" + o.line(fmt.Sprintf("These were the first %d names. Load the others by another call.", maxListed)))
	}
	if note != "" {
		if known > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(o.line(note))
		if known == 0 {
			b.WriteByte(' ')
		}
	}
	if known > 0 && len(unknown) == 0 {
		return b.String()
	}
	if known > 0 {
		b.WriteByte('\n')
	}
	if len(unknown) > 0 {
		b.WriteString(o.line("There is no tool "+quoteAll(unknown)+".") + " ")
	} else if note == "" {
		b.WriteString("Name the tools to load. ")
	}
	o.listLoadable(&b, catalog)
	return b.String()
}

// LoadResult returns the result of a call of the loader under that name, with the
// answer of Load. Calls in it are examples, so they are not neutralized.
func (o Options) LoadResult(catalog *sig.Catalog, name string, input []byte) string {
	return o.wrap(resultTag, name, o.Load(catalog, input))
}

// find returns the names of the lazy tools that a query finds, and a note on the
// search.
func (o Options) find(catalog *sig.Catalog, query string) (names []string, note string) {
	found, all, err := search(o.lazyTools(catalog), query)
	switch {
	case err != nil:
		return nil, "The query is no regular expression: " + begin(err.Error(), longestName) + "."
	case all == 0:
		return nil, "No tool was found for " + quoteAll([]string{query}) + "."
	case all > len(found):
		note = fmt.Sprintf("%d more were found; say more exactly what the tool does to see them.", all-len(found))
	}
	for _, t := range found {
		names = append(names, t.Name)
	}
	return names, note
}

// lazyTools returns the lazy tools of the catalog.
func (o Options) lazyTools(catalog *sig.Catalog) (tools []*sig.Tool) {
	lazy := o.Lazy.in(catalog)
	for _, t := range catalog.Tools() {
		if lazy.is(t) {
			tools = append(tools, t)
		}
	}
	return tools
}

// queryIn returns the query that arguments of the loader hold, "" if none.
func queryIn(input []byte) string {
	var in struct {
		Query string `json:"query"`
	}
	json.Unmarshal(input, &in) // only a string is a query
	return strings.TrimSpace(in.Query)
}

// maxListed bounds the names in an answer.
const maxListed = 100

// listLoadable says which tools can be loaded, and how.
func (o Options) listLoadable(b *strings.Builder, catalog *sig.Catalog) {
	tools := o.lazyTools(catalog)
	if len(tools) == 0 {
		b.WriteString("All tools are loaded: call them as their signatures say.")
		return
	}
	if o.Lazy.HideNames {
		b.WriteString(strings.TrimSpace("Search by what a tool does. " + o.searchCall(catalog, tools[0])))
		return
	}
	if call := o.loadCall(catalog, tools[0].Name); call != "" {
		b.WriteString("Write " + call + " with one or more of these names:")
	} else {
		b.WriteString(o.line("Call " + o.shownName(o.Lazy.name()) + " with one or more of these names:"))
	}
	for i, t := range tools {
		if i == maxListed {
			b.WriteString(" …")
			break
		}
		b.WriteString(" " + o.line(t.Name))
	}
}

// loadable returns the signatures of all lazy tools.
func (o Options) loadable(catalog *sig.Catalog) (lines []string) {
	for _, t := range o.lazyTools(catalog) {
		lines = append(lines, o.loaded(o.planOf(t)))
	}
	return lines
}

// planOf returns how a tool is announced: in JSON if it is refused, which Check
// reports.
func (o Options) planOf(t *sig.Tool) sig.Plan {
	t = o.seen(t)
	p, err := o.Plan.Plan(t)
	if err != nil {
		p = sig.Plan{Tool: t, Syntax: sig.JSON}
	}
	return p
}

// load writes everything about a tool.
func (o Options) load(b *strings.Builder, catalog *sig.Catalog, real *sig.Tool) {
	g := o.guard()
	t := o.seen(real)
	examples, given := o.Lazy.Examples[t.Name]
	if !given {
		examples = real.InputExamples
	}
	skill, given := o.Lazy.Skills[t.Name]
	if !given {
		skill = real.Skill
	}
	p := o.planOf(real)
	b.WriteString(o.line(o.loaded(p)))
	if o.showsSchema(t) {
		b.WriteString("\n" + o.line(string(compacted(t.Schema))))
	}
	shown := false
	for _, input := range examples {
		if call, ok := o.write(catalog, p, compacted(input)); ok {
			b.WriteString("\n" + call)
			shown = true
		}
	}
	if !shown {
		if call, ok := o.Example(catalog, p); ok {
			b.WriteString("\n" + call)
		}
	}
	if skill = strings.TrimSpace(skill); skill != "" {
		b.WriteString("\n" + g.Neutralize(sig.WithoutInvisible(skill)))
	}
}

// loaded returns the signature that the loader answers with: in full, since the model
// asked for it, except for a tool description whose length the options limit.
func (o Options) loaded(p sig.Plan) string {
	s := o.signatures()
	s.Parameters, s.Budget = sig.Full, 0
	if s.Description == 0 {
		s.Description = sig.WholeDescription
	}
	if o.showsSchema(p.Tool) {
		p = sig.Plan{Tool: &sig.Tool{Name: p.Tool.Name, Description: p.Tool.Description, Args: noArguments}}
	}
	return s.Signature(p)
}

// showsSchema reports whether the loader answers with the schema of the tool.
func (o Options) showsSchema(t *sig.Tool) bool {
	return o.Lazy.Schemas && json.Valid(t.Schema) && bytes.HasPrefix(bytes.TrimSpace(t.Schema), []byte("{"))
}

// compacted returns JSON text without whitespace, and other text as it is.
func compacted(text []byte) []byte {
	var b bytes.Buffer
	if json.Compact(&b, text) != nil {
		return text
	}
	return b.Bytes()
}

// requested returns the names that arguments of the loader ask for: of any
// property, a list or a string, also one with commas or with JSON text in it. At most
// maxListed are returned; all reports whether there are no more.
func requested(input []byte) (names []string, all bool) {
	all = true
	var collect func(v any)
	collect = func(v any) {
		switch v := v.(type) {
		case string:
			var inner any
			if text := strings.TrimSpace(v); text != "" && strings.IndexByte("[{\"", text[0]) >= 0 && json.Unmarshal([]byte(text), &inner) == nil {
				collect(inner)
				return
			}
			for name := range strings.FieldsFuncSeq(v, func(r rune) bool { return r == ',' || r == ';' || unicode.IsSpace(r) }) {
				switch {
				case slices.Contains(names, name):
				case len(names) == maxListed:
					all = false
				default:
					names = append(names, name)
				}
			}
		case []any:
			for _, e := range v {
				collect(e)
			}
		case map[string]any:
			keys := make([]string, 0, len(v))
			for k := range v {
				keys = append(keys, k)
			}
			slices.Sort(keys)
			for _, k := range keys {
				collect(v[k])
			}
		}
	}
	var v any
	if json.Unmarshal(input, &v) == nil {
		collect(v)
	}
	return names, all
}

// longestName is how many bytes of an unknown name are repeated.
const longestName = 64

// begin returns at most the first n bytes of text, ending with a whole character.
func begin(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + "…"
}

// quoteAll returns the names in quotes with commas between them.
func quoteAll(names []string) string {
	const most = 10
	var quoted []string
	for i, n := range names {
		if i == most {
			quoted = append(quoted, "…")
			break
		}
		text, _ := json.Marshal(begin(n, longestName)) // a string cannot fail
		quoted = append(quoted, sig.Visible(string(text)))
	}
	return strings.Join(quoted, ", ")
}
