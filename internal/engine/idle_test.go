package engine_test

import (
	"runtime"
	"testing"

	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/internal/engine"
	"github.com/callwire/callwire/internal/format"
)

// A parser that waits for the next token of a model holds at most a kilobyte, whatever it has
// read, in every format and with all options.
func TestIdle(t *testing.T) {
	for k := range textFormats {
		f := &textFormats[k]
		for _, said := range []string{
			"", "Let me look. ", f.call + "Let me look. ", "<think>Let me look. ",
			"<think>I look.</think>\n```\nThen I look again. ",
			`<tool_call>{"name": "t", "arguments": {"a": 1}}</tool_call><CALL>t a=1</CALL>Let me look. `,
		} {
			all := engine.Options{Format: f.format, Repair: true, Reasoning: format.TaggedReasoning}
			size := idle(t, all, said)
			if size > 1024 {
				t.Errorf("%s: %d bytes after %q", all.Format, size, said)
			}
		}
	}
}

func TestIdleInCall(t *testing.T) {
	if size := idle(t, engine.Options{}, `<call>t a=1 b="x y" d.x=`); size > 5000 {
		t.Errorf("%d bytes", size)
	}
}

// idle returns how many bytes a parser holds after a text that comes in tokens.
func idle(t *testing.T, o engine.Options, said string) int {
	t.Helper()
	catalog, _ := sig.Compile([]byte(tools))
	config, err := engine.Compile(catalog, &o)
	if err != nil {
		t.Fatal(err)
	}
	heap := func() int {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	var parsers [500]*engine.Parser
	before := heap()
	for i := range parsers {
		parsers[i] = config.NewParser()
		token := make([]byte, 0, 4)
		for w := said; len(w) > 0; {
			k := min(cap(token), len(w))
			token = append(token[:0], w[:k]...)
			parsers[i].Feed(token)
			w = w[k:]
		}
	}
	size := (heap() - before) / len(parsers)
	runtime.KeepAlive(&parsers)
	return size
}
