package manual

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/callwire/callwire/internal/rawjson"
)

// setOutput sets what a tool returned: a string is text.
func (p *Part) setOutput(value []byte) {
	p.Text = rawjson.Text(value)
	if !rawjson.IsString(value) && !rawjson.IsNull(value) {
		p.Output = value
	}
}

// joinOutputs returns several values as a list of parts, and a single one as it is.
func joinOutputs(values [][]byte) []byte {
	if len(values) == 0 {
		return nil
	} else if len(values) == 1 {
		return values[0]
	}
	var parts [][]byte
	for _, v := range values {
		texts, others := saidBy(v)
		for _, text := range texts {
			parts = append(parts, anyAPI.textPart("", text))
		}
		for i := range others {
			parts = append(parts, others[i].Raw)
		}
	}
	return rawjson.AppendArray(nil, parts)
}

// isError reports whether a result is an error, or an MCP result marked as one.
func (p *Part) isError() bool {
	o := rawjson.ParseObject(p.Output)
	return p.Failed || string(o.Get("isError")) == "true" && o.Get("content") != nil
}

// outputText returns the text of a result, and the parts that aren't text.
func (p *Part) outputText() (text string, others []Part) {
	if p.Output == nil {
		return p.Text, nil
	}
	texts, others := saidBy(bytes.TrimSpace(p.Output))
	return strings.Join(texts, "\n"), others
}

// saidBy returns the texts and the other parts of an output: of its content parts, or a string, or
// any other JSON as text.
func saidBy(output []byte) (texts []string, others []Part) {
	if texts, others, ok := contentParts(output); ok {
		return texts, others
	} else if rawjson.IsString(output) {
		return []string{rawjson.Unquote(output)}, nil
	}
	return []string{string(rawjson.Compact(output))}, nil
}

// contentParts reads a list of typed parts, or an MCP result that contains one.
func contentParts(data []byte) (texts []string, others []Part, ok bool) {
	if content, structured, ok := mcpResult(data); ok {
		texts, others, ok = contentParts(content)
		if !ok && len(rawjson.ParseArray(content)) > 0 {
			return nil, nil, false
		}
		if !rawjson.IsNull(structured) && !slices.ContainsFunc(texts, repeats(structured)) {
			texts = append(texts, string(rawjson.Compact(structured)))
		}
		return texts, others, true
	}
	list := rawjson.ParseArray(data)
	for _, raw := range list {
		o := rawjson.ParseObject(raw)
		typ, text := o.Text("type"), o.Get("text")
		kind, _ := kindOf(typ)
		switch {
		case typ == "":
			return nil, nil, false
		case rawjson.IsNull(text) || kind != Text:
			others = append(others, Part{Kind: Other, Raw: raw})
		case !rawjson.IsString(text):
			return nil, nil, false
		case !o.Only(textMembers...):
			texts = append(texts, string(rawjson.Compact(raw)))
		default:
			texts = append(texts, rawjson.Unquote(text))
		}
	}
	return texts, others, len(list) > 0
}

// textMembers are the members that APIs define for a text. All but the text are for clients, not
// for the model.
var textMembers = []string{
	"type", "text", "annotations", "_meta", "cache_control", "citations", "logprobs",
	"providerOptions", "providerMetadata", "state",
}

// mcpResult reads an MCP result: an object with a list as content, and no member unknown to MCP,
// which would be lost.
func mcpResult(data []byte) (content, structured []byte, ok bool) {
	o := rawjson.ParseObject(data)
	isKnown := o.Only("content", "structuredContent", "_meta", "isError")
	if !isKnown || !rawjson.IsArray(o.Get("content")) {
		return nil, nil, false
	}
	switch string(o.Get("isError")) {
	case "", "true", "false", "null":
		return o.Get("content"), o.Get("structuredContent"), true
	}
	return nil, nil, false
}

// repeats returns a function that reports whether a text is the same JSON as data except for
// whitespace and the order of keys; servers repeat structured content as text like that. Numbers
// are compared by their digits. Data is decoded once, and the cost of a text depends on that text
// alone, since there may be many.
func repeats(data []byte) func(text string) bool {
	decode := func(text []byte) (v any, ok bool) {
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		if d.Decode(&v) != nil {
			return nil, false
		}
		_, err := d.Token()
		return v, err == io.EOF
	}
	want, ok := decode(data)
	return func(text string) bool {
		if !ok {
			return false
		}
		got, ok := decode([]byte(text))
		return ok && reflect.DeepEqual(got, want)
	}
}

// sameJSON reports whether two texts are the same JSON, as [repeats] compares them.
func sameJSON(a, b []byte) bool { return repeats(a)(string(b)) }
