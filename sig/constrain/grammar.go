package constrain

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/limits"
	"github.com/callwire/callwire/sig"
)

// Options control what a grammar derives. The zero value derives prose with any
// number of calls in the wire format.
type Options struct {
	Required bool     // at least one call
	Last     bool     // at most one call, and nothing after it but the end of its section
	Bare     bool     // calls only, no prose; in a section if the format has them
	Tools    []string // tools that may be called; nil means all

	// Format is how a call is written; nil means the wire format. Formats whose tags are named
	// after tools have no grammar.
	Format *format.Format
	Tags   format.Tags // around a call; zero means those of the format
	Form   sig.Form    // in the wire format

	// FreeKeys is how many properties with free names an object may have: 0 means
	// 1. No grammar can make two names differ, so with more of them a model can
	// repeat a name, which makes the call malformed.
	FreeKeys int
}

// ErrUnknownTool is the error of New for a name in Options.Tools that the catalog lacks.
var ErrUnknownTool = errors.New("constrain: unknown tool")

var (
	errNoTool    = errors.New("constrain: a call is required, but no tool can be called")
	errNoGrammar = errors.New("constrain: the format has no grammar")
)

// Grammar is the grammar of the messages that a model may write. It does not
// change, and may be used concurrently. The zero value, and nil, is that of a model
// without tools: prose alone.
type Grammar struct {
	o     Options // complete
	root  *rule
	call  *rule // what follows an opener, up to the closer; nil if no tool can be called
	notes []Note
}

// New returns the grammar of a catalog. It does not refuse any catalog: Notes returns
// what the grammar cannot express. It fails for invalid tags, with a *protocol.Error; for formats
// without a grammar, see Formats; for tools that do not exist, with ErrUnknownTool, or that
// Options.Form refuses; and if a call is required and none is possible.
//
// It takes time and memory linear in the catalog.
func New(catalog *sig.Catalog, o Options) (*Grammar, error) {
	o, err := o.complete(catalog)
	if err != nil {
		return nil, err
	}
	m := newMapper(o)
	words, err := m.tools(catalog)
	if err != nil {
		return nil, err
	}
	if len(words) == 0 && o.Required {
		return nil, errNoTool
	}
	call := m.define("call", m.words(words))
	closed := m.seq(call, m.literal(o.Tags.Close))
	root := m.declare("root").rule
	root.body = m.message(closed)
	m.measure()
	return &Grammar{o: o, root: root, call: call.rule, notes: m.notes}, nil
}

// complete returns the options with defaults filled in, or what is wrong with them.
func (o Options) complete(catalog *sig.Catalog) (Options, error) {
	if o.Format == nil {
		o.Format = format.Wire
	}
	own := *o.Format
	if o.Tags == (format.Tags{}) {
		o.Tags = o.Format.Call
	}
	own.Call = o.Tags
	if !hasGrammar(&own) {
		return o, fmt.Errorf("%w: %s", errNoGrammar, o.Format)
	}
	if err := own.Validate(); err != nil {
		return o, err
	}
	for _, name := range o.Tools {
		if catalog.Lookup([]byte(name)) == nil {
			return o, fmt.Errorf("%w: %q", ErrUnknownTool, name)
		}
	}
	o.FreeKeys = max(o.FreeKeys, 1)
	return o, nil
}

// hasGrammar reports whether calls in the format have a grammar: their tags are not named
// after tools, are ASCII, since engines disagree on other classes, and do not begin like a
// number, and no JSON value has the mark after a value between two strings.
func hasGrammar(f *format.Format) bool {
	tags := f.Call.Open + " " + f.Call.Close
	plain := !strings.ContainsFunc(tags, func(r rune) bool { return r >= 0x80 })
	plain = plain && !signed.MatchString(tags)
	punctuation := f.Body == format.Parameters && strings.Trim(f.Parameter.Close, `{}[]":, `) == ""
	return !f.ToolTags() && plain && !punctuation
}

var signed = regexp.MustCompile(`(?:^| )[+-][0-9]`)

// Formats returns the formats of the table that have a grammar.
func Formats() []*format.Format {
	return slices.DeleteFunc(format.All(), func(f *format.Format) bool { return !hasGrammar(f) })
}

// tools returns how each tool that can be called is called.
func (m *mapper) tools(catalog *sig.Catalog) ([]word, error) {
	unsupported := make(map[string][]sig.Problem)
	for _, p := range catalog.Problems() {
		if p.Code == "unsupported-keyword" {
			unsupported[p.Tool] = append(unsupported[p.Tool], p)
		}
	}
	var words []word
	var names []string
	for _, t := range catalog.Tools() {
		if m.o.Tools != nil && !slices.Contains(m.o.Tools, t.Name) {
			continue
		}
		p, err := t.Plan(m.o.Form)
		if err != nil {
			return nil, err
		}
		m.begin(t.Name)
		if head, rest, ok := m.call(p); ok {
			words, names = append(words, word{head, rest}), append(names, t.Name)
			m.noteUnsupported(unsupported[t.Name])
		}
	}
	m.measure()
	var live []word
	for i, w := range words {
		if !w.then.isDead() {
			live = append(live, w)
			continue
		}
		m.begin(names[i])
		m.note(leftOut, "required", "a required property has no possible value")
	}
	return live, nil
}

// message returns the messages; call is what follows an opener. Prose and the opener at its end
// are one token, since no lexer could know where to stop before the opener.
func (m *mapper) message(call *node) *node {
	open := m.o.Tags.Open
	quoted := regexp.QuoteMeta(open)
	if m.o.Bare {
		return m.calls(m.seq(m.literal(open), call))
	}
	upTo, _ := intersect([]string{quoted + "$"}, quoted+"(?s).")
	some, _ := intersect([]string{"(?s)."}, quoted)
	call = m.seq(m.token("open", m.spelled("open", upTo, m.class, empty)), call)
	if section := m.o.Format.Section; section.Close != "" && m.o.Last {
		call = m.seq(call, m.opt(m.literal(section.Close)))
	}
	prose := m.token("prose", m.spelled("prose", some, m.class, empty))
	switch calls := m.calls(call); {
	case m.o.Last && m.o.Required:
		return calls
	case m.o.Last:
		return m.opt(m.alt(call, prose))
	default:
		return m.seq(calls, m.opt(prose))
	}
}

// calls returns as many calls as a message may have. The tags around them are prose otherwise.
func (m *mapper) calls(call *node) *node {
	least, most := 0, limits.Unbounded
	if m.o.Required {
		least = 1
	}
	if m.o.Last {
		most = 1
	}
	section := m.o.Format.Section
	if !m.o.Bare || section.Open == "" {
		return m.repeat(call, least, most)
	}
	all := m.seq(m.literal(section.Open), m.repeat(call, 1, most), m.literal(section.Close))
	return m.repeat(all, least, 1)
}

// Notes returns where the grammar differs from the schemas of the tools, tool by
// tool. It does not list that dates such as 2023-02-30 and leap seconds at any time are
// derived, values that fit several alternatives of oneOf, and non-ASCII whitespace where a pattern
// has \S. The slice belongs to the grammar.
func (g *Grammar) Notes() []Note { return slices.Clip(g.orProse().notes) }

// orProse returns the grammar, or that of no tools for one that New did not make.
func (g *Grammar) orProse() *Grammar {
	if g == nil || g.root == nil {
		return prose()
	}
	return g
}

var prose = sync.OnceValue(func() *Grammar {
	g, _ := New(nil, Options{}) // it fails for names of tools alone, and where a call is required
	return g
})
