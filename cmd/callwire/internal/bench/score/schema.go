package score

import (
	"bytes"
	"errors"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/callwire/callwire/sig"
)

// Schemas are the JSON Schemas of tools, compiled.
type Schemas map[string]*jsonschema.Schema

// CompileSchemas compiles the schemas of a catalog. What is no schema that a
// validator takes is left out: nothing is invalid by it.
func CompileSchemas(catalog *sig.Catalog) Schemas {
	s := make(Schemas)
	for _, tool := range catalog.Tools() {
		s[tool.Name] = nil
		document, err := jsonschema.UnmarshalJSON(bytes.NewReader(tool.Schema))
		if err != nil {
			continue
		}
		c := jsonschema.NewCompiler()
		c.UseLoader(noLoader{})
		if c.AddResource("schema.json", document) != nil {
			continue
		}
		if compiled, err := c.Compile("schema.json"); err == nil {
			s[tool.Name] = compiled
		}
	}
	return s
}

// Valid reports whether the call is of a tool that exists, with arguments that
// are valid by its schema.
func (s Schemas) Valid(c Call) bool {
	schema, ok := s[c.Name]
	if !ok || schema == nil {
		return ok
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(c.Input))
	return err == nil && schema.Validate(value) == nil
}

// noLoader fetches nothing: schemas come from anybody.
type noLoader struct{}

func (noLoader) Load(string) (any, error) { return nil, errors.New("schemas are not fetched") }
