// Package engines is about the servers of models that take a grammar with a request and
// make the model follow it.
package engines

import (
	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/sig/constrain"
)

// Custom means OpenAI's own models. They follow a grammar in the input of a custom tool, in
// chat completions and in responses.
const Custom = "openai-custom-tool"

// Names are the names of the engines. Those with a structural tag leave prose free and take
// a grammar for calls. All but Custom take a grammar in chat completions.
var Names = []string{
	"llama.cpp", "localai", "vllm", "vllm-tag", "sglang", "sglang-tag", "fireworks", Custom,
}

// Member returns the request member that carries a grammar to an engine, its value as
// JSON. The key is "" for the custom tool, whose form depends on the API: the value is the
// grammar then.
func Member(engine string, g *constrain.Grammar) (key string, value []byte) {
	switch engine {
	case "llama.cpp", "localai":
		return "grammar", rawjson.Quote(g.GBNF())
	case "vllm":
		return "structured_outputs", rawjson.Make("grammar", g.GBNF()).Append(nil)
	case "sglang":
		return "ebnf", rawjson.Quote(g.GBNF())
	case "vllm-tag", "sglang-tag":
		return "response_format", g.StructuralTag()
	case "fireworks":
		value = rawjson.Make("type", "grammar", "grammar", g.GBNF()).Append(nil)
		return "response_format", value
	}
	return "", []byte(g.Lark())
}
