package fuzz

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/internal/engine"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
)

// parser returns a parser of the engine.
func (s Setup) parser(mode engine.Mode) *engine.Parser {
	p, err := engine.NewParser(s.Catalog, (*engine.Options)(&s.Options), mode)
	if err != nil {
		panic(err)
	}
	return p
}

// Steps returns the work of reading chunks.
func (s Setup) Steps(chunks [][]byte) int {
	p := s.parser(0)
	for _, c := range chunks {
		p.Feed(c)
	}
	p.Close()
	return p.Steps()
}

// mostSteps is what a byte may take.
const mostSteps = 24

// laborious: the work is bounded for each byte, also if the message is repeated a hundred times.
func laborious(s Sample) string {
	text := slices.Repeat(s.In, 1+8<<10/(len(s.In)+1))
	for _, size := range []int{1, 61, len(text)} {
		n := s.Steps(Sized(text, size))
		if most := mostSteps*len(text) + 1000; n > most {
			return fmt.Sprintf("%d bytes in chunks of %d take %d steps", len(text), size, n)
		}
	}
	return ""
}

// shortcut: what reads plain arguments at once changes no event and no delta.
func shortcut(s Sample) string {
	for _, mode := range []engine.Mode{0, engine.WholeCalls} {
		for _, chunks := range [][][]byte{{s.In}, s.chunks()} {
			read := func(mode engine.Mode) string {
				return strings.Join(eventsOf(s.parser(mode), chunks), "\n")
			}
			if fast, slow := read(mode), read(mode|engine.NoFastPath); fast != slow {
				return fmt.Sprintf("%q\nfast %s\nslow %s", chunks, fast, slow)
			}
		}
	}
	return ""
}

// eventsOf returns all events of a message.
func eventsOf(p *engine.Parser, chunks [][]byte) (all []string) {
	add := func(list []engine.Event) {
		for _, e := range list {
			problem := cmp.Or(e.Problem, &engine.Problem{})
			e.Problem = nil
			all = append(all, fmt.Sprintf("%+v %+v", e, *problem))
		}
	}
	for _, c := range chunks {
		add(p.Feed(c))
	}
	add(p.Close())
	return all
}

// ungrammatical: the formal grammar of the format reads the same.
func ungrammatical(s Sample) string { return Diff(s.In, s.Formal()) }

// invented: a repair never makes an unmarked call out of text inside a span that is read without
// repairs, and adds no argument to a call that is well formed without it.
func invented(s Sample) string {
	setup := s.Setup
	setup.Limits, setup.AllowAfterMalformed, setup.Strict = parse.Limits{}, true, false
	setup.Repair = false
	plain := setup.read(s.In)
	setup.Repair = true
	got := setup.read(s.In)
	for _, call := range got {
		repaired := func(i corpus.Issue) bool { return i.Code == string(lexer.Repaired) }
		if call.Type != callPart || !slices.ContainsFunc(call.Issues, repaired) {
			continue
		}
		wrapped := slices.ContainsFunc(call.Issues, func(i corpus.Issue) bool {
			return strings.Contains(i.Path, "envelope") || strings.Contains(i.Path, "wrapper")
		})
		for _, p := range plain {
			inside := p.Type == callPart || p.Type == malformedPart
			switch {
			case inside && p.Start < call.Start && call.Start < p.End && !call.AfterMalformed:
				return fmt.Sprintf("%+v is inside %+v", call, p)
			case p.Type != callPart || p.Start != call.Start || wrapped:
			case len(membersOf(call.Input)) > len(membersOf(p.Input)):
				return fmt.Sprintf("%+v has more arguments than %+v", call, p)
			}
		}
	}
	return ""
}

// ordered: in a set of formats, any order reads the same.
func ordered(s Sample) string {
	want := s.whole(s.In)
	set := slices.Clone(s.Format.Set())
	for range set {
		set = append(set[1:], set[0])
		other := s.Setup
		other.Format = protocol.Any(set[0], set[1:]...)
		got := other.whole(s.In)
		if diff := Differ(want, got); diff != "" {
			return fmt.Sprintf("as %s: %s", other.Format, diff)
		}
	}
	return ""
}
