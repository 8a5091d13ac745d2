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

// Options control how tools are explained to a model. The zero value suits most models.
type Options struct {
	// Off renders nothing, for models that know the format already.
	Off bool

	// Protocol is the format calls are written in; nil means the wire format. A
	// protocol that is a [parse.Prompter] lists the tools itself and has its own result
	// tags; the options below on the manual then have no effect.
	Protocol parse.Protocol

	// Delims are the tags around a call; zero means the default ones. Reader and writer
	// must use the same.
	Delims lexer.Delims

	// Signatures control how signatures are written. Their Tags are set to those that
	// no text of a schema may contain.
	Signatures sig.SignatureOptions

	// Plan decides which tools are announced in JSON.
	Plan sig.PlanOptions

	// Header, if set, replaces the default header. It must then explain the tags, the
	// rules and the notation of the signatures.
	Header string

	// Template, if set, assembles the manual. Nothing is added to what it returns.
	Template func(Parts) string

	// Placement is where Merge puts the manual.
	Placement Placement

	// Budget is the most tokens the manual should have, as Count counts them; 0 means
	// no limit. To meet it, descriptions of parameters, defaults and descriptions of
	// tools are given up, in this order, but no tool and no parameter. Without Count a
	// token is four bytes.
	Budget int
	Count  func(text string) int

	// Lazy leaves out the signatures of some tools until the model asks for them.
	Lazy Lazy

	// Model, if set, is what the model sees of the tools in it: they are announced from
	// it, but called and typed by the real catalog. Other tools are announced as they
	// are.
	Model *sig.Catalog

	against *lexeme.Guard // of the current tools; nil means every tool
}

// Placement is where the manual stands in the system text.
type Placement uint8

// The places for a manual.
const (
	Last  Placement = iota // after everything else
	First                  // before everything else
)

// Check returns what is wrong with the options for these tools: a [*DelimsError] for
// tags that are not legal, or that occur in result tags, in the notation of the tools'
// signatures or in its explanation; a [*sig.PlanError] for a tool that key=value cannot
// express under [sig.Refuse]; and, checked last, a [*BudgetError] for a budget that
// cannot be kept, with which the result of Render can still be used. It takes the time
// of Render.
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

// tags returns the call tags, or the default ones if they are not legal.
func (o Options) tags() lexer.Delims { return legal(o.Delims) }

// Guard returns the guard that neutralizes untrusted text, and restores it, for
// conversations with these tools; nil means any tool. See [Neutralize]. It takes time
// linear in the catalog if the tags of the Protocol depend on it.
//
// Rule: manual.neutralize.
func (o Options) Guard(catalog *sig.Catalog) lexeme.Guard {
	if p := o.prompter(); p != nil {
		return lexeme.NewGuard(p.Tags(catalog)...)
	}
	return guardOf(o.tags())
}

// among returns the options for a conversation with these tools.
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

// prompter returns the protocol if it lists tools itself, or nil.
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
