package runner

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/callwire/callwire/corpus"
)

// judgeStream compares the events of a stream, a batch for each chunk and one for the
// end, with what the case wants: each may occur where it does, joined they are the events
// of the whole text, and none comes before its bytes or later than it must.
func judgeStream(c *corpus.Case, cuts []int, batches [][]corpus.Event) (v Failure) {
	var untimely Failure
	whole := *c
	whole.Text = c.Whole()
	c = &whole
	f := frameOf(c)
	ends := append(slices.Clone(cuts), len(c.Text))
	j := corpus.Joiner{Unicode: utf8.Valid(c.Text)}
	for i, batch := range batches {
		for k := range batch {
			if kind, err := j.Add(&batch[k]); err != nil {
				v.fault(kind, "batches[%d][%d]: %v", i, k, err)
			}
		}
		if i < len(ends) && untimely.What == "" {
			f.timely(&untimely, c, ends[i], j.Events)
		}
	}
	if kind, err := j.Close(); err != nil && v.What == "" {
		v.fault(kind, "%v", err)
	}
	events := judgeEvents(c, j.Events)
	if v.What == "" {
		v = events
	}
	if o := c.Options; v.What == "" && !o.Salvage && !o.Reasoning { // these hold back more
		v = untimely
		reached(&v, c, ends, batches)
	}
	if v.What != "" {
		v.Want, v.Got = lines(c.Want.Events), flat(batches)
	}
	return v
}

// timely adds a fault if what is out after the first bytes of a text is too little or too much.
func (f frame) timely(v *Failure, c *corpus.Case, read int, events []corpus.Event) {
	out, must := 0, f.due(c, read)
	if len(events) > 0 {
		out = events[len(events)-1].End
	}
	switch {
	case out < must:
		v.fault(late, "after %d bytes events are out up to %d, and must be up to %d",
			read, out, must)
	case out > read:
		v.fault("events come early", "after %d bytes events are out up to %d", read, out)
	}
}

// reached adds a fault for a step that a case wants after some bytes and that is not out then.
func reached(v *Failure, c *corpus.Case, ends []int, batches [][]corpus.Event) {
	for _, after := range c.Want.After {
		at := len(ends) - 1
		for at >= 0 && ends[at] != after.Bytes {
			at--
		}
		if at < 0 {
			continue // without a cut there it can't be seen
		}
		out := steps(batches[:at+1])
		for i, want := range after.Steps {
			if i >= len(out) || !begins(want, out[i], i == len(after.Steps)-1) {
				v.fault(late, "after %d bytes this must be out and is not: %s", after.Bytes,
					eventLine(&want))
				return
			}
		}
	}
}

// A frame describes the tags of calls, as far as they determine when an event is certain. Without
// an opener, because it depends on the tools, the runner doesn't judge when text comes.
type frame struct {
	open, close string
	body        string // what follows the opener and whitespace; empty for any byte
}

// frames are the frames of the protocols, by name.
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

// due returns up to where the events of a text must be out when read bytes of it have been read: a
// call and a closed malformed span come with their last byte, another malformed span with the event
// after it at the latest, and text unless it may begin a call.
func (f frame) due(c *corpus.Case, read int) int {
	must := 0
	if f.open != "" {
		must = f.decided(c.Text[:read])
	}
	for i := range c.Want.Events {
		e := &c.Want.Events[i]
		if e.Type == corpus.TextEvent || e.Type == corpus.SectionEvent {
			continue
		}
		certain := len(c.Text) + 1 // not before the end
		closes := bytes.HasSuffix(c.Text[:e.End], []byte(f.close))
		if e.Closed || e.Type == corpus.ToolCallEvent && closes {
			certain = e.End
		} else if i+1 < len(c.Want.Events) {
			certain = c.Want.Events[i+1].End
		}
		if certain > read {
			return min(must, e.Start)
		}
		must = max(must, e.End)
	}
	return must
}

// decided returns up to which offset text must be out. An incomplete character may be held back,
// and so may a tail that may begin a call.
func (f frame) decided(text []byte) int {
	at := f.pending(text)
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if tail := text[len(text)-n:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				at = min(at, len(text)-n)
			}
			break
		}
	}
	return at
}

// pending returns the offset from which on text may become the beginning of a call, or
// its length.
func (f frame) pending(text []byte) int {
	// An opener is followed by whitespace and the beginning of a body at most.
	head := bytes.TrimRight(text[:max(0, len(text)-len(f.body))], space)
	for i := max(0, len(head)-len(f.open)); i < len(text); i++ {
		if text[i] == f.open[0] && f.begins(string(text[i:])) {
			return i
		}
	}
	return len(text)
}

// space is whitespace between an opener and a body.
const space = " \t\r\n"

// begins reports whether a call may begin with tail and what is to come.
func (f frame) begins(tail string) bool {
	if strings.HasPrefix(f.open, tail) {
		return true
	}
	rest, opened := strings.CutPrefix(tail, f.open)
	rest = strings.TrimLeft(rest, space)
	return opened && (rest == "" || len(rest) < len(f.body) && strings.HasPrefix(f.body, rest))
}

// begins reports whether a step is out. The last step may be longer than wanted.
func begins(want, got corpus.Event, last bool) bool {
	if last && bytes.HasPrefix(got.Text, want.Text) && strings.HasPrefix(got.Delta, want.Delta) {
		got.Text, got.Delta = want.Text, want.Delta
	}
	return reflect.DeepEqual(got, want)
}

// steps returns the steps of batches.
func steps(batches [][]corpus.Event) (out []corpus.Event) {
	for _, e := range slices.Concat(batches...) {
		if e.Type == corpus.TextStart || e.Type == corpus.TextEnd {
			continue
		}
		n := len(out)
		if n > 0 && out[n-1].Type == e.Type && strings.HasSuffix(e.Type, "-delta") {
			out[n-1].Text = append(out[n-1].Text, e.Text...)
			out[n-1].Delta += e.Delta
			continue
		}
		step := corpus.Event{Type: e.Type, Text: bytes.Clone(e.Text), Name: e.Name,
			Delta: e.Delta, Input: e.Input, Code: e.Code}
		if e.Type == corpus.MalformedEvent {
			step.Name = ""
		}
		out = append(out, step)
	}
	return out
}

// chunkEnd separates the events of two chunks, for people.
const chunkEnd = "---"

// flat returns the events of a stream for people.
func flat(batches [][]corpus.Event) (all []string) {
	for i, batch := range batches {
		if i > 0 {
			all = append(all, chunkEnd)
		}
		for k := range batch {
			all = append(all, strings.TrimSpace(eventLine(&batch[k])+" "+batch[k].ID))
		}
	}
	return all
}
