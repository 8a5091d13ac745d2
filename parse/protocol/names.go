package protocol

import (
	"slices"

	"github.com/callwire/callwire/parse"
)

// protocols lists the protocols in this package.
var protocols = []parse.Protocol{Wire, Hermes, GemmaFence, Qwen3Coder, MorphXML}

// ByName returns the protocol of that name from this package or from more, which holds
// those of other packages; nil if there is none. Nothing is registered: to find
// yaml-xml by name, import its package and pass it here.
//
//	p := protocol.ByName(name, yaml.XML)
func ByName(name string, more ...parse.Protocol) parse.Protocol {
	for _, p := range slices.Concat(protocols, more) {
		if p != nil && p.String() == name {
			return p
		}
	}
	return nil
}

// Names returns the names that ByName knows, the wire format's first.
func Names(more ...parse.Protocol) (names []string) {
	for _, p := range slices.Concat(protocols, more) {
		if p != nil {
			names = append(names, p.String())
		}
	}
	return names
}
