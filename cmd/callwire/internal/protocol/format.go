package protocol

import (
	"fmt"
	"strings"

	"github.com/callwire/callwire/parse"
	formats "github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/parse/protocol/yaml"
)

// Formats returns the names of the formats that are read and written.
func Formats() []string { return formats.Names(yaml.XML) }

// Format returns the format of that name, nil for the wire format.
func Format(name string) (parse.Protocol, error) {
	if name == "" || name == formats.Wire.String() {
		return nil, nil
	}
	if p := formats.ByName(name, yaml.XML); p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("there is no protocol %q, but %s", name, strings.Join(Formats(), ", "))
}
