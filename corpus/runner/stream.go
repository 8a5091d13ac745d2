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
// events of the whole text, and none comes later than it must.
func judgeStream(c *corpus.Case, cuts []int, batches [][]step) verdict {
	f := folding{calls: map[string]bool{}}
	unicode := utf8.Valid(c.Text)
	for i, batch := range batches {
		for j := range batch {
			err := f.add(&batch[j])
			if err == nil && unicode && !utf8.Valid(batch[j].Text) {
				err = fmt.Errorf("text-delta ends within a character")
			}
			if err != nil {
				return verdict{fmt.Sprintf("batches[%d][%d]: %v", i, j, err), lines(c.Want.Events), flat(batches)}
			}
		}
	}
	if err := f.close(); err != nil {
		return verdict{err.Error(), lines(c.Want.Events), flat(batches)}
	}
	if v := judgeEvents(c.Want.Events, f.events); v.what != "" {
		return v
	}
	if err := prompt(c, cuts, batches); err != nil {
		return verdict{err.Error(), lines(c.Want.Events), flat(batches)}
	}
	return verdict{}
}

// folding joins the events of a stream to those of a whole text.
type folding struct {
	events []corpus.Event
	calls  map[string]bool // the ids that were given
	inText bool            // between text-start and text-end
	fresh  bool            // and nothing since text-start
	call   *begun
	end    int // of the last event
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
	case "text-start", corpus.ToolInputStart, corpus.MalformedEvent:
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
	switch s.Type {
	case "text-start":
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
		f.addText(s.Text)
	case corpus.ToolInputStart:
		if s.ID == "" || s.Name == "" {
			return fmt.Errorf("tool-input-start has no id or no name")
		}
		if f.calls[s.ID] {
			return fmt.Errorf("the id %q is given to a second call", s.ID)
		}
		f.calls[s.ID] = true
		f.call = &begun{id: s.ID, name: s.Name}
	case corpus.ToolInputDelta:
		if f.call.ended {
			return fmt.Errorf("tool-input-delta after tool-input-end")
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
	f.end = s.End
}

// close is told that there are no more events.
func (f *folding) close() error {
	switch {
	case f.call != nil:
		return fmt.Errorf("the call %s has begun and never ends", f.call.id)
	case f.inText:
		return fmt.Errorf("a text-end is missing at the end")
	}
	return nil
}

// prompt says which event comes too late: a sound call or a closed malformed
// span after its last byte, text that can be no beginning of a call, or what the
// case says itself.
func prompt(c *corpus.Case, cuts []int, batches [][]step) error {
	spans, end := 0, 0 // spans that are out, and where the last one ends
	text := 0          // bytes of text that are out since
	due := 0           // of c.Want.Events, those before it are out
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
				spans, end, text = spans+1, s.End, 0
			}
		}
		n := 0
		for due = range c.Want.Events {
			e := &c.Want.Events[due]
			if e.Start >= read {
				break
			}
			if e.Type == corpus.TextEvent {
				if e.Start < end {
					continue
				}
				if out, must := end+text, min(e.End, heldFrom(c.Text[:read])); out < must {
					return fmt.Errorf("after %d bytes text is out up to %d, and must be up to %d", read, out, must)
				}
				continue
			}
			n++
			certain := e.Closed || e.Type == corpus.ToolCallEvent && bytes.HasSuffix(c.Text[:e.End], []byte("</call>"))
			if certain && e.End <= read && n > spans {
				return fmt.Errorf("after %d bytes the %s that ends at %d is not out", read, e.Type, e.End)
			}
		}
	}
	for _, after := range c.Want.After {
		if err := checkAfter(after, cuts, len(c.Text), batches); err != nil {
			return err
		}
	}
	return nil
}

// heldFrom returns the offset from which text may be held back: that of a tail
// which may become the beginning of a call, or of an incomplete rune.
func heldFrom(text []byte) int {
	if at := bytes.LastIndexByte(text, '<'); at >= 0 {
		tail := string(text[at:])
		if strings.HasPrefix("<call>", tail) || strings.HasPrefix(tail, "<call>") && strings.Trim(tail[6:], " \t\r\n") == "" {
			return at
		}
	}
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if tail := text[len(text)-n:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				return len(text) - n
			}
			break
		}
	}
	return len(text)
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
