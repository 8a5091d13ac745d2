package fuzz

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/sig"
)

// TestSignatureOrder: the signatures of a catalog do not depend on the order of the keywords of its
// schemas, or of the names under required, but only on the order of properties and alternatives.
func TestSignatureOrder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := Drawn(rt)
		tools := Tools(c)
		want, got := mustCompile(tools), mustCompile(shuffled(c, tools))
		for i, tool := range want.Tools() {
			if line, want := signature(got.Tools()[i]), signature(tool); line != want {
				rt.Fatalf("%s\n%s\n%s", tools, want, line)
			}
		}
	})
}

func signature(tool *sig.Tool) string {
	plan, _ := tool.Plan(sig.Auto)
	return sig.SignatureOptions{}.Signature(plan)
}

// shuffled returns the JSON text of a catalog with the members of its schemas in another order.
func shuffled(c Source, text string) string {
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.UseNumber()
	open, _ := d.Token()
	var list []string
	for d.More() {
		key := ""
		if open == json.Delim('{') {
			token, _ := d.Token()
			key, _ = token.(string)
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			panic(err)
		}
		list = append(list, shuffledMember(c, key, string(value)))
	}
	switch open {
	case json.Delim('['):
		return "[" + strings.Join(list, ",") + "]"
	case json.Delim('{'):
		for i := range list {
			k := i + c.IntN(len(list)-i)
			list[i], list[k] = list[k], list[i]
		}
		return "{" + strings.Join(list, ",") + "}"
	}
	return text
}

// shuffledMember returns a member, or an element if it has no key.
func shuffledMember(c Source, key, value string) string {
	switch key {
	case "":
		return shuffled(c, value)
	case "enum", "const", "default": // values, not schemas
	case "properties", "$defs":
		value = inOrder(c, value)
	case "required":
		var names []string
		if json.Unmarshal([]byte(value), &names) == nil {
			slices.Reverse(names)
			reversed, _ := json.Marshal(names)
			value = string(reversed)
		}
	default:
		value = shuffled(c, value)
	}
	return Quote(&Choices{}, key) + ":" + value
}

// inOrder returns an object whose members are shuffled, but not it.
func inOrder(c Source, text string) string {
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.Token()
	var list []string
	for d.More() {
		key, _ := d.Token()
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			panic(err)
		}
		list = append(list, Quote(&Choices{}, key.(string))+":"+shuffled(c, string(value)))
	}
	return "{" + strings.Join(list, ",") + "}"
}
