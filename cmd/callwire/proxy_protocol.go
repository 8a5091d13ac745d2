package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
)

// speak sets the format that models are told and read in, or those that calls are
// taken out of text in.
func (o *proxyOptions) speak(name, rescue string, tags bool) error {
	p, err := protocolNamed(name)
	switch {
	case err != nil:
		return fmt.Errorf("--protocol: %w", err)
	case p != nil && tags:
		return fmt.Errorf("--open and --close are of the wire format; %s has tags of its own", name)
	case p != nil && rescue != "":
		return errors.New("--protocol tells models of tools, --rescue leaves that to the upstream: give one of them")
	}
	o.rewriting.Manual.Protocol = p
	if rescue == "" {
		return nil
	}
	var leaks []parse.Protocol
	for name := range strings.SplitSeq(rescue, ",") {
		p, err := protocolNamed(strings.TrimSpace(name))
		if err != nil {
			return fmt.Errorf("--rescue: %w", err)
		}
		if p == nil {
			p = protocol.Wire
		}
		leaks = append(leaks, p)
	}
	o.rewriting.Rescue = protocol.Any(leaks...)
	return nil
}
