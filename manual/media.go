package manual

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/callwire/callwire/internal/rawjson"
)

// Tools return images, sounds and files in one shape, and users send them in another. Both shapes
// depend on the API. A result becomes a part of a user's message, so its media are written in the
// shape that the API takes from users.

// shown returns a part of a result as the API takes it from users, or the text that replaces it: a
// document that consists of text becomes that text, a part without data, URL or ID its JSON.
func (api API) shown(raw []byte) Part {
	s, o := api.shape(), rawjson.ParseObject(raw)
	keys, isTaken := s.takes[o.Text("type")]
	isMissing := func(key string) bool { return !o.Has(key) }
	if api == anyAPI || isTaken && !slices.ContainsFunc(keys, isMissing) {
		return Part{Kind: Other, Raw: raw}
	}
	if source := o.Object("source"); source.Text("type") == "text" {
		lines := o.Text("title") + "\n" + o.Text("context") + "\n" + source.Text("data")
		return Part{Text: cmp.Or(strings.Trim(lines, "\n"), string(rawjson.Compact(raw)))}
	}
	m := readMedia(o)
	if m["$address"] == "" && m["$id"] == "" {
		return Part{Text: string(rawjson.Compact(raw))}
	}
	about := rawjson.Make(
		"mediaType", m["$type"], "filename", m["$name"], "url", m["$url"], "id", m["$id"])
	isEmpty := func(v rawjson.Member) bool { return string(v.Value) == `""` }
	text := fmt.Sprintf(notShown, slices.DeleteFunc(about, isEmpty).Append(nil))
	isFit := func(shape mediaShape) bool {
		hasAll := shape.needs == "" || m[shape.needs] != ""
		return hasAll && strings.HasPrefix(m["$type"], shape.typ)
	}
	i := slices.IndexFunc(s.media, isFit)
	if i < 0 || s.media[i].json == "" {
		return Part{Text: text}
	}
	m["$name"] = cmp.Or(m["$name"], "file")
	var values []string
	for name, value := range m {
		values = append(values, name, quoted(value))
	}
	part := strings.NewReplacer(values...).Replace(s.media[i].json)
	return Part{Kind: Other, Raw: []byte(part)}
}

// readMedia reads an image, a sound or a file in any shape. It returns what the templates of shapes
// name. The type is image/* if no more is known. A member of a wrong type counts as missing.
func readMedia(o rawjson.Object) map[string]string {
	source, audio, file := o.Object("source"), o.Object("input_audio"), o.Object("file")
	typ := cmp.Or(o.Text("mediaType"), o.Text("mimeType"), source.Text("media_type"))
	data := cmp.Or(o.Text("data"), source.Text("data"), audio.Text("data"))
	url := cmp.Or(o.Text("image_url"), o.Object("image_url").Text("url"), o.Text("url"),
		o.Text("file_url"), source.Text("url"))
	for _, text := range [...]string{o.Text("image"), o.Text("file_data"), file.Text("file_data")} {
		if strings.Contains(text, ":") {
			url = cmp.Or(url, text)
		} else {
			data = cmp.Or(data, text)
		}
	}
	if format := audio.Text("format"); format != "" {
		typ = "audio/" + format
	}
	rest, isData := strings.CutPrefix(url, "data:")
	if head, content, found := strings.Cut(rest, ";base64,"); isData && found {
		url, data, typ = "", cmp.Or(data, content), cmp.Or(typ, head)
	}
	if strings.Contains(o.Text("type"), "image") && !strings.HasPrefix(typ, "image/") {
		typ = "image/*"
	}
	typ = cmp.Or(typ, "application/octet-stream")
	exact := strings.Replace(typ, "image/*", "image/png", 1)
	address := url
	if data != "" {
		address = "data:" + exact + ";base64," + data
	}
	return map[string]string{
		"$address": address, "$at": cmp.Or(data, url), "$data": data, "$exact": exact,
		"$format": strings.Replace(strings.TrimPrefix(typ, "audio/"), "mpeg", "mp3", 1),
		"$id": cmp.Or(o.Text("file_id"), source.Text("file_id"), file.Text("file_id"),
			o.ID("fileId")),
		"$name": cmp.Or(o.Text("filename"), file.Text("filename")), "$type": typ, "$url": url,
	}
}

// setOutput sets what a tool returned: a string is text.
func (p *Part) setOutput(value []byte) {
	p.Text = rawjson.Text(value)
	if !rawjson.IsString(value) && !rawjson.IsNull(value) {
		p.Output = value
	}
}

// joinOutputs returns several values as a list of parts, and a single one as it is.
func joinOutputs(values [][]byte) []byte {
	if len(values) < 2 {
		return slices.Concat(values...)
	}
	var parts [][]byte
	for _, v := range values {
		texts, others := saidBy(v)
		for _, text := range texts {
			parts = append(parts, anyAPI.textPart("", text))
		}
		parts = append(parts, others...)
	}
	return rawjson.AppendArray(nil, parts)
}

// isError reports whether a result is an error, or an MCP result marked as one.
func (p *Part) isError() bool {
	o := rawjson.ParseObject(p.Output)
	return p.Failed || string(o.Get("isError")) == "true" && o.Get("content") != nil
}

// outputText returns the text of a result, and the parts that aren't text.
func (p *Part) outputText() (text string, others [][]byte) {
	if p.Output == nil {
		return p.Text, nil
	}
	texts, others := saidBy(bytes.TrimSpace(p.Output))
	return strings.Join(texts, "\n"), others
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
