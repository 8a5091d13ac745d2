package fuzz

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/grammar"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/parse/protocol/yaml"
)

// TestProtocolCorpus runs every case of another protocol in this process, whole, cut
// into single bytes, and by its grammar where it knows no types; without -long every third.
func TestProtocolCorpus(t *testing.T) {
	for i, c := range corpus.ProtocolCases() {
		if !*long && i%3 != 0 {
			continue
		}
		t.Run(c.ID, func(t *testing.T) {
			s := setupOf(t, c)
			if s.Protocol = protocol.ByName(c.Protocol, yaml.XML); s.Protocol == nil {
				t.Fatalf("protocol %s", c.Protocol)
			}
			if c.Op == corpus.Format {
				checkFormat(t, c, s)
				return
			}
			if diff := cmp.Diff(c.Want.Events, events(s.parse().Text(string(c.Text), s.Catalog))); diff != "" {
				t.Errorf("%q (-want +got)\n%s", c.Text, diff)
			}
			if wrong := CheckReading(s.Protocol, c.Text, Bytewise(len(c.Text))); wrong != "" {
				t.Error(wrong)
			}
			if c.Tools == nil && !s.Strict && !s.Salvage && grammar.ByName(c.Protocol) != nil {
				if diff := DiffProtocol(string(c.Text), s); diff != "" {
					t.Error(diff)
				}
			}
			for n := range c.Text { // nothing of what is cut off is executed
				for _, e := range events(s.parse().Text(string(c.Text[:n]), s.Catalog)) {
					if e.Type == corpus.ToolCallEvent && !s.Accept && !called(c.Want.Events, e) && !repaired(e) {
						t.Errorf("%q executes %s %s", c.Text[:n], e.Name, e.Input)
					}
				}
			}
		})
	}
}

// repaired reports whether a call says that it was repaired, as one whose end is missing.
func repaired(e corpus.Event) bool {
	return slices.ContainsFunc(e.Issues, func(i corpus.Issue) bool { return i.Code == string(lexer.Repaired) })
}

// called reports whether e is one of the events.
func called(events []corpus.Event, e corpus.Event) bool {
	for _, want := range events {
		if want.Start == e.Start && want.Name == e.Name && want.Input == e.Input {
			return true
		}
	}
	return false
}
