package protocol

import "github.com/callwire/callwire/parse"

// protocols are those of this package.
var protocols = []parse.Protocol{Wire, Hermes, GemmaFence, Qwen3Coder, MorphXML}

// ByName returns the protocol of that name, nil if this package has none.
func ByName(name string) parse.Protocol {
	for _, p := range protocols {
		if p.String() == name {
			return p
		}
	}
	return nil
}

// Names returns the names that ByName knows, the wire format's first.
func Names() []string {
	names := make([]string, len(protocols))
	for i, p := range protocols {
		names[i] = p.String()
	}
	return names
}
