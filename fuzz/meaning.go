package fuzz

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"sort"

	"github.com/callwire/callwire/corpus"
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
	parts := setup.read(s.In)
	for i, p := range parts {
		if p.Type != malformedPart {
			continue
		}
		rest := setup.read(s.In[p.End:])
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
	r := setup.begin(first)
	n := len(r.Events)
	if r.Done < len(first) || r.Events[n-1].Type != textPart {
		return ""
	}
	second := setup.read(s.In)
	both := setup.read(first, s.In)
	want := Rest(r.Events, 0)
	for i, p := range Rest(second, len(first)) {
		if i == 0 && p.Type == textPart {
			want[n-1].Text = append(bytes.Clone(want[n-1].Text), p.Text...)
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
	want := setup.read(s.In)
	setup.Strict = true
	got := setup.read(s.In)
	if len(got) != len(want) {
		return fmt.Sprintf("%d parts, tolerant %d", len(got), len(want))
	}
	for i, w := range want {
		g := got[i]
		if w.Type == callPart && len(w.Issues) > 0 {
			first := w.Issues[0]
			if g.Type != malformedPart || g.Start != w.Start || g.End != w.End ||
				g.Code != first.Code || g.At != first.At {
				return fmt.Sprintf("%+v, strict %+v", w, g)
			}
			continue
		}
		if w.AfterMalformed && !g.AfterMalformed {
			return fmt.Sprintf("the mark of %+v was lost", w)
		}
		w.AfterMalformed, g.AfterMalformed, w.ID, g.ID = false, false, "", ""
		issue := slices.Contains(issueCodes, lexer.Code(g.Code))
		if w.Type == malformedPart && g.At <= w.At && issue {
			w.Code, w.At = g.Code, g.At // an issue came before the fault
		}
		if !Equal(w, g) {
			return "strict: " + Differ([]Part{w}, []Part{g})
		}
	}
	return ""
}

// unsound: calls after a malformed one are marked, or malformed; a strict call has no issue; the
// input of a call is one JSON object without whitespace.
func unsound(s Sample) string {
	parts := s.Setup.read(s.In)
	damaged := false
	for _, p := range parts {
		switch p.Type {
		case malformedPart:
			if p.At < p.Start && p.Code != string(lexer.InReasoning) || p.At > len(s.In) {
				return fmt.Sprintf("%s at %d", p.Code, p.At)
			}
			quoted := p.Code == string(lexer.InCode) || p.Code == string(lexer.InReasoning)
			damaged = damaged || !quoted
		case callPart:
			var compact bytes.Buffer
			switch {
			case damaged && !p.AfterMalformed, p.AfterMalformed && !s.AllowAfterMalformed:
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
	whole := setup.read(s.In)
	for n := 0; n < len(s.In); n += 1 + len(s.In)/16 {
		parts := setup.read(s.In[:n])
		missing := func(p Part) bool { return p.End > n }
		want := countOf(slices.DeleteFunc(slices.Clone(whole), missing), callPart)
		if got := countOf(parts, callPart); got != want {
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
	parts := setup.read(s.In)
	call := slices.IndexFunc(parts, func(p Part) bool { return p.Type == callPart })
	if call < 0 {
		return ""
	}
	in := s.In[parts[call].Start:parts[call].End]
	free := setup.read(in)
	if len(free) != 1 || free[0].Type != callPart {
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
		isText := !s.wire() && len(s.firstFormat().NameKeys) == 0
		isCoerced := func(i corpus.Issue) bool { return i.Code == string(lexer.Coerced) }
		isText = isText || slices.ContainsFunc(free[0].Issues, isCoerced)
		if limit.code == lexer.TooDeep && isText {
			continue // what is too deep is text, or does not become a list
		}
		at := func(n int) Part { // the first part
			setup.Limits = parse.Limits{}
			*limit.of(&setup.Limits) = n
			return append(setup.read(in), Part{})[0]
		}
		n := 1 + sort.Search(limit.most-1, func(n int) bool { return at(n+1).Type == callPart })
		if limit.code == lexer.CallTooLong && n != len(in) {
			return fmt.Sprintf("%q is read under a limit of %d bytes", in, n)
		}
		if p := at(n); !Equal(p, free[0]) {
			return fmt.Sprintf("%q under %+v: %+v, want %+v", in, setup.Limits, p, free[0])
		}
		if n == 1 {
			continue // zero is the default
		}
		p := at(n - 1)
		exact := limit.code != lexer.CallTooLong || p.At == n-1
		if p.Type != malformedPart || p.Code != string(limit.code) || !exact {
			return fmt.Sprintf("%q under %+v: %+v", in, setup.Limits, p)
		}
		if wrong := split(Sample{setup, in, s.Cuts}); wrong != "" {
			return fmt.Sprintf("%q under %+v: %s", in, setup.Limits, wrong)
		}
	}
	return ""
}
