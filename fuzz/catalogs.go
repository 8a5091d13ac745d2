package fuzz

import (
	_ "embed"
	"encoding/json"

	"github.com/callwire/callwire/sig"
)

//go:embed catalogs.json
var catalogFile []byte

// The catalogs of catalogs.json.
var (
	groups   = catalogOf("groups")   // nested objects with required properties
	types    = catalogOf("types")    // unions, enums, tuples, recursion, names with dots
	tagged   = catalogOf("tagged")   // a place of every type for elements and blocks
	mistyped = catalogOf("mistyped") // one type for each argument, only one of them a string
)

func catalogOf(name string) *sig.Catalog {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(catalogFile, &all); err != nil {
		panic(err)
	}
	return mustCompile([]byte(all[name]))
}

func mustCompile(tools any) *sig.Catalog {
	c, err := sig.Compile(tools)
	if err != nil {
		panic(err)
	}
	return c
}

// named returns a catalog of tools with untyped arguments.
func named(names ...string) *sig.Catalog {
	tools := make([]sig.Tool, len(names))
	for i, name := range names {
		tools[i].Name = name
	}
	return mustCompile(tools)
}
