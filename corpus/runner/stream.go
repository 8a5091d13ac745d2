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
// of the whole text, and none comes earlier than it can be certain or later than it must.
func judgeStream(c *corpus.Case, cuts []int, batches [][]corpus.Event) (v Failure) {
	j := corpus.Joiner{Unicode: utf8.Valid(c.Text)}
	for i, batch := range batches {
		for k := range batch {
			if err := j.Add(&batch[k]); err != nil {
				v.fault(err.Kind, "batches[%d][%d]: %v", i, k, err)
			}
		}
	}
	if err := j.Close(); err != nil && v.What == "" {
		v.fault(err.Kind, "%v", err)
	}
	if events := judgeEvents(c, j.Events); events.What != "" {
		if v.What == "" {
			return events
		}
		for _, fault := range append([]string{events.What}, events.More...) {
			v.fault("", "%s", fault)
		}
	} else if o := c.Options; v.What == "" && !o.Salvage && !o.Reasoning { // these hold back more
		timely(&v, c, append(slices.Clone(cuts), len(c.Text)), batches)
	}
	if v.What != "" {
		v.Want, v.Got = lines(c.Want.Events), flat(batches)
	}
	return v
}

// timely reports the first event that comes too late, or before it can be certain. The chunks end
// at ends.
func timely(v *Failure, c *corpus.Case, ends []int, batches [][]corpus.Event) {
	f := frameOf(c)
	out := 0 // up to where events are out
	for i, read := range ends {
		for k := range batches[i] {
			switch e := &batches[i][k]; {
			case e.Type == corpus.ToolCallEvent || e.Type == corpus.MalformedEvent:
				out = e.End
			case e.Type == corpus.TextDelta && f.open != "":
				out += len(e.Text)
			}
		}
		must, may := f.due(c, read)
		switch {
		case out < must:
			v.fault(late, "after %d bytes events are out up to %d, and must be up to %d",
				read, out, must)
			return
		case out > may:
			v.fault(early, "after %d bytes events are out up to %d, and are certain up to %d only",
				read, out, may)
			return
		}
	}
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
					stepLine(&want))
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

// due returns up to where the events of a text must and may be out when read bytes of it have been
// read: a call and a closed malformed span come with their last byte, another malformed span when
// the opener after it has turned out to begin a call, and text unless it may begin a call.
func (f frame) due(c *corpus.Case, read int) (must, may int) {
	must, may = 0, len(c.Text)
	if f.open != "" {
		must, may = f.held(c.Text[:read], c.Options.Limits.Bytes)
	}
	for i := range c.Want.Events {
		e := &c.Want.Events[i]
		if e.Type == corpus.TextEvent || e.Type == corpus.SectionEvent {
			continue
		}
		from, to := f.certain(c, i)
		if from > read {
			before := e.Start
			if f.open == "" {
				before = e.End - 1
			}
			return min(must, e.Start), min(may, before)
		}
		may = max(may, e.End)
		if to > read {
			return min(must, e.Start), may
		}
		must = max(must, e.End)
	}
	return must, may
}

// certain returns how many bytes must be read before an event that the case wants can come, and
// before it must have come: more than there are if only the end of the input makes it certain.
func (f frame) certain(c *corpus.Case, event int) (from, to int) {
	e := &c.Want.Events[event]
	closes := bytes.HasSuffix(c.Text[:e.End], []byte(f.close))
	if e.Closed || e.Type == corpus.ToolCallEvent && closes {
		return e.End, e.End
	}
	if f.open == "" && event+1 < len(c.Want.Events) { // what begins next makes it certain
		return e.End, c.Want.Events[event+1].End
	}
	if rest, ok := bytes.CutPrefix(c.Text[e.End:], []byte(f.open)); ok {
		body := len(c.Text) - len(bytes.TrimLeft(rest, space))
		return body + max(1, len(f.body)), body + max(1, len(f.body))
	}
	return len(c.Text) + 1, len(c.Text) + 1
}

// held returns up to which offset text must be out, and up to which it may be. An
// incomplete character may be held back; a tail that may begin a call has to be. most is
// the limit on the bytes of a call, if there is one.
func (f frame) held(text []byte, most int) (must, may int) {
	must, may = len(text), len(text)
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if tail := text[len(text)-n:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				must = len(text) - n
			}
			break
		}
	}
	at := f.pending(text)
	switch tail := string(text[at:]); {
	case tail == "":
		return must, may
	case strings.HasPrefix(f.open, tail) && 0 < most && most <= len(f.open):
		return at, may // no call is so short
	case strings.HasPrefix(f.open, tail), most == 0, len(tail) < most:
		return at, at
	}
	return at, may // an opener that fills the limit is text; its last byte has just shown it
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

// stepLine shows a step to people.
func stepLine(e *corpus.Event) string {
	parts := []string{e.Type, e.Name, e.Input, e.Code}
	if e.Type == corpus.TextDelta {
		parts = append(parts, quoteBytes(e.Text))
	}
	if e.Type == corpus.ToolInputDelta {
		parts = append(parts, quoteBytes([]byte(e.Delta)))
	}
	return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
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
			e := &batch[k]
			line := stepLine(e)
			if e.Type == corpus.ToolCallEvent || e.Type == corpus.MalformedEvent {
				line = eventLine(e)
			}
			all = append(all, strings.TrimSpace(line+" "+e.ID))
		}
	}
	return all
}
