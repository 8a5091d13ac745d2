// Package engine answers the page of the playground: JSON in, JSON out, and
// everything that the library has to say of a text and its tools. The page asks it
// through wasm, or over HTTP where callwire serves the page.
//
// It imports the core, and nothing that only draws or prints, so that the wasm stays
// small. The format yaml-xml, whose reader of YAML is large, is not in the wasm: callwire
// playground offers it.
package engine
