package runner

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/callwire/callwire/corpus"
)

// judgeStream holds the batches of a stream against what the case wants: their
// events follow each other as the life of a message has it, joined they are the
// events of the whole text, and none comes earlier than it may or later than it
// must.
func judgeStream(c *corpus.Case, cuts []int, batches [][]step) (v verdict) {
	f := folding{calls: map[string]bool{}}
	unicode := utf8.Valid(c.Text)
	for i, batch := range batches {
		for j := range batch {
			if err := f.add(&batch[j]); err != nil {
				v.tell("batches[%d][%d]: %v", i, j, err)
			}
			if unicode && !utf8.Valid(batch[j].Text) {
				v.tell("batches[%d][%d]: text-delta ends within a character", i, j)
			}
		}
	}
	if err := f.close(); err != nil && v.what == "" {
		v.tell("%v", err)
	}
	if events := judgeEvents(c, f.events); events.what != "" {
		if v.what == "" {
			return events
		}
		for _, fault := range append([]string{events.what}, events.more...) {
			v.tell("%s", fault)
		}
	} else if o := c.Options; v.what == "" && !o.Salvage && !o.Reasoning { // under these, more is held back
		timely(&v, c, cuts, batches)
	}
	if v.what != "" {
		v.want, v.got = lines(c.Want.Events), flat(batches)
	}
	return v
}

// folding joins the events of a stream to those of a whole text.
type folding struct {
	events   []corpus.Event
	calls    map[string]bool // the ids that were given
	inText   bool            // between text-start and text-end
	fresh    bool            // and nothing since text-start
	ended    bool            // the last event is text-end
	thinking bool            // between reasoning-start and reasoning-end
	call     *begun
	end      int // of the last event
}

// begun is a call between its tool-input-start and its last event.
type begun struct {
	id, name string
	input    strings.Builder
	ended    bool
}

// add takes the next event of the stream.
func (f *folding) add(s *step) error {
	switch s.Type {
	case "text-start", corpus.ToolInputStart, corpus.MalformedEvent, "reasoning-start":
		if f.inText {
			return fmt.Errorf("%s before the text-end", s.Type)
		}
	}
	switch s.Type {
	case "text-start", "text-end", corpus.TextDelta, corpus.ToolInputStart:
		if f.call != nil {
			return fmt.Errorf("%s within the call %s", s.Type, f.call.id)
		}
	case corpus.ToolInputDelta, corpus.ToolInputEnd, corpus.ToolCallEvent:
		if f.call == nil {
			return fmt.Errorf("%s without tool-input-start", s.Type)
		}
		if s.ID != f.call.id {
			return fmt.Errorf("%s has the id %q, and the call that has begun is %q", s.Type, s.ID, f.call.id)
		}
	}
	afterText := f.ended
	f.ended = s.Type == "text-end"
	switch s.Type {
	case "text-start":
		if afterText {
			return fmt.Errorf("text-start directly after text-end: text that goes on is one block, however it is cut")
		}
		f.inText, f.fresh = true, true
	case "text-end":
		if !f.inText || f.fresh {
			return fmt.Errorf("text-end without text")
		}
		f.inText = false
	case corpus.TextDelta:
		if !f.inText {
			return fmt.Errorf("text-delta without text-start")
		}
		if len(s.Text) == 0 {
			return fmt.Errorf("text-delta is empty")
		}
		f.addText(s.Text)
	case "reasoning-start":
		f.events = append(f.events, corpus.Event{Type: corpus.ReasoningEvent, Start: s.Event.Start, End: s.Event.End})
		f.end, f.thinking = s.Event.End, true
	case "reasoning-delta", "reasoning-end":
		if !f.thinking {
			return fmt.Errorf("%s without reasoning-start", s.Type)
		}
		last := &f.events[len(f.events)-1]
		if last.Text = append(last.Text, s.Text...); s.Type == "reasoning-end" {
			last.End, f.end, f.thinking = s.Event.End, s.Event.End, false
		}
	case corpus.ToolInputStart:
		f.call = &begun{id: s.ID, name: s.Name}
		switch {
		case s.ID == "":
			return fmt.Errorf("tool-input-start has no id")
		case s.Name == "":
			return fmt.Errorf("tool-input-start has no name")
		case f.calls[s.ID]:
			return fmt.Errorf("the id %q is given to a second call", s.ID)
		}
		f.calls[s.ID] = true
	case corpus.ToolInputDelta:
		if f.call.ended {
			return fmt.Errorf("tool-input-delta after tool-input-end")
		}
		if s.Delta == "" {
			return fmt.Errorf("tool-input-delta is empty")
		}
		f.call.input.WriteString(s.Delta)
	case corpus.ToolInputEnd:
		if f.call.ended {
			return fmt.Errorf("a second tool-input-end")
		}
		f.call.ended = true
	case corpus.ToolCallEvent:
		switch deltas := f.call.input.String(); {
		case !f.call.ended:
			return fmt.Errorf("tool-call before tool-input-end")
		case s.Name != f.call.name:
			return fmt.Errorf("tool-call of %q, and %q has begun", s.Name, f.call.name)
		case deltas != s.Input:
			return fmt.Errorf("the deltas of the call are %s, and its input is %s", deltas, s.Input)
		}
		f.span(s)
	case corpus.MalformedEvent:
		switch {
		case f.call == nil && s.ID != "":
			return fmt.Errorf("malformed has the id %q of a call that never began", s.ID)
		case f.call != nil && s.ID != f.call.id:
			return fmt.Errorf("malformed has the id %q, and the call that has begun is %q", s.ID, f.call.id)
		case f.call != nil && f.call.ended:
			return fmt.Errorf("malformed after tool-input-end")
		case f.call != nil && s.Code == "unknown-tool":
			return fmt.Errorf("a call of an unknown tool has begun")
		}
		f.span(s)
	default:
		return fmt.Errorf("there is no type %q", s.Type)
	}
	return nil
}

func (f *folding) addText(text []byte) {
	f.fresh = f.fresh && len(text) == 0
	if len(text) == 0 {
		return
	}
	if n := len(f.events); n > 0 && f.events[n-1].Type == corpus.TextEvent {
		last := &f.events[n-1]
		last.Text = append(last.Text, text...)
		last.End += len(text)
	} else {
		f.events = append(f.events, corpus.Event{
			Type: corpus.TextEvent, Start: f.end, End: f.end + len(text), Text: bytes.Clone(text),
		})
	}
	f.end += len(text)
}

// span takes the last event of a call.
func (f *folding) span(s *step) {
	f.call = nil
	f.events = append(f.events, s.Event)
	f.end = s.Event.End
}

// close is told that there are no more events.
func (f *folding) close() error {
	switch {
	case f.call != nil:
		return fmt.Errorf("the call %s has begun and never ends", f.call.id)
	case f.thinking:
		return fmt.Errorf("a reasoning-end is missing at the end")
	case f.inText:
		return fmt.Errorf("a text-end is missing at the end")
	}
	return nil
}

// timely says which event comes too late, or before it can be certain: a sound
// call and a closed malformed span with their last byte, another malformed span
// when the opener after it has shown that it begins a call, text that can be no
// beginning of a call, or what the case says itself.
func timely(v *verdict, c *corpus.Case, cuts []int, batches [][]step) {
	var spans []span
	for i := range c.Want.Events {
		if e := &c.Want.Events[i]; e.Type != corpus.TextEvent {
			spans = append(spans, span{e, certain(c, e)})
		}
	}
	most, f := c.Options.Limits.Bytes, frameOf(c)
	out, end, text := 0, 0, 0 // spans that are out, where the last one ends, and the text since
	for i := range len(cuts) + 1 {
		read := len(c.Text)
		if i < len(cuts) {
			read = cuts[i]
		}
		for j := range batches[i] {
			switch s := &batches[i][j]; s.Type {
			case corpus.TextDelta:
				text += len(s.Text)
			case corpus.ToolCallEvent, corpus.MalformedEvent:
				out, end, text = out+1, s.Event.End, 0
			}
		}
		if out > 0 && spans[out-1].certain > read {
			e := spans[out-1].Event
			v.tell("after %d bytes the %s that ends at %d is out, and cannot be certain yet", read, e.Type, e.End)
			return
		}
		if out < len(spans) && spans[out].certain <= read {
			e := spans[out].Event
			v.tell("after %d bytes the %s that ends at %d is not out", read, e.Type, e.End)
			return
		}
		next := len(c.Text)
		if out < len(spans) {
			next = spans[out].Start
		}
		if end < next && end < read && f.open != "" {
			must, may := f.held(c.Text[:read], most)
			must, may = min(next, must), min(next, may)
			switch {
			case end+text < must:
				v.tell("after %d bytes text is out up to %d, and must be up to %d", read, end+text, must)
				return
			case end+text > may:
				v.tell("after %d bytes text is out up to %d, and what is after %d may become a call", read, end+text, may)
				return
			}
		}
	}
	for _, after := range c.Want.After {
		if err := checkAfter(after, cuts, len(c.Text), batches); err != nil {
			v.tell("%v", err)
		}
	}
}

// A span is a call or a malformed one, with the number of bytes that must be read
// until it is certain.
type span struct {
	*corpus.Event
	certain int
}

// certain returns how many bytes must be read until e is certain; more than there
// are where only the end of the input makes it so.
func certain(c *corpus.Case, e *corpus.Event) int {
	f := frameOf(c)
	if e.Closed || e.Type == corpus.ToolCallEvent && bytes.HasSuffix(c.Text[:e.End], []byte(f.close)) {
		return e.End
	}
	if rest, ok := bytes.CutPrefix(c.Text[e.End:], []byte(f.open)); ok && f.open != "" {
		return len(c.Text) - len(bytes.TrimLeft(rest, " \t\r\n")) + max(1, len(f.body))
	}
	return len(c.Text) + 1
}

// held returns up to which offset text must be out, and up to which it may be. It
// may be held back from a tail that may become the beginning of a call, and from
// an incomplete character; the former has to be.
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
	if at := f.pending(string(text)); at < len(text) {
		switch tail := string(text[at:]); {
		case strings.HasPrefix(f.open, tail) && 0 < most && most <= len(f.open):
			return at, may // no call is so short
		case strings.HasPrefix(f.open, tail), most == 0, len(tail) < most:
			return at, at
		default: // an opener that fills the limit is text; its last byte has just shown it
			return at, may
		}
	}
	return must, may
}

// checkAfter says whether what must be out is not. Cut lists without a cut at
// the place say nothing of it.
func checkAfter(after corpus.After, cuts []int, n int, batches [][]step) error {
	last := -1
	for i := range len(cuts) + 1 {
		read := n
		if i < len(cuts) {
			read = cuts[i]
		}
		if read == after.Bytes {
			last = i
		}
	}
	if last < 0 {
		return nil
	}
	out := joined(batches[:last+1])
	for i, want := range after.Steps {
		if i < len(out) {
			got := out[i]
			if i == len(after.Steps)-1 && strings.HasPrefix(string(got.Text), string(want.Text)) && strings.HasPrefix(got.Delta, want.Delta) {
				got.Text, got.Delta = want.Text, want.Delta
			}
			if got.Type == want.Type && string(got.Text) == string(want.Text) && got.Name == want.Name &&
				got.Delta == want.Delta && got.Input == want.Input && got.Code == want.Code {
				continue
			}
		}
		return fmt.Errorf("after %d bytes this must be out and is not: %s", after.Bytes, stepLine(want))
	}
	return nil
}

// joined returns the steps of batches, with deltas joined and without the events
// around text.
func joined(batches [][]step) []corpus.Step {
	var out []corpus.Step
	for _, batch := range batches {
		for i := range batch {
			s := &batch[i]
			if s.Type == "text-start" || s.Type == "text-end" {
				continue
			}
			if n := len(out); n > 0 && out[n-1].Type == s.Type && strings.HasSuffix(s.Type, "-delta") {
				out[n-1].Text = append(out[n-1].Text, s.Text...)
				out[n-1].Delta += s.Delta
				continue
			}
			next := corpus.Step{Type: s.Type, Text: bytes.Clone(s.Text), Delta: s.Delta, Input: s.Input, Code: s.Code}
			if s.Type != corpus.MalformedEvent {
				next.Name = s.Name
			}
			out = append(out, next)
		}
	}
	return out
}

func stepLine(s corpus.Step) string {
	parts := []string{s.Type, s.Name, s.Input, s.Code}
	if s.Type == corpus.TextDelta {
		parts = append(parts, quote(string(s.Text)))
	}
	if s.Type == corpus.ToolInputDelta {
		parts = append(parts, quote(s.Delta))
	}
	return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
}

// chunkEnd stands between the events of two chunks, for people.
const chunkEnd = "---"

// flat returns the events of a stream for people, with a line of dashes where a
// chunk ends.
func flat(batches [][]step) []string {
	var all []string
	for i, batch := range batches {
		if i > 0 {
			all = append(all, chunkEnd)
		}
		for j := range batch {
			s := &batch[j]
			switch s.Type {
			case corpus.ToolCallEvent, corpus.MalformedEvent:
				all = append(all, strings.TrimSpace(eventLine(&s.Event)+" "+s.ID))
			default:
				line := stepLine(corpus.Step{Type: s.Type, Text: s.Text, Name: s.Name, Delta: s.Delta})
				all = append(all, strings.TrimSpace(line+" "+s.ID))
			}
		}
	}
	return all
}
