package main

import (
	"fmt"
	"strings"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/parse/protocol/yaml"
)

// protocolNames returns the names of the formats that are read and written.
func protocolNames() []string { return protocol.Names(yaml.XML) }

// protocolNamed returns the format of that name, nil for the wire format.
func protocolNamed(name string) (parse.Protocol, error) {
	if name == "" || name == protocol.Wire.String() {
		return nil, nil
	}
	if p := protocol.ByName(name, yaml.XML); p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("there is no protocol %q, but %s", name, strings.Join(protocolNames(), ", "))
}
