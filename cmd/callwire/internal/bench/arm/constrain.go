package arm

import (
	"encoding/json"
	"maps"

	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/sig/constrain"
)

// engine says where the requests of an engine have the grammar that a model is
// kept to.
type engine func(g *constrain.Grammar) (member string, value any)

func llamaCPP(g *constrain.Grammar) (string, any) { return "grammar", g.GBNF() }

func vLLM(g *constrain.Grammar) (string, any) {
	return "structured_outputs", map[string]string{"grammar": g.EBNF()}
}

func sgLang(g *constrain.Grammar) (string, any) { return "ebnf", g.EBNF() }

func fireworks(g *constrain.Grammar) (string, any) {
	return "response_format", map[string]string{"type": "grammar", "grammar": g.GBNF()}
}

// grammar returns the grammar of the calls that the arm lets a model write.
func (a Arm) grammar(catalog *sig.Catalog) (*constrain.Grammar, error) {
	return constrain.New(catalog, constrain.Options{Delims: a.manual.Delims, Plan: a.manual.Plan})
}

// constrained returns the members of a request with the grammar among them. What
// is wrong with it is for Check to say.
func (a Arm) constrained(extra map[string]json.RawMessage, catalog *sig.Catalog) map[string]json.RawMessage {
	if a.constrain == nil {
		return extra
	}
	g, err := a.grammar(catalog)
	if err != nil {
		return extra
	}
	member, value := a.constrain(g)
	text, err := json.Marshal(value)
	if err != nil {
		return extra
	}
	with := maps.Clone(extra)
	if with == nil {
		with = make(map[string]json.RawMessage)
	}
	with[member] = text
	return with
}
