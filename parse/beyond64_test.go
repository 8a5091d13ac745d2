package parse_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/parse"
)

// A property is one property, be it the first or the 65th: a path goes back into
// its group, and neither its value nor its group comes twice.
func TestGroupsBeyond64(t *testing.T) {
	var properties []string
	for i := range 70 {
		properties = append(properties, fmt.Sprintf(`"p%d":{"type":"object","properties":{"x":{},"y":{"type":"object","properties":{"z":{}}}}}`, i))
	}
	properties = append(properties, `"v":{}`)
	catalog := schemaCatalog(t, `{"type":"object","properties":{`+strings.Join(properties, ",")+`}}`)
	for _, n := range []int{0, 1, 61, 62, 63, 64, 65, 66, 69} {
		for body, want := range map[string]string{
			" %.x=1 v=2 %.y.z=3":         `{"%":{"x":1,"y":{"z":3}},"v":2}`,
			" %.y.z=1 v=2 %.x=3":         `{"%":{"y":{"z":1},"x":3},"v":2}`,
			" v=2 %.x=1 %.y.z=3":         `{"v":2,"%":{"x":1,"y":{"z":3}}}`,
			" %.x=1 v=2 %.x=3":           "duplicate-key",
			" %.x=1 v=2 %={}":            "path-conflict",
			" %={} v=2 %.x=1":            "path-conflict",
			" %={} v=2 %={}":             "duplicate-key",
			" %.y.z=1 %.x=2 v=3 %.y.z=4": "duplicate-key",
			` {"%":{},"v":1,"%":{}}`:     "duplicate-key",
		} {
			name := fmt.Sprintf("p%d", n)
			text := "<call>t" + strings.ReplaceAll(body, "%", name) + "</call>"
			want := strings.ReplaceAll(want, "%", name)
			for _, size := range []int{1, 5, len(text)} {
				p, err := parse.NewParser(catalog, parse.Options{})
				if err != nil {
					t.Fatal(err)
				}
				got := ""
				for i := 0; i < len(text); i += size {
					p.Feed([]byte(text[i:min(len(text), i+size)]))
					for part := p.Next(); part != parse.NoPart; part = p.Next() {
						switch part {
						case parse.CallPart:
							got = string(p.Segment().Input)
						case parse.MalformedPart:
							got = string(p.Segment().Err.Code)
						}
					}
				}
				if got != want {
					t.Errorf("%s in chunks of %d: %s, want %s", text, size, got, want)
				}
			}
		}
	}
}
