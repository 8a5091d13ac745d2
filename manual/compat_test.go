package manual

import (
	"errors"

	"github.com/callwire/callwire/internal/guard"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

func must(catalog *sig.Catalog, o Options) *Manual {
	m, err := New(catalog, &o)
	if m == nil {
		o.Tags = lexer.Delims{}
		o.Plan.Fallback = 0
		m, err = New(catalog, &o)
	}
	if over := new(BudgetError); err != nil && !errors.As(err, &over) {
		panic(err)
	}
	return m
}

func Render(catalog *sig.Catalog, o Options) string { return must(catalog, o).String() }

type HistoryOptions struct {
	Options
	Manual         string
	NeutralizeUser bool
	Report         func(*HistoryError)
	API            API
}

func (h HistoryOptions) Rewrite(catalog *sig.Catalog, messages []Message) ([]Message, error) {
	h.KeepUserText = !h.NeutralizeUser
	m, err := New(catalog, &h.Options)
	if over := new(BudgetError); err != nil && !errors.As(err, &over) {
		return nil, err
	}
	out, errs := m.Rewrite(messages)
	for _, err := range errs {
		if h.Report != nil {
			h.Report(err)
		}
	}
	return AddPrompt(out, h.Manual, h.Placement), nil
}

func (o Options) Feedback(catalog *sig.Catalog, s parse.Segment) string {
	return must(catalog, o).Feedback(s)
}
func (o Options) Result(name, text string) string { return must(nil, o).Result(name, text, false) }
func (o Options) ErrorResult(name, text string) string {
	return must(nil, o).Result(name, text, true)
}
func (o Options) Load(catalog *sig.Catalog, input []byte) string { return must(catalog, o).Load(input) }
func (o Options) LoadResult(catalog *sig.Catalog, name string, input []byte) string {
	return must(catalog, o).LoadResult(name, input)
}
func (o Options) Check(catalog *sig.Catalog) error { _, err := New(catalog, &o); return err }
func (o Options) Parts(catalog *sig.Catalog) Parts { return must(catalog, o).Parts() }
func (o Options) Example(catalog *sig.Catalog, p sig.Plan) (string, bool) {
	return must(catalog, o).Example(p.Tool.Name)
}
func (o Options) Guard(catalog *sig.Catalog) guard.Guard { return must(catalog, o).Guard() }
func Neutralize(text string, d lexer.Delims) string {
	return must(nil, Options{Tags: d}).Neutralize(text)
}
func Restore(text string, d lexer.Delims) string  { return must(nil, Options{Tags: d}).Restore(text) }
func (l Lazy) Extend(c *sig.Catalog) *sig.Catalog { return must(c, Options{Lazy: l}).Catalog() }
func (l Lazy) Add(tools []sig.Tool) []sig.Tool {
	c, err := sig.Compile(tools)
	if err != nil {
		panic(err)
	}
	var all []sig.Tool
	for _, t := range l.Extend(c).Tools() {
		all = append(all, *t)
	}
	return all
}
