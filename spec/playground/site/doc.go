// Package site contains the files of the playground: the page, which loads nothing from
// other hosts, and the cases of the corpus as examples. Server serves them with the engine
// of this program; a static site has the engine as wasm beside them.
package site
