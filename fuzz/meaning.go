package fuzz

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"sort"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
)

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
			case json.Compact(&compact, []byte(p.Input)) != nil,
				compact.String() != p.Input, p.Input[0] != '{':
				return fmt.Sprintf("the input of %+v", p)
			}
		}
	}
	return ""
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
		missing := func(p Part) bool { return p.End > n }
		want := countOf(slices.DeleteFunc(slices.Clone(whole), missing), CallPart)
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
		of   func(*parse.Limits) *int
		most int
	}{
		{lexer.CallTooLong, func(l *parse.Limits) *int { return &l.Bytes }, len(in)},
		{lexer.NameTooLong, func(l *parse.Limits) *int { return &l.Name }, len(in)},
		{lexer.TooDeep, func(l *parse.Limits) *int { return &l.Depth }, 64},
		{lexer.TooManyArguments, func(l *parse.Limits) *int { return &l.Arguments }, 1024},
	} {
		if limit.code == lexer.TooDeep && !s.wire() && len(s.firstFormat().NameKeys) == 0 {
			continue // a value that is too deep is text
		}
		at := func(n int) Part { // the first part
			setup.Limits = parse.Limits{}
			*limit.of(&setup.Limits) = n
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
			return fmt.Sprintf("%q under %+v: %+v, want %+v", in, setup.Limits, p, free[0])
		}
		if n == 1 {
			continue // zero is the default
		}
		p := at(n - 1)
		exact := limit.code != lexer.CallTooLong || p.At == n-1
		if p.Kind != MalformedPart || p.Code != limit.code || !exact {
			return fmt.Sprintf("%q under %+v: %+v", in, setup.Limits, p)
		}
		if wrong := split(Sample{setup, in, s.Cuts}); wrong != "" {
			return fmt.Sprintf("%q under %+v: %s", in, setup.Limits, wrong)
		}
	}
	return ""
}
