package parse_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
)

// preludeParts returns what a reader makes of a message in chunks of the given size.
func preludeParts(t *testing.T, o parse.Options, message string, size int) string {
	r, err := parse.NewReader(nil, o)
	if err != nil {
		t.Fatal(err)
	}
	var parts strings.Builder
	last := parse.NoPart
	read := func() {
		for part := r.Next(); part != parse.NoPart; part = r.Next() {
			switch {
			case part >= parse.CallPart && part < parse.ReasoningStartPart:
				s := r.Segment()
				fmt.Fprintf(&parts, "\n%d %d-%d %s", part, s.Start, s.End, s.Input)
			case part != last || part == parse.ReasoningStartPart:
				fmt.Fprintf(&parts, "\n%d ", part)
				fallthrough
			default:
				parts.Write(r.Delta())
			}
			last = part
		}
	}
	for range 2 { // Reset is new
		r.Reset()
		parts.Reset()
		last = parse.NoPart
		for i := 0; i < len(message); i += size {
			r.Feed([]byte(message[i:min(len(message), i+size)]))
			read()
		}
		r.Close()
		read()
	}
	return parts.String()
}

// TestInReasoning: to the first tag that closes reasoning a message is that, whatever the
// format of calls and the chunks; what comes after it is read as ever, at its offset.
func TestInReasoning(t *testing.T) {
	const call, leak = "<call>t a=1</call>", `<tool_call>{"name":"t","arguments":{"a":1}}</tool_call>`
	for _, p := range []parse.Protocol{nil, protocol.Hermes, protocol.Any(protocol.Hermes, protocol.Qwen3Coder)} {
		written, n := call, len(call)
		if p != nil {
			written, n = leak, len(leak)
		}
		for message, want := range map[string]string{
			"":         "",
			"no":       "\n6 \n7 no\n8 ",
			"a</think": "\n6 \n7 a</think\n8 ",
			"é<think>" + written + "</thin</think>b" + written: fmt.Sprintf("\n6 \n7 é<think>%s</thin\n8 </think>\n1 b\n4 %d-%d {\"a\":1}", written, n+24, n+24+n),
			"[/THINK]" + written:      fmt.Sprintf("\n6 \n8 [/THINK]\n4 8-%d {\"a\":1}", 8+n),
			"</think></think>":        "\n6 \n8 </think>\n1 </think>",
			"◁/think▷ok\xff":          "\n6 \n8 ◁/think▷\n1 ok\xff",
			"x\xe2\x97</thinking>end": "\n6 \n7 x\xe2\x97\n8 </thinking>\n1 end",
		} {
			for _, reasoning := range []bool{true, false} {
				for size := 1; size <= len(message)+1; size++ {
					o := parse.Options{Protocol: p, InReasoning: true, Reasoning: reasoning, Salvage: true, StopAfterMalformed: true, WholeCalls: true}
					if got := preludeParts(t, o, message, size); got != want {
						t.Fatalf("%v, %q by %d: got %q, want %q", p, message, size, got, want)
					}
				}
			}
		}
	}
}

// A message that breaks off takes no open call, wherever it was read to; one that ends may.
func TestPreludeBreaksOff(t *testing.T) {
	for _, abort := range []bool{false, true} {
		for _, early := range []bool{false, true} {
			r, err := parse.NewReader(nil, parse.Options{InReasoning: true, AcceptAtEnd: true})
			if err != nil {
				t.Fatal(err)
			}
			r.Feed([]byte("so</think><call>t a=1"))
			said := ""
			if !early {
				said = parts(r)
			}
			if abort {
				r.Abort()
			} else {
				r.Close()
			}
			said += parts(r)
			if strings.Contains(said, "call(") == abort || strings.Contains(said, "malformed(") != abort {
				t.Errorf("aborted %t, unread %t: %s", abort, early, said)
			}
		}
	}
}

// Text is skipped only after the reasoning, and steps are counted in both.
func TestPreludeSkips(t *testing.T) {
	r, err := parse.NewReader(nil, parse.Options{InReasoning: true})
	if err != nil {
		t.Fatal(err)
	}
	if r.Skip(3, nil) {
		t.Error("reasoning is skipped")
	}
	r.Feed([]byte("so</think>"))
	parts(r)
	before := r.Steps()
	if before < len("so") || !r.Skip(3, nil) {
		t.Errorf("%d steps, or text after the reasoning cannot be skipped", before)
	}
	r.Feed([]byte("<call>t</call>"))
	if got, want := parts(r), "start(t@13) call({} rest {})[13:27]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if r.Steps() <= before {
		t.Errorf("%d steps before a call, %d after it", before, r.Steps())
	}
}
