package middleware

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/sig/constrain"
)

// Engine is an upstream of chat completions that takes a grammar with a request,
// and lets the model write nothing else.
type Engine uint8

// The engines. Those of a tag take prose as it comes and a grammar for calls; where
// a call is required, the message begins with one.
const (
	NoEngine  Engine = iota
	LlamaCpp         // llama-server
	LocalAI          // as llama-server
	VLLM             // a grammar for all of a message
	VLLMTag          // a structural tag
	SGLang           // a grammar for all of a message
	SGLangTag        // a structural tag
	Fireworks        // a grammar for all of a message
)

var engineNames = [...]string{"none", "llama.cpp", "localai", "vllm", "vllm-tag", "sglang", "sglang-tag", "fireworks"}

// String returns the name of the engine, as ParseEngine takes it.
func (e Engine) String() string { return engineNames[e] }

// ParseEngine returns the engine of a name. The error lists the names.
func ParseEngine(name string) (Engine, error) {
	if i := slices.Index(engineNames[:], name); i >= 0 {
		return Engine(i), nil
	}
	return NoEngine, fmt.Errorf("an engine is one of %s, not %q", strings.Join(engineNames[:], ", "), name)
}

// Member returns the member of a request by which the engine takes the grammar, the
// value as JSON; the key is "" for NoEngine.
func (e Engine) Member(g *constrain.Grammar) (key string, value []byte) {
	switch e {
	case LlamaCpp, LocalAI:
		return "grammar", quoted(g.GBNF())
	case VLLM:
		return "structured_outputs", object{{"grammar", quoted(g.EBNF())}}.appendTo(nil)
	case SGLang:
		return "ebnf", quoted(g.EBNF())
	case VLLMTag, SGLangTag:
		return "response_format", g.StructuralTag()
	case Fireworks:
		return "response_format", object{{"type", quoted("grammar")}, {"grammar", quoted(g.GBNF())}}.appendTo(nil)
	}
	return "", nil
}

// maxGrammar is how many bytes of a grammar are sent with each request. Engines
// have limits of their own, which they tell.
const maxGrammar = 1 << 20

// grammars are the grammars of a set of tools, by what is asked for.
type grammars struct {
	mu    sync.Mutex
	known map[string]constraint
}

// constraint is a member of a request, or why there is none.
type constraint struct {
	key     string
	value   []byte
	problem string
}

// get returns the constraint for a request, made once.
func (g *grammars) get(catalog *sig.Catalog, want *demand, opts *Options) constraint {
	o := constrain.Options{Tools: want.allowed, Last: want.one, Delims: opts.Manual.Delims, Plan: opts.Manual.Plan}
	if want.mode == required {
		o.Mode = constrain.Required
	}
	key := fmt.Sprintf("%s %t %t %q", o.Mode, o.Last, o.Tools == nil, o.Tools) // no tool is not all of them
	g.mu.Lock()
	defer g.mu.Unlock()
	if c, ok := g.known[key]; ok {
		return c
	}
	c := makeConstraint(catalog, o, opts.Constrain)
	const most = 64 // subsets of the tools
	if g.known == nil || len(g.known) >= most {
		g.known = make(map[string]constraint)
	}
	g.known[key] = c
	return c
}

func makeConstraint(catalog *sig.Catalog, o constrain.Options, e Engine) (c constraint) {
	grammar, err := constrain.New(catalog, o)
	if err != nil {
		return constraint{problem: "not constrained: " + err.Error()}
	}
	if c.key, c.value = e.Member(grammar); len(c.value) > maxGrammar {
		return constraint{problem: fmt.Sprintf("not constrained: a grammar of %d bytes, where %d are sent", len(c.value), maxGrammar)}
	}
	return c
}

// constrain puts the grammar of the tools into a request, where the upstream takes
// one and the request has none of its own.
func (e *engine) constrain(req *http.Request, d *dialect, body object, want *demand, set *toolset) object {
	switch {
	case e.opts.Constrain == NoEngine || d != chatAPI || set.catalog == nil || want.mode == none:
		return body
	case len(want.native) > 0: // no engine takes both
		e.opts.warn(req, "not constrained: tools of the upstream's own")
		return body
	}
	c := set.grammars.get(set.catalog, want, &e.opts)
	if own := constraintOf(body); own != "" && c.problem == "" {
		c.problem = "not constrained: the request has its own " + own
	}
	if c.problem != "" {
		e.opts.warn(req, c.problem)
		return body
	}
	return body.set(c.key, c.value)
}

// constraintOf returns the member by which a request of chat completions says what
// may be written, or "". No engine takes two of them.
func constraintOf(body object) string {
	for _, key := range [...]string{"grammar", "json_schema", "structured_outputs", "ebnf", "regex"} {
		if body.has(key) {
			return key
		}
	}
	const key = "response_format"
	if body.has(key) && body.object(key).text("type") != "text" {
		return key
	}
	return ""
}
