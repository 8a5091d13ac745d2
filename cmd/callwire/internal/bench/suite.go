package bench

import (
	_ "embed" // of the published benchmark

	"github.com/callwire/callwire/sig"
)

// Suite is tools, and calls of them.
type Suite struct {
	Catalog *sig.Catalog
	Calls   []Call
}

var (
	//go:embed catalog.json
	publishedTools []byte
	//go:embed calls.json
	publishedCalls []byte
)

// Published returns the published benchmark.
func Published() (Suite, error) {
	catalog, err := sig.Compile(publishedTools)
	if err != nil {
		return Suite{}, err
	}
	calls, err := ReadCalls(publishedCalls)
	return Suite{catalog, calls}, err
}
