package manual

import (
	"fmt"
	"slices"
	"strings"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/lexer/lexeme"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// Options say how tools are explained to a model. The zero value is good for
// most of them.
type Options struct {
	// Off renders nothing, for models that know the format already.
	Off bool

	// Protocol says in which format calls are written; nil is the wire format. One
	// that is a [parse.Prompter] lists the tools itself, and has its own tags around
	// results; of the options below, those of the manual mean nothing then.
	Protocol parse.Protocol

	// Delims are the tags around a call; zero means the default ones. Reader and
	// writer must have the same.
	Delims lexer.Delims

	// Signatures say how the tools are written down. Their Tags are set to those
	// that no text of a schema may contain.
	Signatures sig.SignatureOptions

	// Plan says which tools are announced in JSON.
	Plan sig.PlanOptions

	// Header, if set, stands in the place of the default header. The tags, the
	// rules and what the signatures mean are then for it to explain.
	Header string

	// Template, if set, puts the manual together. Nothing is added to what it
	// returns.
	Template func(Parts) string

	// Placement says where Merge puts the manual.
	Placement Placement

	// Budget is how many tokens the manual should have at most, as Count counts
	// them; 0 is no bound. Descriptions of parameters, defaults and descriptions
	// of tools are given up for it, in this order, but no tool and no parameter.
	// Without Count a token is four bytes.
	Budget int
	Count  func(text string) int

	// Lazy leaves the signatures of some tools out, until the model asks.
	Lazy Lazy

	// Model, if set, has what the model is to see of the tools in it: they are
	// announced by it, and called and typed by the real catalog. Tools that are
	// not in it are announced as they are.
	Model *sig.Catalog

	against *lexeme.Guard // of the tools at hand; nil is that of every tool
}

// Placement is where the manual stands in the system text.
type Placement uint8

// The places for a manual.
const (
	Last  Placement = iota // after everything else
	First                  // before everything else
)

// Check says what is wrong with the options for these tools: tags that are not
// legal, or that occur in those of results, in the notation of the tools'
// signatures or in what explains it, which is a [*DelimsError], or under
// [sig.Refuse] a tool that key=value cannot carry, which is a [*sig.PlanError]. A
// budget that cannot be kept is a [*BudgetError], the last fault that is looked for:
// what Render returns then can be used all the same. It takes the time of Render.
func (o Options) Check(catalog *sig.Catalog) error {
	if err := checkDelims(o.Delims); err != nil {
		return err
	}
	if _, err := catalog.Plans(o.Plan); err != nil {
		return err
	}
	o = o.among(catalog)
	parts := o.Parts(catalog)
	if o.Header == "" && o.guard().In(parts.Legend) {
		return &DelimsError{o.Delims, fmt.Errorf("%w: what explains it", errInSignature)}
	}
	for _, line := range slices.Concat(parts.Signatures, parts.Deferred, o.loadable(catalog)) {
		if o.guard().In(line) {
			name, _, _ := strings.Cut(line, " ")
			return &DelimsError{o.Delims, fmt.Errorf("%w: that of %s", errInSignature, name)}
		}
	}
	return o.overBudget(catalog)
}

// tags returns the tags around calls, the default ones where those set are not
// legal.
func (o Options) tags() lexer.Delims { return legal(o.Delims) }

// Guard returns what neutralizes untrusted text, and restores it, where these tools can
// be called; a nil catalog knows every tool. See [Neutralize]. It takes time linear in
// the catalog where the tags of the Protocol depend on it.
//
// Rule: manual.neutralize.
func (o Options) Guard(catalog *sig.Catalog) lexeme.Guard {
	if p := o.prompter(); p != nil {
		return lexeme.NewGuard(p.Tags(catalog)...)
	}
	return guardOf(o.tags())
}

// among returns the options for text where these tools can be called.
func (o Options) among(catalog *sig.Catalog) Options {
	g := o.Guard(catalog)
	o.against = &g
	return o
}

// guard returns the guard against tags in untrusted text.
func (o Options) guard() lexeme.Guard {
	if o.against == nil {
		return o.Guard(nil)
	}
	return *o.against
}

// prompter returns the protocol, if it lists tools itself, or nil.
func (o Options) prompter() parse.Prompter {
	p, _ := o.Protocol.(parse.Prompter)
	return p
}

// signatures returns the options for signatures.
func (o Options) signatures() sig.SignatureOptions {
	s := o.Signatures
	s.Tags = o.guard().Tags()
	return s
}

// count returns how many tokens text has.
func (o Options) count(text string) int {
	if o.Count != nil {
		return o.Count(text)
	}
	return (len(text) + 3) / 4
}
