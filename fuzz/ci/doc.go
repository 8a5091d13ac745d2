// Command ci lists the fuzz targets of this module, runs them, and writes seeds for
// engines other than Go's own. README.md says how.
//
//	go run ./fuzz/ci                                # package, target and a name, one line each
//	go run ./fuzz/ci -run -time 10m                 # all of them in turn, ten minutes each
//	go run ./fuzz/ci -run -time 1h -target manual_  # those whose name matches
//	go run ./fuzz/ci -soak 100000                   # every random property, with as many examples
//	go run ./fuzz/ci -json                          # the list as a matrix of GitHub Actions
//	go run ./fuzz/ci -seeds DIR                     # a zip of seeds for each, by its name
//
// The list is read in the sources of the tests, so that no target is forgotten. The
// gate runs them all for two seconds each.
package main
