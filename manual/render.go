package manual

import (
	"strings"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// Parts are the parts of a manual. All are text that can be shown to a model as it is.
type Parts struct {
	Intro      string   // what to do, in one sentence
	Examples   []string // calls of the caller's own tools
	Rules      []string // what models get wrong, one sentence each
	Legend     string   // what the marks in the signatures mean
	Signatures []string // one line for each tool that is not lazy
	Deferred   []string // one line for each lazy tool: its name and description
	Loading    string   // how to load these; empty if there are none
}

// String assembles the default manual.
func (p Parts) String() string {
	var b strings.Builder
	b.WriteString(p.header())
	p.writeTools(&b)
	return b.String()
}

// header returns everything before the signatures.
func (p Parts) header() string {
	var b strings.Builder
	b.WriteString(p.Intro)
	for _, e := range p.Examples {
		b.WriteString("\n" + e)
	}
	for _, r := range p.Rules {
		b.WriteString("\n- " + r)
	}
	b.WriteString("\n\n" + p.Legend)
	return b.String()
}

func (p Parts) writeTools(b *strings.Builder) {
	for _, s := range p.Signatures {
		b.WriteString("\n" + s)
	}
	if p.Loading != "" {
		b.WriteString("\n\n" + p.Loading)
		for _, d := range p.Deferred {
			b.WriteString("\n" + d)
		}
	}
}

// Render returns the manual: what a model must know to call the tools. It is empty if
// the catalog is, or under Off.
//
// It contains every tool that can be called, with its signature or as a lazy one,
// except those refused under [sig.Refuse]; use [Options.Check] to find these. The
// examples read back and fit their schemas. No text of a schema can end a line or open
// a call. The same arguments give the same manual, whatever was called or loaded
// before, so a provider's prompt cache holds. It takes time linear in the catalog; with
// a budget, the time of at most 20 manuals.
//
// Rule: manual.examples, manual.rules.
func Render(catalog *sig.Catalog, o Options) string {
	if o.Off || catalog.Len() == 0 {
		return ""
	}
	if p := o.prompter(); p != nil {
		return string(p.AppendTools(nil, catalog))
	}
	if o.Budget > 0 {
		o = o.within(catalog)
	}
	return o.render(catalog)
}

func (o Options) render(catalog *sig.Catalog) string {
	parts := o.parts(catalog)
	switch {
	case o.Template != nil:
		return o.Template(parts)
	case o.Header != "":
		var b strings.Builder
		b.WriteString(strings.TrimRight(o.Header, "\n"))
		parts.writeTools(&b)
		return b.String()
	}
	return parts.String()
}

// Parts returns what Render puts together, within the budget.
func (o Options) Parts(catalog *sig.Catalog) Parts {
	if o.Budget > 0 {
		o = o.within(catalog)
	}
	return o.parts(catalog)
}

func (o Options) parts(catalog *sig.Catalog) Parts {
	r := renderer{o: o, catalog: catalog}
	r.plan()
	p := Parts{Signatures: r.o.signatures().Signatures(r.shown)}
	p.Examples = r.examples()
	p.Intro = r.intro(p.Examples)
	p.Rules = r.rules()
	p.Legend = r.legend(p.Signatures)
	if len(r.deferred) > 0 {
		p.Deferred = r.deferredLines()
		p.Loading = r.loading()
	}
	return p
}

// renderer renders one manual.
type renderer struct {
	o       Options
	catalog *sig.Catalog // of the calls

	shown    []sig.Plan  // tools with a signature, as the model sees them
	deferred []*sig.Tool // lazy tools
	wire     bool        // some are announced in wire syntax
	json     bool        // some are announced in JSON
}

// plan decides which tools are shown, and how.
func (r *renderer) plan() {
	lazy := r.o.Lazy.in(r.catalog)
	for _, t := range r.catalog.Tools() {
		isLazy := lazy.is(t)
		if t = r.o.seen(t); isLazy {
			r.deferred = append(r.deferred, t)
			continue
		}
		p, err := r.o.Plan.Plan(t)
		if err != nil || !p.Callable() {
			continue
		}
		r.shown = append(r.shown, p)
		r.wire = r.wire || p.Syntax == sig.Wire
		r.json = r.json || p.Syntax == sig.JSON
	}
}

// seen returns what the model sees of a tool.
func (o Options) seen(t *sig.Tool) *sig.Tool {
	if m := o.Model.Lookup([]byte(t.Name)); m != nil {
		return m
	}
	return t
}

// manyExamples is how many tools are tried to find an example.
const manyExamples = 40

// examples returns an example for each syntax that is announced: the first that shows
// enough, or the shortest of those that show most. It calls a tool that only reads, if
// there is one, otherwise one whose effect can be undone.
func (r *renderer) examples() (calls []string) {
	for _, syntax := range [...]sig.Syntax{sig.Wire, sig.JSON} {
		for harm := reads; harm <= harms; harm++ {
			if best := r.example(syntax, harm); best != "" {
				calls = append(calls, best)
				break
			}
		}
	}
	return calls
}

// example returns the best example of the syntax among the tools that can do so much harm;
// the loader is the last resort.
func (r *renderer) example(syntax sig.Syntax, most harm) (best string) {
	tried := 0
	for _, p := range r.shown {
		loads := r.loads(p)
		does := harmOf(p.Tool.Name)
		if loads {
			does = harms
		}
		if p.Syntax != syntax || does != most {
			continue
		}
		if tried++; tried > manyExamples {
			break
		}
		call, ok := r.o.Example(r.catalog, p)
		if loads {
			call = r.o.loadCall(r.catalog, r.deferred[0].Name)
			if r.o.Lazy.HideNames {
				call = r.o.searchCall(r.catalog, r.deferred[0])
			}
			ok = call != ""
		}
		if !ok || syntax == sig.Wire && isJSON(call, p.Tool.Name) || best != "" && (shows(call) < shows(best) || shows(call) == shows(best) && len(call) >= len(best)) {
			continue
		}
		if best = call; shows(call) == 3 && len(call) <= goodExample {
			break
		}
	}
	return best
}

// loads reports whether the tool is the loader of lazy ones.
func (r *renderer) loads(p sig.Plan) bool {
	return len(r.deferred) > 0 && p.Tool.Name == r.o.Lazy.name()
}

// isJSON reports whether the call of the tool has its arguments in one JSON object.
func isJSON(call, name string) bool {
	_, arguments, _ := strings.Cut(call, name+" ")
	return strings.HasPrefix(arguments, "{")
}

// goodExample is the length in bytes up to which no shorter example is looked for.
const goodExample = 80

// shows returns how much of the syntax an example shows: quoted and bare values.
func shows(call string) (n int) {
	quoted, all := strings.Count(call, `="`), strings.Count(call, "=")
	if quoted > 0 {
		n += 2
	}
	if all > quoted {
		n++
	}
	return n
}

// fragment returns arguments of a shown tool as they are written, for a rule, or
// nothing: those that make returns for the first tool where that is not nil.
func (r *renderer) fragment(input func(m *maker, t *sig.Type) []byte) string {
	for i, p := range r.shown {
		if i == manyExamples {
			break
		}
		if p.Syntax != sig.Wire || p.Tool.Args == nil || r.loads(p) { // names made up are those of no tool
			continue
		}
		text := input(&maker{terse: true}, p.Tool.Args)
		if text == nil {
			continue
		}
		d := r.o.tags()
		call, err := parse.FormatOptions{Delims: d, Salvage: true, Visible: true}.Format(r.catalog, p.Tool.Name, text)
		before := d.Open + p.Tool.Name + " "
		if args, ok := strings.CutPrefix(call, before); ok && err == nil && !strings.HasPrefix(args, "{") {
			return strings.TrimSuffix(args, d.Close)
		}
	}
	return ""
}
