package manual

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/guard"
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
	m.addLoader()
	m.setGuards()
	if err := m.plan(); err != nil {
		return nil, err
	}
	m.parts = m.fit(m.base())
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
	isLazy := slices.ContainsFunc(m.catalog.Tools(), m.opts.Lazy.is)
	if isLazy && m.catalog.Lookup([]byte(name)) == nil {
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
		p, err := m.opts.Plan.Plan(seen)
		if err != nil {
			return err
		}
		m.plans[t.Name] = p
		if m.opts.Lazy.is(t) {
			m.lazy = append(m.lazy, p.Tool)
		} else if p.Tool.Callable() {
			m.shown = append(m.shown, p)
		}
	}
	return nil
}

// checkNotation returns an error if tags occur in what explains the tools.
func (m *Manual) checkNotation() error {
	if !m.isWire() || m.format.Call == format.Wire.Call {
		return nil
	}
	if m.opts.Header == "" && m.guard.In(introduction+"\n"+ruleOptional+"\n"+m.parts.legend) {
		return fmt.Errorf("%w: what explains it", errInSignature)
	}
	lines := slices.Concat(m.parts.signatures, m.parts.deferred)
	for _, t := range m.lazy {
		lines = append(lines, m.loaded(m.plans[t.Name]))
	}
	if i := slices.IndexFunc(lines, m.guard.In); i >= 0 {
		name, _, _ := strings.Cut(lines[i], " ")
		return fmt.Errorf("%w: that of %s", errInSignature, name)
	}
	return nil
}

// errInResult is the reason that every result would look like a call.
var errInResult = errors.New("manual: a tag of calls occurs in the tags of results")

// errInSignature is the reason that the notation between names and types looks like a tag.
var errInSignature = errors.New("manual: a tag of calls occurs in the notation of signatures")

// checkTags returns why calls cannot be read in the format, or shown beside results.
func (m *Manual) checkTags() error {
	tags := m.format.Call
	o := &parse.Options{Format: m.opts.Format, Tags: m.opts.Tags}
	if _, err := parse.Message(m.catalog, "", o); err != nil { // readers must take them too
		return fmt.Errorf("manual: %w", err)
	}
	const frames = "<" + resultTag + ` name="t">` + "\n\n</" + resultTag + ">\n" +
		"<" + errorTag + ` name="t">` + "\n\n</" + errorTag + ">"
	isIn := strings.Contains(frames, tags.Open) || strings.Contains(frames, tags.Close)
	if m.format.Prompt.Result == (parse.Tags{}) && tags.Open != "" && isIn {
		return errInResult
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
// options always give the same prompt, so a provider's prompt cache holds.
//
// Rule: manual.examples, manual.rules.
func (m *Manual) String() string { return m.text }

// MarshalJSON returns the prompt under the key text, and the parts that it is made of: the tags
// under open and close, header or else intro and legend, examples, rules, signatures, and for lazy
// tools loading and deferred. Signatures and deferred have a line for each tool.
func (m *Manual) MarshalJSON() ([]byte, error) {
	p := m.parts
	if p.header != "" {
		p.intro, p.legend = "", ""
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(struct {
		Text       string   `json:"text"`
		Open       string   `json:"open"`
		Close      string   `json:"close"`
		Header     string   `json:"header,omitempty"`
		Intro      string   `json:"intro,omitempty"`
		Examples   []string `json:"examples"`
		Rules      []string `json:"rules"`
		Legend     string   `json:"legend,omitempty"`
		Signatures []string `json:"signatures"`
		Loading    string   `json:"loading,omitempty"`
		Deferred   []string `json:"deferred,omitempty"`
	}{
		m.text, m.format.Call.Open, m.format.Call.Close,
		p.header, p.intro, p.examples, p.rules, p.legend, p.signatures, p.loading, p.deferred,
	})
	return b.Bytes(), err
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
}

// base returns the parts that don't depend on how signatures are written.
func (m *Manual) base() parts {
	p := parts{header: m.opts.Header}
	p.examples = m.examples()
	if m.isWire() {
		p.intro = m.intro(p.examples)
		p.rules = m.rules()
	}
	if len(m.lazy) > 0 {
		p.loading = m.loading()
	}
	return p
}

// compose adds the parts with signatures, and the tools' own examples to them.
func (m *Manual) compose(p parts, s sig.SignatureOptions, withExamples bool) parts {
	s.Tags = m.guard.Tags()
	for _, t := range m.lazy {
		if !m.opts.Lazy.HideNames {
			line := s.Signature(withoutArguments(t.Name, t.Summary()))
			p.deferred = append(p.deferred, line)
		}
	}
	p.signatures = make([]string, len(m.shown))
	for i, plan := range m.shown {
		p.signatures[i] = s.Signature(plan)
	}
	marks := marksIn(p.signatures)
	p.legend = legend(s, marks)
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
	if m.opts.Off || m.catalog.Len() == 0 {
		return ""
	}
	if !m.isWire() {
		return m.listing()
	}
	return p.text()
}

// text returns the prompt made of the parts.
func (p parts) text() string {
	var lines []string
	if p.header != "" {
		lines = append(lines, strings.TrimRight(p.header, "\n"))
	} else {
		lines = append(append(lines, p.intro), p.examples...)
		for _, rule := range p.rules {
			lines = append(lines, "- "+rule)
		}
		lines = append(lines, "", p.legend)
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

// merge returns the system text with the prompt before or after it, separated by a blank line. If
// one of them is empty, it returns the other. A prompt that the text already contains is not added
// again. The system text is kept byte for byte.
func merge(system, prompt string, first bool) string {
	switch {
	case prompt == "" || strings.Contains(system, prompt):
		return system
	case system == "":
		return prompt
	case first:
		return prompt + gap(prompt) + system
	}
	return system + gap(system) + prompt
}

// gap returns the line ends that a blank line after text still needs.
func gap(text string) string {
	ends := len(text) - len(strings.TrimRight(text, "\n"))
	return strings.Repeat("\n", max(0, 2-ends))
}

const (
	// shortestDescription is the length in characters below which a description is useless.
	shortestDescription = 12

	// mostComments is the most characters that a tool's comments may have once the budget cuts
	// comments.
	mostComments = 1000
)

// fit returns the parts of the fullest prompt that fits the budget, or of the shortest prompt if
// none fits. It gives up the tools' own examples first, then descriptions of parameters, default
// values, and descriptions of tools.
func (m *Manual) fit(base parts) parts {
	fits := func(p parts) bool {
		return m.opts.Budget <= 0 || m.opts.Count(m.render(p)) <= m.opts.Budget
	}
	s := m.opts.Signatures
	for _, withExamples := range [...]bool{true, false} {
		if p := m.compose(base, s, withExamples); fits(p) {
			return p
		}
	}
	// Each saving shortens signatures by one step, on top of the ones before.
	comments, defaults, description := 0, 0, 0
	if !s.HideParameters {
		comments = cmp.Or(max(s.Budget, 0), mostComments)
	}
	if !s.HideDefaults {
		defaults = 1
	}
	if s.Description >= 0 {
		description = cmp.Or(s.Description, sig.DefaultDescription)
	}
	all := comments + defaults + description
	after := func(steps int) parts {
		s := s
		s.Budget = max(comments-steps, 0)
		if s.Budget == 0 {
			s.HideParameters = true
		}
		s.HideDefaults = s.HideDefaults || steps > comments
		switch left := all - steps; {
		case left >= description:
		case left < shortestDescription:
			s.Description = -1
		default:
			s.Description = left
		}
		return m.compose(base, s, false)
	}
	return after(sort.Search(all, func(steps int) bool { return fits(after(steps)) }))
}
