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

// isError reports whether a result is an error, or an MCP result marked as one.
func (p *Part) isError() bool {
	o := rawjson.ParseObject(p.Output)
	return p.Failed || string(o.Get("isError")) == "true" && o.Get("content") != nil
}

// outputText returns the text of a result, and its media. Shown returns a part that isn't text as
// it is shown: media, or text.
func (p *Part) outputText(shown func(raw json.RawMessage) Part) (text string, media []Part) {
	if p.Output == nil {
		return p.Text, nil
	}
	said, others := saidBy(bytes.TrimSpace(p.Output))
	var texts []string
	text = strings.Join(said, "\n")
	if text != "" {
		texts = []string{text}
	}
	for _, raw := range others {
		if part := shown(raw); part.Kind == Other {
			media = append(media, part)
		} else {
			texts = append(texts, part.Text)
		}
	}
	return strings.Join(texts, "\n"), media
}

// saidBy returns the texts and the other parts of an output: of a list of typed parts, which an MCP
// result may contain, or a string, or any other JSON as text.
func saidBy(output []byte) (texts []string, others [][]byte) {
	if rawjson.IsString(output) {
		return []string{rawjson.Unquote(output)}, nil
	}
	list, structured := rawjson.ParseArray(output), []byte(nil)
	o := rawjson.ParseObject(output)
	if isMCP(o) {
		list, structured = o.Array("content"), o.Get("structuredContent")
	}
	isList := len(list) > 0 || isMCP(o)
	for _, raw := range list {
		part := rawjson.ParseObject(raw)
		typ, text := part.Text("type"), part.Get("text")
		kind, _ := kindOf(typ)
		isText := kind == Text && !rawjson.IsNull(text)
		isList = isList && typ != "" && (!isText || rawjson.IsString(text))
		switch {
		case !isText:
			others = append(others, raw)
		case !part.Only(textMembers...):
			texts = append(texts, string(rawjson.Compact(raw)))
		default:
			texts = append(texts, rawjson.Text(text))
		}
	}
	if !isList {
		return []string{string(rawjson.Compact(output))}, nil
	}
	if !rawjson.IsNull(structured) && !isRepeated(structured, texts) {
		texts = append(texts, string(rawjson.Compact(structured)))
	}
	return texts, others
}

// textMembers are the members that APIs define for a text. All but the text are for clients, not
// for the model.
var textMembers = strings.Fields(`type text annotations _meta cache_control citations logprobs
	providerOptions providerMetadata state`)

// isMCP reports whether a result is one of MCP: an object with a list as content, and no member
// unknown to MCP, which would be lost.
func isMCP(o rawjson.Object) bool {
	isKnown := o.Only("content", "structuredContent", "_meta", "isError")
	isError := []string{"", "true", "false", "null"}
	return isKnown && rawjson.IsArray(o.Get("content")) &&
		slices.Contains(isError, string(o.Get("isError")))
}

// isRepeated reports whether one of the texts is the same JSON as data; servers repeat structured
// content as text like that. Data is decoded once, since there may be many texts.
func isRepeated(data []byte, texts []string) bool {
	want, isJSON := decode(data)
	return isJSON && slices.ContainsFunc(texts, func(text string) bool {
		got, isJSON := decode([]byte(text))
		return isJSON && reflect.DeepEqual(got, want)
	})
}

// sameJSON reports whether two texts are the same JSON except for whitespace and the order of keys.
// Numbers are compared by their digits.
func sameJSON(a, b []byte) bool { return isRepeated(a, []string{string(b)}) }

// decode returns a JSON value with numbers as text; ok is false if text is anything else.
func decode(text []byte) (v any, ok bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return nil, false
	}
	_, err := d.Token()
	return v, err == io.EOF
}
