package fuzz

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/stream"
)

// Sample is a message and the way it is read.
type Sample struct {
	Setup
	In   []byte
	Cuts []byte // lengths of chunks; the last chunk is the rest
}

// NewSample returns a message in any setup.
func NewSample(s Source) Sample {
	sample := Sample{Setup: NewSetup(s)}
	sample.In = sample.Message(s)
	sample.Cuts = Cuts(s, len(sample.In))
	return sample
}

// String describes the sample for a failed test.
func (s Sample) String() string {
	o := s.Options
	o.NewID = nil
	return fmt.Sprintf("%q cut %v\n%s %+v, %d tools", s.In, s.Cuts, s.Format, o, s.Catalog.Len())
}

// Property holds for every message in every setup. Check returns what is wrong, or "".
type Property struct {
	Name  string
	Check func(Sample) string
}

// Properties are the promises of reading that need no second message and no oracle.
var Properties = []Property{
	{"totality", total},
	{"splits", split},
	{"retraction", retracted},
	{"tiling", tiled},
	{"reassembly", brokenOff},
	{"hold-back", heldBack},
	{"promptness", late},
	{"truncation", truncated},
	{"limits", limited},
	{"whole is streamed", streamed},
	{"transparency", opaque},
	{"recovery", recovered},
	{"concatenation", concatenated},
	{"reset", reset},
	{"ownership", owned},
	{"strict", strict},
	{"soundness", unsound},
}

// chunks returns the message in its chunks.
func (s Sample) chunks() [][]byte { return Chunks(s.In, s.Cuts) }

// total: any bytes are read to their end, under the raw options.
func total(s Sample) string {
	if _, err := s.Setup.Read(s.chunks()...); err != nil {
		return err.Error()
	}
	return ""
}

// split: at any cuts the parts are the same.
func split(s Sample) string {
	want, err := s.Setup.Read(s.In)
	if err != nil {
		return err.Error()
	}
	for _, cuts := range [][]byte{s.Cuts, Bytewise(len(s.In))} {
		got, err := s.Setup.Read(Chunks(s.In, cuts)...)
		if err != nil {
			return fmt.Sprintf("cut %v: %v", cuts, err)
		}
		if diff := Differ(want, got); diff != "" {
			return fmt.Sprintf("cut %v: %s", cuts, diff)
		}
	}
	return ""
}

// retracted: what was emitted stays, and grows. A delta of valid text ends with a whole rune.
func retracted(s Sample) string {
	r := NewReader(s.Setup)
	var before []Part
	for _, c := range s.chunks() {
		r.Feed(c)
		if wrong := grown(before, r.Parts); wrong != "" {
			return wrong
		}
		before = slices.Clone(r.Parts)
	}
	r.Close()
	if utf8.Valid(s.In) && r.Ragged {
		return "a delta ends inside a rune"
	}
	return grown(before, r.Parts)
}

// grown returns what is in before and no longer in now.
func grown(before, now []Part) string {
	for i, p := range before {
		switch {
		case i >= len(now):
			return fmt.Sprintf("%+v was taken back", p)
		case i < len(before)-1 && !p.Equal(now[i]),
			p.Kind != now[i].Kind, p.Start != now[i].Start, !strings.HasPrefix(now[i].Text, p.Text):
			return fmt.Sprintf("%+v became %+v", p, now[i])
		}
	}
	return ""
}

// tiled: the spans of the parts are the message, and their text is that of their span.
func tiled(s Sample) string {
	parts, err := s.Setup.Read(s.chunks()...)
	if err != nil {
		return err.Error()
	}
	return tiles(s.In, parts)
}

func tiles(in []byte, parts []Part) string {
	at := 0
	for _, p := range parts {
		span := in[min(p.Start, len(in)):min(p.End, len(in))]
		switch {
		case p.Start != at || p.End > len(in):
			return fmt.Sprintf("%+v after offset %d", p, at)
		case p.Kind == TextPart && p.Text != string(span),
			p.Kind == MalformedPart && !bytes.HasPrefix(span, []byte(p.Text)),
			p.Kind == ReasoningPart && !bytes.Contains(span, []byte(p.Text)):
			return fmt.Sprintf("%+v is %q", p, span)
		}
		at = p.End
	}
	if at != len(in) {
		return fmt.Sprintf("the parts end at %d of %d", at, len(in))
	}
	return ""
}

// brokenOff: wherever a message breaks off, nothing is lost, and no call is accepted at its end.
func brokenOff(s Sample) string {
	for _, read := range []int{len(s.In) / 3, len(s.In) * 2 / 3, len(s.In)} {
		r := NewReader(s.Setup)
		for _, c := range Chunks(s.In[:read], s.Cuts) {
			r.Feed(c)
		}
		before := slices.Clone(r.Parts)
		r.Abort()
		if r.Err != nil {
			return fmt.Sprintf("broken off at %d: %v", read, r.Err)
		}
		if wrong := tiles(s.In[:read], r.Parts) + grown(before, r.Parts); wrong != "" {
			return fmt.Sprintf("broken off at %d: %s", read, wrong)
		}
		if n := countOf(r.Parts, CallPart); n != countOf(before, CallPart) && !s.fence() {
			return fmt.Sprintf("broken off at %d: the end accepts a call", read)
		}
	}
	return ""
}

func countOf(parts []Part, k Kind) (n int) {
	for _, p := range parts {
		if p.Kind == k {
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
		probe := NewReader(s.Setup)
		probe.Feed(in[:n+1])
		probe.Abort()
		if last := probe.Parts[len(probe.Parts)-1].Kind; last != TextPart && last != ReasoningPart {
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
	f := s.Format
	if f == nil {
		f = format.Wire
	}
	tags := s.tags().Openers()[:1]
	if s.Repair && !s.Strict {
		tags = append(tags, s.tags().Openers()...)
	}
	for _, f := range f.Set() {
		tags = append(tags, f.Call.Open, f.Section.Open, f.Section.Close)
		if f.ToolTags() {
			tags = append(tags, "<")
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
		for ; seen < len(r.Parts); seen++ {
			p := r.Parts[seen]
			ended := p.Kind == CallPart && !unclosed(p) || p.Kind == MalformedPart && p.Closed
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
	return slices.ContainsFunc(p.Issues, func(i parse.Issue) bool {
		return i.Path == "missing-close" || i.Path == "wrong-close" || i.Path == "other-protocol"
	})
}

// truncated: what is missing from a message never adds a call.
func truncated(s Sample) string {
	if s.fence() {
		return ""
	}
	setup := s.plain()
	whole, err := setup.Read(s.In)
	if err != nil {
		return err.Error()
	}
	for n := 0; n < len(s.In); n += 1 + len(s.In)/16 {
		parts, err := setup.Read(s.In[:n])
		if err != nil {
			return err.Error()
		}
		want := countOf(slices.DeleteFunc(slices.Clone(whole), func(p Part) bool { return p.End > n }), CallPart)
		if got := countOf(parts, CallPart); got != want {
			return fmt.Sprintf("%q has %d calls, want %d", s.In[:n], got, want)
		}
	}
	return ""
}

// limited: a call that has exactly what a limit allows is read as without it; with a lower limit it
// is malformed, with the code of the limit, at any cuts.
func limited(s Sample) string {
	setup := s.plain()
	setup.Strict, setup.Limits = false, parse.Limits{}
	parts, err := setup.Read(s.In)
	call := slices.IndexFunc(parts, func(p Part) bool { return p.Kind == CallPart })
	if err != nil || call < 0 {
		return ""
	}
	in := s.In[parts[call].Start:parts[call].End]
	free, err := setup.Read(in)
	if err != nil || len(free) != 1 || free[0].Kind != CallPart {
		return "" // it needs what is around it
	}
	for _, limit := range []struct {
		code lexer.Code
		of   func(n int) parse.Limits
		most int
	}{
		{lexer.CallTooLong, func(n int) parse.Limits { return parse.Limits{Bytes: n} }, len(in)},
		{lexer.NameTooLong, func(n int) parse.Limits { return parse.Limits{Name: n} }, len(in)},
		{lexer.TooDeep, func(n int) parse.Limits { return parse.Limits{Depth: n} }, 64},
		{lexer.TooManyArguments, func(n int) parse.Limits { return parse.Limits{Arguments: n} }, 1024},
	} {
		if limit.code == lexer.TooDeep && !s.wire() && len(s.firstFormat().NameKeys) == 0 {
			continue // a value that is too deep is text
		}
		at := func(n int) Part { // the first part
			setup.Limits = limit.of(n)
			parts, err := setup.Read(in)
			if err != nil || len(parts) == 0 {
				return Part{}
			}
			return parts[0]
		}
		n := 1 + sort.Search(limit.most-1, func(n int) bool { return at(n+1).Kind == CallPart })
		if limit.code == lexer.CallTooLong && n != len(in) {
			return fmt.Sprintf("%q is read under a limit of %d bytes", in, n)
		}
		if p := at(n); !p.Equal(free[0]) {
			return fmt.Sprintf("%q under %+v: %+v, want %+v", in, limit.of(n), p, free[0])
		}
		if n == 1 {
			continue // zero is the default
		}
		p := at(n - 1)
		if p.Kind != MalformedPart || p.Code != limit.code || limit.code == lexer.CallTooLong && p.At != n-1 {
			return fmt.Sprintf("%q under %+v: %+v", in, limit.of(n-1), p)
		}
		if wrong := split(Sample{setup, in, s.Cuts}); wrong != "" {
			return fmt.Sprintf("%q under %+v: %s", in, limit.of(n-1), wrong)
		}
	}
	return ""
}

// streamed: the parts of a stream are those of the whole message.
func streamed(s Sample) string {
	want, err := s.Whole(s.In)
	if err != nil {
		return err.Error()
	}
	got, err := s.Setup.Read(s.chunks()...)
	if err != nil {
		return err.Error()
	}
	for _, parts := range [][]Part{want, got} { // a stream keeps no more than the limit
		for i := range parts {
			if p := &parts[i]; p.Kind == MalformedPart {
				p.Text = p.Text[:min(len(p.Text), s.limits().Bytes)]
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
		firsts += tag[:1]
	}
	in := bytes.Map(func(r rune) rune {
		if strings.ContainsRune(firsts, r) || r == utf8.RuneError {
			return -1
		}
		return r
	}, s.In)
	r := NewReader(s.Setup)
	for _, c := range Chunks(in, s.Cuts) {
		r.Feed(c)
	}
	if r.Err != nil || len(in) > 0 && (len(r.Parts) != 1 || r.Parts[0].Text != string(in)) {
		return fmt.Sprintf("%q is read as %+v, %v", in, r.Parts, r.Err)
	}
	return ""
}

// plain returns s such that the text before a place does not matter to what is read after it.
func (s Setup) plain() Setup {
	s.AllowAfterMalformed, s.AllowInCode, s.AllowUnclosed = true, true, false
	s.Repair, s.Reasoning = false, parse.NoReasoning
	return s
}

// recovered: after a malformed call, reading continues as if the message began there.
func recovered(s Sample) string {
	setup := s.plain()
	parts, err := setup.Read(s.In)
	if err != nil {
		return err.Error()
	}
	for i, p := range parts {
		if p.Kind != MalformedPart {
			continue
		}
		rest, err := setup.Read(s.In[p.End:])
		if err != nil {
			return err.Error()
		}
		if diff := Differ(Rest(rest, p.End), Rest(parts[i+1:], 0)); diff != "" {
			return fmt.Sprintf("%q after %q: %s", s.In[p.End:], s.In[:p.End], diff)
		}
	}
	return ""
}

// concatenated: if a message ends in text and nothing is held back, the parts of it and of another
// one are those of both.
func concatenated(s Sample) string {
	setup := s.plain()
	first := append(bytes.Clone(s.In), ".\n"...)
	r := NewReader(setup)
	r.Feed(first)
	n := len(r.Parts)
	if r.Done < len(first) || r.Parts[n-1].Kind != TextPart {
		return ""
	}
	second, err := setup.Read(s.In)
	both, err2 := setup.Read(first, s.In)
	if err != nil || err2 != nil {
		return fmt.Sprint(err, err2)
	}
	want := Rest(r.Parts, 0)
	for i, p := range Rest(second, len(first)) {
		if i == 0 && p.Kind == TextPart {
			want[n-1].Text += p.Text
			want[n-1].End = p.End
			continue
		}
		want = append(want, p)
	}
	return Differ(want, Rest(both, 0))
}

// reset: after Close a decoder emits nothing. After Reset it is like a new one, wherever it was.
func reset(s Sample) string {
	want, err := s.Setup.Read(s.In)
	if err != nil {
		return err.Error()
	}
	r := NewReader(s.Setup)
	r.Feed(s.In[:len(s.In)/2])
	for range 2 {
		r.Reset()
		got, err := r.Read(s.chunks()...)
		if err != nil {
			return fmt.Sprintf("after Reset: %v", err)
		}
		if diff := Differ(want, got); diff != "" {
			return "after Reset: " + diff
		}
		n, err := r.decoder.Write([]byte("more"))
		if n != 0 || err != stream.ErrClosed || r.decoder.Close() != nil || !slices.EqualFunc(r.Parts, got, Part.Equal) {
			return fmt.Sprintf("after Close: %d bytes are written, %v", n, err)
		}
	}
	return ""
}

// owned: complete calls and errors belong to the caller. Later chunks do not change them, and what
// the caller does to them changes nothing.
func owned(s Sample) string {
	r := NewReader(s.Setup)
	want, err := r.Read(s.chunks()...)
	if err != nil {
		return err.Error()
	}
	old := Reader{kept: r.kept}
	r.Reset()
	r.Read(bytes.Repeat([]byte("<call>t a=[1,2] b=\"xyz\"</call>"), 3), s.In)
	complete := slices.DeleteFunc(slices.Clone(want), func(p Part) bool {
		return p.Kind != CallPart && p.Kind != MalformedPart
	})
	if diff := Differ(complete, old.Kept()); diff != "" {
		return "kept events: " + diff
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
	return Differ(want, got.Parts)
}

// strict: with Strict the calls are those without issues, with equal values. A call with issues is
// malformed with the first of them.
func strict(s Sample) string {
	setup := s.plain()
	setup.Strict = false
	want, err := setup.Read(s.In)
	setup.Strict = true
	got, err2 := setup.Read(s.In)
	if err != nil || err2 != nil {
		return fmt.Sprint(err, err2)
	}
	if len(got) != len(want) {
		return fmt.Sprintf("%d parts, tolerant %d", len(got), len(want))
	}
	for i, w := range want {
		g := got[i]
		if w.Kind == CallPart && len(w.Issues) > 0 {
			first := w.Issues[0]
			if g.Kind != MalformedPart || g.Start != w.Start || g.End != w.End ||
				g.Code != first.Code || g.At != first.Offset {
				return fmt.Sprintf("%+v, strict %+v", w, g)
			}
			continue
		}
		if w.After && !g.After {
			return fmt.Sprintf("the mark of %+v was lost", w)
		}
		w.After, g.After, w.ID, g.ID = false, false, "", ""
		if w.Kind == MalformedPart && g.At <= w.At && slices.Contains(issueCodes, g.Code) {
			w.Code, w.At = g.Code, g.At // an issue came before the fault
		}
		if !w.Equal(g) {
			return "strict: " + Differ([]Part{w}, []Part{g})
		}
	}
	return ""
}

// unsound: calls after a malformed one are marked, or malformed; a strict call has no issue; the
// input of a call is one JSON object without whitespace.
func unsound(s Sample) string {
	parts, err := s.Setup.Read(s.In)
	if err != nil {
		return err.Error()
	}
	damaged := false
	for _, p := range parts {
		switch p.Kind {
		case MalformedPart:
			if p.At < p.Start && p.Code != lexer.InReasoning || p.At > len(s.In) {
				return fmt.Sprintf("%s at %d", p.Code, p.At)
			}
			damaged = damaged || p.Code != lexer.InCode && p.Code != lexer.InReasoning
		case CallPart:
			var compact bytes.Buffer
			switch {
			case damaged && !p.After, p.After && !s.AllowAfterMalformed:
				return fmt.Sprintf("the mark of %+v is wrong", p)
			case s.Strict && len(p.Issues) > 0:
				return fmt.Sprintf("strict: %+v", p)
			case json.Compact(&compact, []byte(p.Input)) != nil || compact.String() != p.Input || p.Input[0] != '{':
				return fmt.Sprintf("the input of %+v", p)
			}
		}
	}
	return ""
}
