package sig

import "testing"

func TestArrays(t *testing.T) {
	checkProperties(t, []schemaCase{
		{`{"type":"array","items":{"type":"string"}}`, "[string]", nil},
		{`{"type":"array","items":{"type":"array","items":{"enum":[1]}}}`, "[[1]]", nil},
		{`{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}]}`, "[string, integer, ..._]", nil},
		{`{"type":"array","prefixItems":[{"type":"string"}],"items":{"type":"integer"}}`, "[string, ...integer]", nil},
		{`{"type":"array","prefixItems":[{"type":"string"}],"items":false}`, "[string, ...never]", nil},
		{`{"type":"array","items":[{"type":"string"}],"additionalItems":{"type":"integer"}}`, "[string, ...integer]", nil},
		{`{"type":"array","items":[{"type":"string"}],"additionalItems":false}`, "[string, ...never]", nil},
		{`{"type":"array","prefixItems":[{"type":"string"}],"unevaluatedItems":false}`, "[string, ...never]", nil},
		{`{"items":{"type":"string"}}`, "[string]", []string{"implied-type"}},
		{`{"type":"array","items":"string"}`, "[_]", []string{"invalid-keyword /items"}},
		{`{"type":"array","prefixItems":{}}`, "[_]", []string{"invalid-keyword /prefixItems"}},
		{`{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"array","prefixItems":[{"type":"integer"}],"items":{"type":"null"}}]}`,
			"[integer|string, ...null|string]", nil},
		{`{"anyOf":[{"type":"array"},{"type":"array","items":{"type":"string"}}]}`, "[string]", nil},
	})
}
