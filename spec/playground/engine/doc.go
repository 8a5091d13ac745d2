// Package engine answers requests of the playground page, in JSON, with everything
// that the library finds in a text and its tools. The page calls it through wasm, or
// over HTTP if callwire serves the page.
//
// To keep the wasm small, it imports only the core. The wasm does not contain the
// format yaml-xml, because its reader of YAML is large; callwire playground offers it.
package engine
