package main

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/corpus"
)

// selection selects cases.
type selection struct {
	level, run, topic, rule string
	protocol                string // the format of the cases; empty for the wire format
}

// flags are the flags that select cases.
func (s *selection) flags() flags {
	return flags{
		"level":    oneOf(&s.level, "", "core", "extended"),
		"protocol": oneOf(&s.protocol, append([]string{""}, protocol.Formats()...)...),
		"run":      &s.run,
		"topic":    &s.topic,
		"rule":     &s.rule,
	}
}

// cases returns the selected cases. It is an error if there are none.
func (s *selection) cases() ([]corpus.Case, error) {
	if _, err := path.Match(s.run, ""); err != nil {
		return nil, fmt.Errorf("--run %q: %w", s.run, err)
	}
	all := append(corpus.Cases(), corpus.MoreCases()...)
	if s.protocol != "" && s.protocol != wireShape {
		all = corpus.ProtocolCases()
	}
	found := slices.DeleteFunc(all, func(c corpus.Case) bool { return !s.selects(&c) })
	if len(found) == 0 {
		return nil, errors.New("no case matches; see callwire cases")
	}
	return found, nil
}

// selects reports whether a case is one of those that are selected. The patterns are valid.
func (s *selection) selects(c *corpus.Case) bool {
	matches := func(pattern, name string) bool {
		ok, _ := path.Match(pattern, name)
		return ok
	}
	switch {
	case s.level != "" && s.level != c.Level,
		s.topic != "" && s.topic != c.Topic(),
		c.Protocol != "" && c.Protocol != s.protocol:
		return false
	case s.run != "" && !matches(s.run, c.ID) && !strings.HasPrefix(c.ID, s.run+"/"):
		return false
	}
	hasRule := func(rule string) bool { return matches(s.rule, rule) }
	return s.rule == "" || slices.ContainsFunc(c.Rules, hasRule)
}
