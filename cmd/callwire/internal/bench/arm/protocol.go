package arm

import (
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/parse/protocol/yaml"
)

// protocolModes are the modes that are names of other protocols.
func protocolModes() (names []string) {
	for _, name := range protocol.Names(yaml.XML) {
		if name != Wire {
			names = append(names, name)
		}
	}
	return names
}

// inProtocols are the axes that mean something in these modes, beside those that do
// in native mode.
var inProtocols = map[string]bool{"manual": true, "placement": true, "constrain": true}
