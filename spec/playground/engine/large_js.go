package engine

import "github.com/callwire/callwire/internal/next/public/parse"

// large is empty in the wasm.
var large []*parse.Format
