package middleware

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/sig/constrain"
)

// Engine is an upstream that takes a grammar with a request and makes the model follow
// it. All but OpenAICustomTool take one in chat completions.
type Engine uint8

// The engines. Those with a structural tag leave prose free and take a grammar for
// calls; if a call is required, the message begins with one.
const (
	NoEngine  Engine = iota
	LlamaCpp         // llama-server
	LocalAI          // as llama-server
	VLLM             // a grammar for all of a message
	VLLMTag          // a structural tag
	SGLang           // a grammar for all of a message
	SGLangTag        // a structural tag
	Fireworks        // a grammar for all of a message

	// OpenAI's own models follow a grammar in the input of a custom tool, in chat
	// completions and in responses. One such tool replaces all functions: what a model
	// writes into it is read as if it stood in its text. Responses whose history is on
	// the server (previous_response_id) are not constrained.
	OpenAICustomTool
)

var engineNames = [...]string{"none", "llama.cpp", "localai", "vllm", "vllm-tag", "sglang", "sglang-tag", "fireworks", "openai-custom-tool"}

// String returns the name of the engine, as ParseEngine takes it.
func (e Engine) String() string {
	if int(e) >= len(engineNames) {
		return fmt.Sprintf("Engine(%d)", int(e))
	}
	return engineNames[e]
}

// ParseEngine returns the engine with that name. The error lists the names.
func ParseEngine(name string) (Engine, error) {
	if i := slices.Index(engineNames[:], name); i >= 0 {
		return Engine(i), nil
	}
	return NoEngine, fmt.Errorf("an engine is one of %s, not %q", strings.Join(engineNames[:], ", "), name)
}

// Member returns the request member that carries the grammar to the engine, its value
// as JSON; the key is "" for NoEngine. For OpenAICustomTool it is the one in chat
// completions, whose grammar should have [constrain.Options].Bare.
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
	case OpenAICustomTool:
		return "tools", appendArray(nil, [][]byte{customTool(chatAPI, "call", g.Lark(), g.Delims())})
	}
	return "", nil
}

// maxGrammar is how many bytes of a grammar are sent with each request. Engines have
// limits of their own, and report them.
const maxGrammar = 1 << 20

// grammars are the grammars of a set of tools, by what is asked for.
type grammars struct {
	mu    sync.Mutex
	known map[string]constraint
}

// constraint is a member of a request, or the reason why there is none.
type constraint struct {
	key     string
	value   []byte
	delims  lexer.Delims // of the calls
	problem string
}

// get returns the constraint for a request, made once.
func (g *grammars) get(catalog *sig.Catalog, want *demand, opts *Options) constraint {
	o := constrain.Options{Tools: want.allowed, Last: want.one, Delims: opts.Manual.Delims, Plan: opts.Manual.Plan}
	if p := opts.Manual.Protocol; p != nil {
		known := false
		if o.Protocol, known = constrain.ParseProtocol(p.String()); !known {
			return constraint{problem: "not constrained: there is no grammar of " + p.String()}
		}
		if o.Protocol != constrain.Wire {
			o.Delims = lexer.Delims{} // others have their own
		}
	}
	if want.mode == required || opts.Constrain == OpenAICustomTool {
		o.Mode = constrain.Required
	}
	o.Bare = opts.Constrain == OpenAICustomTool
	key := fmt.Sprintf("%s %t %t %q", o.Mode, o.Last, o.Tools == nil, o.Tools) // no tools differs from all tools
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
	c.delims = grammar.Delims()
	if c.key, c.value = e.Member(grammar); e == OpenAICustomTool {
		c.value = []byte(grammar.Lark()) // the tool depends on the API
	}
	if len(c.value) > maxGrammar {
		return constraint{problem: fmt.Sprintf("not constrained: a grammar of %d bytes, where %d are sent", len(c.value), maxGrammar)}
	}
	return c
}

// constrain puts the grammar of the tools into a request, if the upstream takes one and
// the request has none of its own. It returns the name of the custom tool, if one is
// offered.
func (e *engine) constrain(req *http.Request, d *dialect, body object, want *demand, set *toolset) (rewritten object, tool string) {
	custom := e.opts.Constrain == OpenAICustomTool
	if e.opts.Constrain == NoEngine || d != chatAPI && !(custom && d == responsesAPI) || set.catalog == nil || want.mode == none {
		return body, ""
	}
	c := set.grammars.get(set.catalog, want, &e.opts)
	own := constraintOf(body)
	switch {
	case c.problem != "":
	case custom && (body.has("previous_response_id") || body.has("conversation")):
		c.problem = "not constrained: the history is at the server"
	case custom:
		return d.offer(body, want, string(c.value), c.delims)
	case len(want.native) > 0: // no engine takes both
		c.problem = "not constrained: tools of the upstream's own"
	case own != "":
		c.problem = "not constrained: the request has its own " + own
	}
	if c.problem != "" {
		e.opts.warn(req, c.problem)
		return body, ""
	}
	return body.set(c.key, c.value), ""
}

// constraintOf returns the member by which a chat completions request restricts what
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
