package fuzz

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestSignatureOrder: property 23. The signatures of a catalog do not depend on the order of
// the keywords of its schemas, or of the names under required, but only on the order of
// properties and of alternatives.
func TestSignatureOrder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := Drawn(rt)
		tools := Tools(c)
		want, got := mustCompile(tools), mustCompile(reordered(rt, []byte(tools), c))
		if len(want.Tools()) != len(got.Tools()) {
			rt.Fatalf("%d tools, want %d", len(got.Tools()), len(want.Tools()))
		}
		for i, tool := range want.Tools() {
			if line := got.Tools()[i].Signature(); line != tool.Signature() {
				rt.Fatalf("%s\n%s\n%s", tools, tool.Signature(), line)
			}
		}
	})
}

// reordered returns the JSON text of a catalog with the members of its schemas in another
// order.
func reordered(t *rapid.T, text []byte, c Source) string {
	switch text[0] {
	case '[':
		var items []json.RawMessage
		if err := json.Unmarshal(text, &items); err != nil {
			t.Fatal(err)
		}
		out := make([]string, len(items))
		for i, item := range items {
			out[i] = reordered(t, item, c)
		}
		return "[" + strings.Join(out, ",") + "]"
	case '{':
		members := membersOf(t, text)
		for i := range members {
			m := &members[i]
			switch m.key {
			case "enum", "const", "default": // values, not schemas
			case "properties", "$defs":
				inner := membersOf(t, m.value)
				for k := range inner {
					inner[k].value = []byte(reordered(t, inner[k].value, c))
				}
				m.value = joined(inner)
			case "required":
				var names []string
				if json.Unmarshal(m.value, &names) == nil {
					slices.Reverse(names)
					m.value, _ = json.Marshal(names)
				}
			default:
				m.value = []byte(reordered(t, m.value, c))
			}
		}
		for i := range members {
			k := i + c.IntN(len(members)-i)
			members[i], members[k] = members[k], members[i]
		}
		return string(joined(members))
	}
	return string(text)
}

type memberOf struct {
	key   string
	value []byte
}

// membersOf returns the members of a JSON object in order.
func membersOf(t *rapid.T, text []byte) []memberOf {
	var members []memberOf
	d := json.NewDecoder(bytes.NewReader(text))
	d.Token()
	for d.More() {
		key, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			t.Fatalf("%s", text)
		}
		members = append(members, memberOf{key.(string), value})
	}
	return members
}

func joined(members []memberOf) []byte {
	out := make([]string, len(members))
	for i, m := range members {
		key, _ := json.Marshal(m.key)
		out[i] = string(key) + ":" + string(m.value)
	}
	return []byte("{" + strings.Join(out, ",") + "}")
}
