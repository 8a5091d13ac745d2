package runner

import (
	"bytes"
	"reflect"
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
		timely(&v, c, cuts, batches)
	}
	if v.What != "" {
		v.Want, v.Got = lines(c.Want.Events), flat(batches)
	}
	return v
}

// timely reports the first event that comes too late, or before it can be certain: a call
// and a closed malformed span come with their last byte, another malformed span when the
// opener after it has turned out to begin a call, and text unless it may begin a call. A
// case may require more.
func timely(v *Failure, c *corpus.Case, cuts []int, batches [][]corpus.Event) {
	p := progress{c: c, frame: frameOf(c)}
	for i := range c.Want.Events {
		if e := &c.Want.Events[i]; e.Type != corpus.TextEvent && e.Type != corpus.SectionEvent {
			from, to := certain(c, i)
			p.spans = append(p.spans, span{e, from, to})
		}
	}
	for i := range len(cuts) + 1 {
		read := len(c.Text)
		if i < len(cuts) {
			read = cuts[i]
		}
		p.take(batches[i])
		if p.judge(v, read) {
			return
		}
	}
	for _, after := range c.Want.After {
		checkAfter(v, after, cuts, len(c.Text), batches)
	}
}

// A span is a call or a malformed one. From is the number of bytes that must be read before it can
// come, to the number with which it must have come.
type span struct {
	*corpus.Event
	from, to int
}

// progress is what has come out of a stream so far.
type progress struct {
	c     *corpus.Case
	frame frame
	spans []span // that the case wants
	out   int    // how many of them are out
	end   int    // where the last of them ends
	text  int    // bytes of text since then
}

func (p *progress) take(batch []corpus.Event) {
	for i := range batch {
		switch e := &batch[i]; e.Type {
		case corpus.TextDelta:
			p.text += len(e.Text)
		case corpus.ToolCallEvent, corpus.MalformedEvent:
			p.out, p.end, p.text = p.out+1, e.End, 0
		}
	}
}

// judge reports whether something came too late or too early when read bytes were read.
func (p *progress) judge(v *Failure, read int) bool {
	if p.out > 0 && p.spans[p.out-1].from > read {
		e := p.spans[p.out-1].Event
		v.fault(early, "after %d bytes the %s that ends at %d is out, and cannot be certain yet",
			read, e.Type, e.End)
		return true
	}
	if p.out < len(p.spans) && p.spans[p.out].to <= read {
		e := p.spans[p.out].Event
		v.fault(late, "after %d bytes the %s that ends at %d is not out", read, e.Type, e.End)
		return true
	}
	next := len(p.c.Text)
	if p.out < len(p.spans) {
		next = p.spans[p.out].Start
	}
	if p.end >= next || p.end >= read || p.frame.open == "" {
		return false
	}
	must, may := p.frame.held(p.c.Text[:read], p.c.Options.Limits.Bytes)
	must, may = min(next, must), min(next, may)
	switch out := p.end + p.text; {
	case out < must:
		v.fault(late, "after %d bytes text is out up to %d, and must be up to %d", read, out, must)
	case out > may:
		v.fault(early,
			"after %d bytes text is out up to %d, and what is after %d may become a call",
			read, out, may)
	default:
		return false
	}
	return true
}

// certain returns how many bytes must be read before an event that the case wants can come, and
// before it must have come: more than there are if only the end of the input makes it certain.
func certain(c *corpus.Case, event int) (from, to int) {
	f, e := frameOf(c), &c.Want.Events[event]
	closes := bytes.HasSuffix(c.Text[:e.End], []byte(f.close))
	if e.Closed || e.Type == corpus.ToolCallEvent && closes {
		return e.End, e.End
	}
	if f.open == "" && event+1 < len(c.Want.Events) { // what begins next makes it certain
		return e.End, c.Want.Events[event+1].End
	}
	if rest, ok := bytes.CutPrefix(c.Text[e.End:], []byte(f.open)); ok {
		body := len(c.Text) - len(bytes.TrimLeft(rest, " \t\r\n"))
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

// checkAfter reports a step that must be out after some bytes and is not. Cut lists
// without a cut there show nothing.
func checkAfter(v *Failure, after corpus.After, cuts []int, n int, batches [][]corpus.Event) {
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
		return
	}
	out := joined(batches[:last+1])
	for i, want := range after.Steps {
		if i < len(out) && begins(want, out[i], i == len(after.Steps)-1) {
			continue
		}
		v.fault(late, "after %d bytes this must be out and is not: %s", after.Bytes, stepLine(want))
		return
	}
}

// begins reports whether a step is out. The last step may be longer than wanted.
func begins(want, got corpus.Step, last bool) bool {
	if last && bytes.HasPrefix(got.Text, want.Text) && strings.HasPrefix(got.Delta, want.Delta) {
		got.Text, got.Delta = want.Text, want.Delta
	}
	if !bytes.Equal(got.Text, want.Text) {
		return false
	}
	got.Text, want.Text = nil, nil
	return reflect.DeepEqual(got, want)
}

// joined returns the steps of batches: adjacent deltas are one.
func joined(batches [][]corpus.Event) (out []corpus.Step) {
	for _, batch := range batches {
		for i := range batch {
			e := &batch[i]
			if e.Type == corpus.TextStart || e.Type == corpus.TextEnd {
				continue
			}
			if n := len(out); n > 0 && out[n-1].Type == e.Type && strings.HasSuffix(e.Type,
				"-delta") {
				out[n-1].Text = append(out[n-1].Text, e.Text...)
				out[n-1].Delta += e.Delta
				continue
			}
			out = append(out, stepOf(e))
		}
	}
	return out
}

func stepOf(e *corpus.Event) corpus.Step {
	s := corpus.Step{Type: e.Type, Text: bytes.Clone(e.Text), Name: e.Name, Delta: e.Delta,
		Input: e.Input, Code: e.Code}
	if e.Type == corpus.MalformedEvent {
		s.Name = ""
	}
	return s
}

func stepLine(s corpus.Step) string {
	parts := []string{s.Type, s.Name, s.Input, s.Code}
	if s.Type == corpus.TextDelta {
		parts = append(parts, quoteBytes(s.Text))
	}
	if s.Type == corpus.ToolInputDelta {
		parts = append(parts, quoteBytes([]byte(s.Delta)))
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
			line := stepLine(corpus.Step{Type: e.Type, Text: e.Text, Name: e.Name, Delta: e.Delta})
			if e.Type == corpus.ToolCallEvent || e.Type == corpus.MalformedEvent {
				line = eventLine(e)
			}
			all = append(all, strings.TrimSpace(line+" "+e.ID))
		}
	}
	return all
}
