package engine

import "github.com/callwire/callwire/parse"

// large is empty in the wasm.
var large []*parse.Format
