package protocol

import (
	"fmt"
	"strings"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	formats "github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/parse/protocol/yaml"
)

// Formats returns the names of the formats that are read and written.
func Formats() []string { return formats.Names(yaml.XML) }

// Framed returns p with other tags around a call, if it has any.
func Framed(p parse.Protocol, tags lexer.Delims) (parse.Protocol, error) {
	own, ok := p.(formats.Protocol)
	if !ok || own.Frame == (formats.Frame{}) {
		return nil, fmt.Errorf("a call of %s stands between the tags of its tool's name", p)
	}
	own.Frame = formats.Frame{Open: tags.Open, Close: tags.Close}
	_, err := parse.NewReader(nil, parse.Options{Protocol: own})
	return own, err
}

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
