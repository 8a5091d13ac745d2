package sig

import "testing"

func TestObjects(t *testing.T) {
	checkProperties(t, []schemaCase{
		{`{"type":"object","properties":{}}`, "{}", nil},
		{`{"type":"object","properties":{"b":{"type":"string"},"a":{}},"required":["a"]}`, "{b string, a! _}", nil},
		{`{"type":"object","properties":{"a":{}},"additionalProperties":true}`, "{a _, ..._}", nil},
		{`{"type":"object","properties":{"a":{}},"additionalProperties":{}}`, "{a _, ..._}", nil},
		{`{"type":"object","properties":{"a":{}},"additionalProperties":false}`, "{a _}", nil},
		{`{"type":"object","additionalProperties":false}`, "{}", nil},
		{`{"type":"object","additionalProperties":{"type":"string"}}`, "{...string}", nil},
		{`{"type":"object","unevaluatedProperties":false}`, "{}", nil},
		{`{"type":"object","patternProperties":{"^x-":{"type":"integer"}}}`, "{/^x-/ integer, ..._}", nil},
		{`{"type":"object","patternProperties":{"^x-":{"type":"integer"}},"additionalProperties":false}`, "{/^x-/ integer}", nil},
		{`{"type":"object","properties":{"__proto__":{"type":"string"},"a\"b":{},"é":{},"a.b":{}}}`, `{__proto__ string, a"b _, é _, a.b _}`, nil},
		{`{"type":["object","null"],"properties":{"a":{"type":"string"}}}`, "null|{a string}", nil},
		{`{"type":"object","properties":{"a":false}}`, "{a never}", []string{"contradiction /properties/a"}},

		// Dirty.
		{`{"properties":{"a":{}}}`, "{a _}", []string{"implied-type"}},
		{`{"additionalProperties":{"type":"string"}}`, "{...string}", []string{"implied-type"}},
		{`{"properties":{"a":{}},"items":{"type":"string"}}`, "{a _}|[string]", []string{"implied-type"}},
		{`{"type":"object","properties":["a"]}`, "{..._}", []string{"invalid-keyword /properties"}},
		{`{"type":"object","properties":{"a":"string","b":null}}`, "{a _, b _}", []string{"invalid-schema /properties/a", "invalid-schema /properties/b"}},
		{`{"type":"object","properties":{"a":{}},"required":["b"]}`, "{a _, b! _}", []string{"undeclared-required /required"}},
		{`{"type":"object","properties":{"a":{}},"required":"a"}`, "{a! _}", []string{"invalid-keyword /required"}},
		{`{"type":"object","properties":{"a":{}},"required":["a",1]}`, "{a! _}", []string{"invalid-keyword /required/1"}},
		{`{"type":"object","properties":{"a":{"type":"string","required":true}}}`, "{a! string}", []string{"misplaced-required /properties/a/required"}},
		{`{"type":"object","properties":{"a":{"type":"string","required":false}}}`, "{a string}", []string{"misplaced-required /properties/a/required"}},
		{`{"type":"object","properties":{"a":{"type":"string"},"a":{"type":"null"}}}`, "{a null}", []string{"repeated-key /properties/a"}},
		{`{"type":"object","patternProperties":{"(?!x)":{"type":"integer"}},"additionalProperties":false}`, "{/<nil>/ integer}", []string{"bad-pattern /patternProperties/(?!x)"}},
		{`{"type":"object","patternProperties":[]}`, "{..._}", []string{"invalid-keyword /patternProperties"}},
		{`{"type":"object","additionalProperties":"no"}`, "{..._}", []string{"invalid-keyword /additionalProperties"}},

		// Conditions: the properties they declare are accepted.
		{`{"type":"object","properties":{"a":{}},"if":{"properties":{"a":{"const":1},"t":{"const":2}}},"then":{"properties":{"b":{"type":"string"}},"required":["b"]},"else":{"properties":{"b":{"type":"integer"}}}}`,
			"{a _, t _, b integer|string}", []string{"unsupported-keyword /if", "unsupported-keyword /then", "unsupported-keyword /else"}},
		{`{"type":"object","properties":{"a":{}},"dependentSchemas":{"a":{"properties":{"b":{"type":"string"}}}}}`,
			"{a _, b string}", []string{"unsupported-keyword /dependentSchemas/a"}},
		{`{"type":"object","properties":{"a":{}},"dependencies":{"a":["b"]}}`, "{a _}", nil},
		{`{"not":{"type":"string"}}`, "_", []string{"unsupported-keyword /not"}},
	})
}
