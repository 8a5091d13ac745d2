package manual

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/guard"
	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// A Manual explains the tools of one catalog to a model and writes everything about them that the
// model reads. It is immutable and safe for concurrent use.
type Manual struct {
	opts    Options
	catalog *sig.Catalog // with the loader
	loader  string       // the name of the loader that New added, or ""
	format  *parse.Format
	guard   guard.Guard // against tags in untrusted text
	results guard.Guard // against those of results only
	isApart bool        // a call would end the result that shows it, as a fence ends a fence

	plans map[string]sig.Plan // how each tool is announced
	shown []sig.Plan          // of the tools with a signature
	lazy  []*sig.Tool         // as the model sees them
	parts parts
	text  string
}

// New compiles the manual of the tools of a catalog, which may be nil. If some of them are lazy, it
// adds the loader: read calls by [Manual.Catalog] then. It takes time linear in the catalog; with a
// budget, the time of at most 20 prompts.
//
// It fails for a format or tags that [parse.Message] refuses, for tags that occur in result tags,
// in the notation of the signatures or in its explanation, and for a tool that key=value cannot
// express under [sig.Refuse]. If the tools and parameters alone exceed the budget, it returns an
// error and also the manual, which can still be used.
func New(catalog *sig.Catalog, opts *Options) (*Manual, error) {
	m := &Manual{catalog: catalog, plans: make(map[string]sig.Plan)}
	if opts != nil {
		m.opts = *opts
	}
	m.opts.Lazy.Loader = cmp.Or(m.opts.Lazy.Loader, defaultLoader)
	if m.opts.Count == nil {
		m.opts.Count = func(text string) int { return (len(text) + 3) / 4 }
	}
	m.format = cmp.Or(m.opts.Format, format.Wire)
	if m.opts.Tags != (parse.Tags{}) {
		own := *m.format
		own.Call = m.opts.Tags
		m.format = &own
	}
	if err := m.checkTags(); err != nil {
		return nil, err
	}
	if !m.isWire() { // the format lists all tools
		m.opts.Lazy.Tool = func(*sig.Tool) bool { return false }
	}
	m.addLoader()
	m.setGuards()
	if err := m.plan(); err != nil {
		return nil, err
	}
	m.parts = m.base()
	if m.isWire() {
		m.parts = m.fit(m.parts)
	}
	m.text = m.render(m.parts)
	if err := m.checkNotation(); err != nil {
		return nil, err
	}
	if n := m.opts.Count(m.text); m.opts.Budget > 0 && n > m.opts.Budget {
		return m, fmt.Errorf("manual: a budget of %d tokens cannot be kept: "+
			"the tools and parameters alone take %d", m.opts.Budget, n)
	}
	return m, nil
}

// addLoader adds the loader to the catalog if a tool is lazy and the catalog doesn't have one.
func (m *Manual) addLoader() {
	name := m.opts.Lazy.Loader
	isLazy := func(t *sig.Tool) bool { return t.Callable() && m.opts.Lazy.is(t) }
	isNeeded := slices.ContainsFunc(m.catalog.Tools(), isLazy)
	if isNeeded && m.catalog.Lookup([]byte(name)) == nil {
		m.loader = name
		m.catalog = m.catalog.With(sig.Tool{
			Name: name, Description: loaderDescription, Schema: []byte(loaderSchema),
		})
	}
}

// plan decides how each tool is announced.
func (m *Manual) plan() error {
	for _, t := range m.catalog.Tools() {
		seen := cmp.Or(m.opts.Model.Lookup([]byte(t.Name)), t)
		p, err := seen.Plan(m.opts.Form)
		if err != nil {
			return err
		}
		m.plans[t.Name] = p
		switch {
		case !p.Tool.Callable():
		case m.opts.Lazy.is(t):
			m.lazy = append(m.lazy, p.Tool)
		default:
			m.shown = append(m.shown, p)
		}
	}
	return nil
}

// checkNotation returns an error if tags occur in what explains the tools, beside the examples.
func (m *Manual) checkNotation() error {
	if !m.isWire() || m.format.Call == format.Wire.Call {
		return nil
	}
	lines := slices.Concat(m.parts.signatures, m.parts.deferred)
	for _, t := range m.lazy {
		lines = append(lines, m.loaded(m.plans[t.Name]))
	}
	if m.opts.Header == "" {
		lines = append(append(lines, introduction, m.parts.legend), m.parts.rules...)
	}
	for _, line := range lines {
		line, _, _ = strings.Cut(line, "\n")
		if m.guard.In(line) {
			return fmt.Errorf("manual: a tag of calls occurs in the notation of %q", line)
		}
	}
	return nil
}

// checkTags returns why calls cannot be read in the format, or shown beside results.
func (m *Manual) checkTags() error {
	tags := m.format.Call
	o := &parse.Options{Format: m.opts.Format, Tags: m.opts.Tags}
	if _, err := parse.Message(m.catalog, "", o); err != nil { // readers must take them too
		return fmt.Errorf("manual: %w", err)
	}
	if m.format.Prompt.Result != (parse.Tags{}) {
		return nil
	}
	const result, failure = "<" + resultTag, "<" + errorTag
	const frames = result + ` name="t">` + "\n\n</" + resultTag + ">\n" +
		failure + ` name="t">` + "\n\n</" + errorTag + ">"
	isIn := strings.Contains(frames, tags.Open) || strings.Contains(frames, tags.Close)
	for n := 1; n < len(tags.Open); n++ { // part of an opener may be before a result or after it
		before, after := tags.Open[n:], tags.Open[:n]
		for _, tag := range []string{result + ">", result + " ", failure + ">", failure + " "} {
			isIn = isIn || strings.HasPrefix(tag, before)
		}
		isIn = isIn || strings.HasSuffix(frames, after) ||
			strings.HasSuffix("</"+resultTag+">", after)
	}
	if isIn && tags.Open != "" {
		return errors.New("manual: a tag of calls occurs in the tags of results")
	}
	return nil
}

// Catalog returns the tools, with the loader if some are lazy. Calls must be read by it.
func (m *Manual) Catalog() *sig.Catalog { return m.catalog }

// Loader returns the name of the loader that [New] added, or "" if it added none. The application
// answers its calls by [Manual.Load].
func (m *Manual) Loader() string { return m.loader }

// String returns the prompt: what a model must know to call the tools. It is empty if there are no
// tools.
//
// It contains every tool that can be called, with its signature or as a lazy one. The examples read
// back and fit their schemas. No text of a schema can end a line or open a call. The same tools and
// options always give the same prompt, so a provider's prompt cache holds. Before the signatures it
// takes about 70 tokens for plain arguments; required strings of long formats, such as UUIDs, and
// the tools' own examples make the example longer, up to 200 bytes.
//
// Rule: manual.examples, manual.rules.
func (m *Manual) String() string { return m.text }

// Omitted returns what the signatures leave out, because of the budget or other options, such as
// "getWeather.location: description".
func (m *Manual) Omitted() (omitted []string) {
	for i := range m.parts.signatures {
		plan := m.shown[i]
		for _, o := range m.parts.notation.Omitted(plan) {
			place := strings.TrimSuffix(plan.Tool.Name+"."+o.Path, ".")
			omitted = append(omitted, place+": "+o.Name)
		}
	}
	return omitted
}

// MarshalJSON returns the prompt under the key text, the tags under open and close, and the parts
// of the prompt that aren't empty: header or else intro and legend, examples, rules, signatures,
// and for lazy tools loading and deferred. Signatures and deferred have a line for each tool. Under
// omitted is what [Manual.Omitted] returns.
func (m *Manual) MarshalJSON() ([]byte, error) {
	list := func(texts []string) (list [][]byte) {
		for _, text := range texts {
			list = append(list, rawjson.Quote(text))
		}
		return list
	}
	p := m.parts
	o := rawjson.Make("header", p.header, "intro", p.intro, "examples", list(p.examples),
		"rules", list(p.rules), "legend", p.legend, "signatures", list(p.signatures),
		"loading", p.loading, "deferred", list(p.deferred), "omitted", list(m.Omitted()))
	o = slices.DeleteFunc(o, func(part rawjson.Member) bool { return len(part.Value) == len(`""`) })
	tags := m.format.Call
	head := rawjson.Make("text", m.text, "open", tags.Open, "close", tags.Close)
	return append(head, o...).Append(nil), nil
}

// parts are the parts of a prompt. All are text that can be shown to a model as it is.
type parts struct {
	header     string   // of Options; it replaces everything up to the legend
	intro      string   // what to do, in one sentence
	examples   []string // calls of the caller's own tools
	rules      []string // what models get wrong, one sentence each
	legend     string   // what the marks in the signatures mean
	signatures []string // of the tools that aren't lazy: a line, and one for each own example
	deferred   []string // one line for each lazy tool: its name and description
	loading    string   // how to load these; empty if there are none
	notation   sig.SignatureOptions
}

// base returns the parts that don't depend on how signatures are written.
func (m *Manual) base() parts {
	p := parts{header: m.opts.Header, examples: m.examples()}
	if m.isWire() {
		p.rules = m.rules(p.examples)
	}
	if m.isWire() && p.header == "" {
		p.intro = m.intro(p.examples)
	}
	if len(m.lazy) > 0 {
		p.loading = m.loading()
	}
	return p
}

// compose adds the parts with signatures, and the tools' own examples to them.
func (m *Manual) compose(p parts, s sig.SignatureOptions, withExamples bool) parts {
	s.Tags = m.guard.Tags()
	p.notation = s
	for i := 0; i < len(m.lazy) && !m.opts.Lazy.HideNames; i++ {
		t := m.lazy[i]
		p.deferred = append(p.deferred, s.Signature(withoutArguments(t.Name, t.Summary())))
	}
	for _, plan := range m.shown {
		p.signatures = append(p.signatures, s.Signature(plan))
	}
	marks := marksIn(p.signatures)
	if p.header == "" {
		p.legend = legend(s, marks)
	}
	if marks["?"] {
		p.rules = append(slices.Clip(p.rules), ruleOptional)
	}
	for i := 0; withExamples && i < len(m.shown); i++ {
		for _, call := range m.ownExamples(m.shown[i]) {
			if !slices.Contains(p.examples, call) {
				p.signatures[i] += "\n" + call
			}
		}
	}
	return p
}

// render returns the prompt made of its parts.
func (m *Manual) render(p parts) string {
	switch {
	case m.opts.Off || len(m.catalog.Tools()) == 0:
		return ""
	case !m.isWire():
		return m.listing()
	}
	lines := []string{strings.TrimRight(p.header, "\n")}
	if p.header == "" {
		lines = append([]string{p.intro}, p.examples...)
		lines = append(append(lines, p.rules...), "", p.legend)
	}
	lines = append(lines, p.signatures...)
	if p.loading != "" {
		lines = append(append(lines, "", p.loading), p.deferred...)
	}
	return strings.Join(lines, "\n")
}

// AddPrompt returns the messages with the prompt in the first one, before its text or after it, if
// that is a system message, or in a system message before it: at the same place for the whole
// conversation, even if a system message comes later. The given messages are not changed.
func AddPrompt(messages []Message, prompt string, first bool) []Message {
	if prompt == "" {
		return messages
	}
	messages = slices.Clone(messages)
	if len(messages) == 0 {
		messages = []Message{{Role: System}}
	} else if role := messages[0].Role; role != System && role != "developer" {
		system := Message{Role: System, api: messages[0].api}
		messages = slices.Insert(messages, 0, system)
	}
	system := &messages[0]
	system.Parts = slices.Clone(system.Parts)
	if i := placeIn(system.Parts, first); i >= 0 {
		system.Parts[i].Text = merge(system.Parts[i].Text, prompt, first)
	} else {
		system.Parts = append(system.Parts, Part{Kind: Text, Text: prompt})
	}
	return messages
}

// placeIn returns the index of the text that the prompt goes into, the first or the last one, or -1
// if there is no text. Nothing after the last cache mark is cached, so if texts have such marks,
// the last text is the last marked one.
func placeIn(parts []Part, first bool) int {
	place, isMarked := -1, false
	for i := range parts {
		if parts[i].Kind != Text {
			continue
		}
		mark := parts[i].cacheMark() != nil
		if place < 0 || !first && (mark || !isMarked) {
			place, isMarked = i, mark
		}
	}
	return place
}

// merge returns the system text with the prompt before or after it. If one of them is empty, it
// returns the other. A prompt that the text already contains is not added again. The system text is
// kept byte for byte.
func merge(system, prompt string, first bool) string {
	switch {
	case strings.Contains(system, prompt):
		return system
	case system == "":
		return prompt
	case first:
		return prompt + "\n\n" + system
	case strings.HasSuffix(system, "\n"):
		return system + "\n" + prompt
	}
	return system + "\n\n" + prompt
}

const (
	// shortestDescription is the length in characters below which a description is useless.
	shortestDescription = 12

	// mostComments is the most characters that a tool's comments may have once the budget cuts
	// comments.
	mostComments = 1000
)

// fit returns the parts of the fullest prompt that fits the budget, or of the shortest prompt if
// none fits. It gives up the tools' own examples first, then, step by step, descriptions of
// parameters and descriptions of tools.
func (m *Manual) fit(base parts) parts {
	s := m.opts.Signatures
	comments, description := 0, 0 // how many steps each takes
	if !s.HideParameters {
		comments = cmp.Or(max(s.Budget, 0), mostComments)
	}
	if s.Description >= 0 {
		description = cmp.Or(s.Description, sig.DefaultDescription)
	}
	all := 1 + comments + description
	after := func(steps int) parts {
		s := s
		if steps > 1 {
			s.Budget = max(1+comments-steps, 1)
		}
		if left := all - steps; left < shortestDescription {
			s.Description = -1
		} else if left < description {
			s.Description = left
		}
		return m.compose(base, s, steps == 0)
	}
	if m.opts.Budget <= 0 {
		return after(0)
	}
	return after(sort.Search(all, func(steps int) bool {
		return m.opts.Count(m.render(after(steps))) <= m.opts.Budget
	}))
}
