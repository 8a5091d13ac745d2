package fuzz

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/stream"
)

// Sample is a message and the way it is read.
type Sample struct {
	Setup
	In   []byte
	Cuts []byte // lengths of chunks; the last chunk is the rest
}

// SampleOf returns a message in a format.
func SampleOf(s Source, f *protocol.Format) Sample {
	sample := Sample{Setup: SetupOf(s, f)}
	sample.In = sample.Message(s)
	sample.Cuts = Cuts(s, len(sample.In))
	return sample
}

// String describes the sample for a failed test.
func (s Sample) String() string {
	o := s.Options
	o.NewID = nil
	tools := len(s.Catalog.Tools())
	return fmt.Sprintf("%q cut %v\n%s %+v, %d tools", s.In, s.Cuts, s.Format, o, tools)
}

// Property holds for every message in every setup. Check returns what is wrong, or "".
type Property struct {
	Name    string
	Check   func(Sample) string
	Formats []*protocol.Format // for which it means something; nil means all
}

// Properties are the promises of reading.
var Properties = []Property{
	{"totality", total, nil},
	{"split invariance", split, nil},
	{"split invariance of objects", split, objects},
	{"reassembly", brokenOff, nil},
	{"minimal hold-back", heldBack, nil},
	{"promptness", late, nil},
	{"truncation", truncated, nil},
	{"exact limits", limited, nil},
	{"linear work", laborious, nil},
	{"fast path", shortcut, nil},
	{"grammar", ungrammatical, Oracles},
	{"whole is streamed", streamed, nil},
	{"transparency", opaque, nil},
	{"local recovery", recovered, nil},
	{"concatenation", concatenated, nil},
	{"reset is new", reset, nil},
	{"ownership", owned, nil},
	{"strict is a subset", strict, nil},
	{"soundness", unsound, nil},
	{"repairs invent nothing", invented, nil},
	{"order of formats", ordered, Sets},
}

// objects are the formats whose calls may contain one JSON object.
var objects = []*protocol.Format{
	protocol.Wire, protocol.Hermes, protocol.KimiK2, protocol.DeepSeekV31, protocol.MorphXML,
}

// applies reports whether the property means something for a format.
func (p Property) applies(f *protocol.Format) bool {
	return p.Formats == nil || slices.Contains(p.Formats, f)
}

// formats returns those for which the property means something.
func (p Property) formats() []*protocol.Format {
	if p.Formats == nil {
		return Formats
	}
	return p.Formats
}

// chunks returns the message in its chunks.
func (s Sample) chunks() [][]byte { return Chunks(s.In, s.Cuts) }

// total: any bytes are read to their end, and what is emitted keeps the promises of a [Reader]: it
// is not taken back, its spans tile the message, and its deltas are the text and the arguments.
func total(s Sample) string {
	if _, err := s.Setup.Read(s.chunks()...); err != nil {
		return err.Error()
	}
	return ""
}

// split: at any cuts the parts are the same, and so is the input that was emitted of a malformed
// call.
func split(s Sample) string {
	whole := NewReader(s.Setup)
	whole.Read(s.In)
	for _, chunks := range [][][]byte{s.chunks(), Sized(s.In, 1)} {
		r := NewReader(s.Setup)
		r.Read(chunks...)
		if diff := Differ(whole.Events, r.Events); diff != "" {
			return fmt.Sprintf("%q: %s", chunks, diff)
		}
		if !slices.Equal(whole.Dropped, r.Dropped) {
			return fmt.Sprintf("%q: emitted of malformed calls %q, want %q",
				chunks, r.Dropped, whole.Dropped)
		}
	}
	return ""
}

// brokenOff: wherever a message breaks off, nothing is lost, and no call is accepted at its end.
func brokenOff(s Sample) string {
	for _, read := range []int{len(s.In) / 3, len(s.In) * 2 / 3, len(s.In)} {
		r := s.begin(Chunks(s.In[:read], s.Cuts)...)
		calls := countOf(r.Events, callPart)
		r.Abort()
		if r.Err != nil {
			return fmt.Sprintf("broken off at %d: %v", read, r.Err)
		}
		undecided := s.fence() || s.Format.NeedsTools() // a mention, or a call?
		if countOf(r.Events, callPart) != calls && !undecided {
			return fmt.Sprintf("broken off at %d: the end accepts a call", read)
		}
	}
	return ""
}

func countOf(parts []Part, kind string) (n int) {
	for _, p := range parts {
		if p.Type == kind {
			n++
		}
	}
	return n
}

// heldBack: outside of calls, only what may be the beginning of a tag is held back. Where readers
// look for many tags, with Repair and in reasoning, four bytes may look like one and be none.
func heldBack(s Sample) string {
	in := s.In[:min(len(s.In), 48)]
	openers := s.openers()
	r := NewReader(s.Setup)
	for n := range in {
		r.Feed(in[n : n+1])
		held := in[r.Done : n+1]
		if len(held) == 0 {
			continue
		}
		probe := s.begin(in[:n+1])
		probe.Abort()
		last := probe.Events[len(probe.Events)-1].Type
		if last != textPart && last != reasoningPart {
			continue // in a call
		}
		begins := func(tag string) bool {
			k := min(len(tag), len(held))
			if s.Reasoning != parse.NoReasoning || s.Repair {
				k = min(k, 1)
			}
			return strings.EqualFold(tag[:k], string(held[:k]))
		}
		if !slices.ContainsFunc(openers, begins) && utf8.FullRune(held) {
			return fmt.Sprintf("%q of %q is held back", held, in[:n+1])
		}
	}
	return ""
}

// openers returns the tags that may begin in text or reasoning.
func (s Setup) openers() []string {
	tags := s.tags().Openers()[:1]
	if s.Repair && !s.Strict {
		tags = append(tags, s.tags().Openers()...)
	}
	for _, f := range s.format().Set() {
		tags = append(tags, f.Call.Open, f.Section.Open, f.Section.Close)
		if f.ToolTags() {
			tags = append(tags, "<")
		}
		if s.Repair { // a call may lack its opener
			tags = append(tags, f.Function.Open)
		}
	}
	if s.Reasoning != parse.NoReasoning {
		for _, r := range format.Regions {
			tags = append(tags, r.Open, r.Close, "<")
		}
	}
	return slices.DeleteFunc(tags, func(tag string) bool { return tag == "" })
}

// late: a call, or a malformed call with a closing tag, is delivered with its last byte.
func late(s Sample) string {
	if s.fence() {
		return ""
	}
	r := NewReader(s.Setup)
	seen := 0
	for n := range s.In {
		r.Feed(s.In[n : n+1])
		for ; seen < len(r.Events); seen++ {
			p := r.Events[seen]
			ended := p.Type == callPart && !unclosed(p) || p.Type == malformedPart && p.Closed
			if ended && p.End != n+1 {
				return fmt.Sprintf("%+v came with byte %d", p, n+1)
			}
		}
	}
	return ""
}

// fence reports whether the closing tag may be the beginning of an opener.
func (s Setup) fence() bool {
	tags := s.tags()
	return strings.HasPrefix(tags.Open, tags.Close)
}

// unclosed reports whether p is a call that was read without its own closing tag.
func unclosed(p Part) bool {
	return slices.ContainsFunc(p.Issues, func(i corpus.Issue) bool {
		return i.Path == "missing-close" || i.Path == "wrong-close" || i.Path == "other-protocol"
	})
}

// streamed: the parts of a stream are those of the whole message.
func streamed(s Sample) string {
	want := s.whole(s.In)
	got := s.read(s.chunks()...)
	for _, parts := range [][]Part{want, got} { // a stream keeps no more than the limit
		for i := range parts {
			if p := &parts[i]; p.Type == malformedPart {
				p.Text = p.Text[:min(len(p.Text), s.Limits.OrDefault().Bytes)]
			}
		}
	}
	return Differ(want, got)
}

// opaque: what contains no first byte of a tag is text, and comes out at once.
func opaque(s Sample) string {
	if s.Reasoning == parse.StartedReasoning {
		return ""
	}
	var firsts string
	for _, tag := range s.openers() {
		first, _ := utf8.DecodeRuneInString(tag)
		firsts += string(first)
	}
	in := bytes.Map(func(r rune) rune {
		if strings.ContainsRune(firsts, r) || r == utf8.RuneError {
			return -1
		}
		return r
	}, s.In)
	r := s.begin(Chunks(in, s.Cuts)...)
	var want []Part
	if len(in) > 0 {
		want = []Part{{Type: textPart, End: len(in), Text: in}}
	}
	if r.Err != nil || Differ(want, r.Events) != "" {
		return fmt.Sprintf("%q is read as %+v, %v", in, r.Events, r.Err)
	}
	return ""
}

// reset: after Close a decoder emits nothing. After Reset it is like a new one, wherever it was.
func reset(s Sample) string {
	want := s.read(s.In)
	r := s.begin(s.In[:len(s.In)/2])
	for range 2 {
		r.Reset()
		got, _ := r.Read(s.chunks()...)
		if diff := Differ(want, got); diff != "" {
			return "after Reset: " + diff
		}
		n, err := r.decoder.Write([]byte("more"))
		closed := n == 0 && err == stream.ErrClosed && r.decoder.Close() == nil
		if !closed || len(r.Events) != len(got) {
			return fmt.Sprintf("after Close: %d bytes are written, %v", n, err)
		}
	}
	return ""
}

// owned: complete calls and errors belong to the caller. Later chunks do not change them, and what
// the caller does to them changes nothing.
func owned(s Sample) string {
	r := NewReader(s.Setup)
	want, _ := r.Read(s.chunks()...)
	old := r.kept
	r.Reset()
	r.Read(bytes.Repeat([]byte("<call>t a=[1,2] b=\"xyz\"</call>"), 3), s.In)
	for _, p := range want {
		if p.Type != callPart && p.Type != malformedPart {
			continue
		}
		now := partOf(&old[0])
		old = old[1:]
		if p.Type == malformedPart {
			now.ID = "" // it is only that of the stream
		}
		if !Equal(p, now) {
			return "kept events: " + Differ([]Part{p}, []Part{now})
		}
	}
	got := new(Reader)
	d, _ := stream.NewDecoder(s.Catalog, func(e stream.Event) error {
		e.Delta = bytes.Clone(e.Delta)
		got.event(e)
		if e.Call != nil {
			clear(e.Call.Input)
			_ = append(e.Call.Input, "xxxxxxxx"...)
			clear(e.Call.Issues)
		}
		if e.Err != nil {
			*e.Err = parse.Error{}
		}
		return nil
	}, &s.Options)
	for _, c := range s.chunks() {
		d.Write(c)
	}
	d.Close()
	return Differ(want, got.Events)
}
