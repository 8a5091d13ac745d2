package sig

import "testing"

func TestTypes(t *testing.T) {
	checkProperties(t, []schemaCase{
		{`{}`, "_", nil},
		{`true`, "_", nil},
		{`{"description":"d"}`, "any", nil},
		{`false`, "never", []string{"contradiction"}},
		{`{"type":"string"}`, "string", nil},
		{`{"type":"number"}`, "number", nil},
		{`{"type":"integer"}`, "integer", nil},
		{`{"type":"boolean"}`, "boolean", nil},
		{`{"type":"null"}`, "null", nil},
		{`{"type":"array"}`, "[_]", nil},
		{`{"type":"object"}`, "{..._}", nil},
		{`{"type":["string","null"]}`, "null|string", nil},
		{`{"type":["integer","number"]}`, "number", nil},
		{`{"type":["object","array"]}`, "{..._}|[_]", nil},
		{`{"type":"string","nullable":true}`, "null|string", nil},
		{`{"type":"string","nullable":false}`, "string", nil},

		// Dirty.
		{`{"type":"String"}`, "string", []string{"misspelt-type /type"}},
		{`{"type":"OBJECT"}`, "{..._}", []string{"misspelt-type /type"}},
		{`{"type":"str"}`, "string", []string{"misspelt-type /type"}},
		{`{"type":"int"}`, "integer", []string{"misspelt-type /type"}},
		{`{"type":"float"}`, "number", []string{"misspelt-type /type"}},
		{`{"type":"bool"}`, "boolean", []string{"misspelt-type /type"}},
		{`{"type":"list"}`, "[_]", []string{"misspelt-type /type"}},
		{`{"type":"dict"}`, "{..._}", []string{"misspelt-type /type"}},
		{`{"type":"file"}`, "string", []string{"misspelt-type /type"}},
		{`{"type":"any"}`, "any", []string{"misspelt-type /type"}},
		{`{"type":"Pet"}`, "any", []string{"unknown-type /type"}},
		{`{"type":["string","None"]}`, "null|string", []string{"misspelt-type /type/1"}},
		{`{"type":[]}`, "_", []string{"invalid-keyword /type"}},
		{`{"type":7}`, "_", []string{"invalid-keyword /type"}},
		{`{"type":["string",7]}`, "string", []string{"invalid-keyword /type/1"}},
		{`{"nullable":"yes","type":"string"}`, "string", []string{"invalid-keyword /nullable"}},
		{`"string"`, "_", []string{"invalid-schema"}},
		{`null`, "_", []string{"invalid-schema"}},
		{`[]`, "_", []string{"invalid-schema"}},
		{`{"type":"string","type":"integer"}`, "integer", []string{"repeated-key /type"}},
	})
}

func TestEnums(t *testing.T) {
	checkProperties(t, []schemaCase{
		{`{"enum":["a","b"]}`, `"a"|"b"`, nil},
		{`{"type":"string","enum":["a","b"]}`, `"a"|"b"`, nil},
		{`{"const":"a"}`, `"a"`, nil},
		{`{"const":null}`, `null`, nil},
		{`{"enum":["a",1,true,null,1.50]}`, `"a"|1|true|null|1.50`, nil},
		{`{"enum":[{"k" : 1},[1, 2]]}`, `{"k":1}|[1,2]`, nil},
		{`{"enum":["a","b","a"]}`, `"a"|"b"`, nil},
		{`{"enum":["a","b"],"const":"b"}`, `"b"`, nil},
		{`{"type":"number","enum":[1,2.5]}`, `1|2.5`, nil},
		{`{"type":["string","null"],"enum":["a",null]}`, `"a"|null`, nil},
		{`{"type":"string","nullable":true,"enum":["a"]}`, `null|"a"`, nil},
		{`{"type":"string","nullable":true,"enum":["a",null]}`, `null|"a"`, nil},
		{`{"type":"boolean","const":true}`, `true`, nil},

		// D20.
		{`{"type":"string","enum":["a",1]}`, `"a"`, []string{"enum-conflict"}},
		{`{"type":"integer","enum":[1,1.5,2.0]}`, `1|2.0`, []string{"enum-conflict"}},
		{`{"type":"integer","enum":["1","2"]}`, `"1"|"2"`, []string{"enum-conflict"}},
		{`{"type":["string","integer"],"enum":["a"]}`, `"a"`, []string{"enum-conflict"}},
		{`{"type":["string","null"],"enum":["a"]}`, `"a"`, []string{"enum-conflict"}},
		{`{"enum":["a"],"const":"b"}`, `"b"`, []string{"enum-conflict"}},
		{`{"enum":[]}`, `_`, []string{"invalid-keyword /enum"}},
		{`{"enum":"a"}`, `_`, []string{"invalid-keyword /enum"}},
		{`{"enum":{"a":1}}`, `_`, []string{"invalid-keyword /enum"}},
	})
}
