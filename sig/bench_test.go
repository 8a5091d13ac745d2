package sig

import (
	"fmt"
	"strings"
	"testing"
)

// manyTools returns n tools of the size and shape of real catalogs.
func manyTools(n int) string {
	return "[" + repeat(n, `{"name":"tool_N","description":"List what belongs to a project, newest first, in pages of the given size.","inputSchema":{
		"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{
		"owner":{"type":"string","description":"Who owns the project"},
		"state":{"type":"string","enum":["open","closed","all"],"default":"open"},
		"labels":{"type":"array","items":{"type":"string"}},
		"page":{"type":"integer","minimum":1},
		"since":{"type":["string","null"],"format":"date-time"},
		"filter":{"anyOf":[{"$ref":"#/$defs/filter"},{"type":"null"}]}},
		"required":["owner"],"$defs":{"filter":{"type":"object","properties":{"and":{"type":"array","items":{"$ref":"#/$defs/filter"}},"field":{"type":"string"}}}}}}`) + "]"
}

// BenchmarkCatalog compiles 500 tools and renders their signatures: what a program
// does once, before its first request.
func BenchmarkCatalog(b *testing.B) {
	tools := manyTools(500)
	b.SetBytes(int64(len(tools)))
	b.ReportAllocs()
	for b.Loop() {
		catalog, err := Compile(tools)
		if err != nil {
			b.Fatal(err)
		}
		for _, tool := range catalog.Tools() {
			signatureOf(tool)
		}
	}
}

// BenchmarkLookup finds a tool and a field, as a parser does.
func BenchmarkLookup(b *testing.B) {
	for _, n := range []int{1, 10, 252, 5000} {
		c, err := Compile(manyTools(n))
		if err != nil {
			b.Fatal(err)
		}
		name, field := []byte(fmt.Sprintf("tool_%d", firstNumber+n/2)), []byte("page")
		b.Run(fmt.Sprintf("tools=%d", n), func(b *testing.B) {
			for b.Loop() {
				if c.Lookup(name).Args.Field(field) == nil {
					b.Fatal("lost")
				}
			}
		})
	}
}

// firstNumber is where repeat starts counting.
const firstNumber = 1000000

// repeat returns n copies of a text with commas between them; N becomes a number.
func repeat(n int, each string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = strings.ReplaceAll(each, "N", fmt.Sprint(firstNumber+i))
	}
	return strings.Join(all, ",")
}
