package arm

import (
	"encoding/json"
	"fmt"
	"maps"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/sig/constrain"
	"github.com/callwire/callwire/stream/middleware"
)

// engines returns the names of the engines that take a grammar in every request.
func engines() []string {
	all := middleware.Engines()
	return all[:len(all)-1] // the last one takes it in a tool
}

// setEngine keeps the model to a grammar, in the way of the engine of that name.
func setEngine(a *Arm, name string) error {
	values := map[string]func(){"off": func() {}}
	for _, known := range engines() {
		values[known] = func() { a.constrain = known }
	}
	return choose(name, values)
}

// grammar returns the grammar of the calls that the arm lets a model write.
func (a Arm) grammar(catalog *sig.Catalog) (*constrain.Grammar, error) {
	o := constrain.Options{Tags: a.manual.Tags, Plan: a.manual.Plan}
	if a.manual.Format != nil {
		if o.Format = format.Lookup(a.Mode); o.Format == nil {
			return nil, fmt.Errorf("there is no grammar of %s", a.Mode)
		}
	}
	return constrain.New(catalog, o)
}

// constrained returns the members of a request with the grammar among them. What
// is wrong with it is for Check to say.
func (a Arm) constrained(extra map[string]json.RawMessage, catalog *sig.Catalog) map[string]json.RawMessage {
	if a.constrain == "" {
		return extra
	}
	g, err := a.grammar(catalog)
	if err != nil {
		return extra
	}
	with := maps.Clone(extra)
	if with == nil {
		with = make(map[string]json.RawMessage)
	}
	member, value := middleware.GrammarMember(a.constrain, g)
	with[member] = value
	return with
}
