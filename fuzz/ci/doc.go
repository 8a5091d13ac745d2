// Command ci lists the fuzz targets of this module for those who run them for
// long, and writes seeds for engines other than Go's own. README.md says how.
//
//	go run ./fuzz/ci              # package, target and a name, one line each
//	go run ./fuzz/ci -json        # the same as a matrix of GitHub Actions
//	go run ./fuzz/ci -seeds DIR   # a zip of seeds for each, by its name
//
// The list is what go test -list says, so that no target is forgotten.
package main
