package runner

import (
	"strings"

	"github.com/callwire/callwire/corpus"
)

// A frame describes the tags of calls, as far as they determine when an event is certain. It is
// empty for a protocol with tags that depend on the tools.
type frame struct {
	open, close string
	body        string // what follows the opener and whitespace; empty for any byte
}

// frames are the frames of the protocols, by name. Without an opener, the runner doesn't judge when
// text comes.
var frames = map[string]frame{
	"":            {"<call>", "</call>", ""},
	"hermes":      {"<tool_call>", "</tool_call>", "{"},
	"gemma-fence": {"```tool_call", "```", "{"},
	"qwen3-coder": {"<tool_call>", "</tool_call>", "<function="},

	"glm-4.5":       {close: "</tool_call>"},
	"kimi-k2":       {close: "<|tool_call_end|>"},
	"deepseek-v3.1": {close: "<｜tool▁call▁end｜>"},
}

func frameOf(c *corpus.Case) frame {
	if d := c.Delims; d != nil {
		return frame{open: d.Open, close: d.Close}
	}
	return frames[c.Protocol]
}

// pending returns the offset from which on text may become the beginning of a call, or
// its length.
func (f frame) pending(text string) int {
	at := len(text)
	for i := at; ; at = i {
		i = strings.LastIndexByte(text[:i], f.open[0])
		for i >= 0 && !f.begins(text[i:]) {
			i = strings.LastIndexByte(text[:i], f.open[0])
		}
		if i < 0 {
			return at
		}
	}
}

// begins reports whether a call may begin with tail and what is to come.
func (f frame) begins(tail string) bool {
	if strings.HasPrefix(f.open, tail) {
		return true
	}
	rest, opened := strings.CutPrefix(tail, f.open)
	rest = strings.TrimLeft(rest, " \t\r\n")
	return opened && (rest == "" || len(rest) < len(f.body) && strings.HasPrefix(f.body, rest))
}
