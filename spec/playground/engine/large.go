//go:build !js

package engine

import (
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol/yaml"
)

// large are the formats that are left out of the wasm. Reading YAML takes a seventh of
// what is sent to a browser.
var large = []*parse.Format{yaml.XML}
