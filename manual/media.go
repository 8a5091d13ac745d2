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

// shown returns a part of a result as the API takes it from users, or the text that replaces it:
// a part without data or URL is its JSON.
func (api API) shown(raw []byte) Part {
	s, o := api.shape(), rawjson.ParseObject(raw)
	key, isTaken := s.takes[o.Text("type")]
	if api == anyAPI || isTaken && o.Has(key) {
		return Part{Kind: Other, Raw: raw}
	}
	m := readMedia(o)
	if m.data == "" && m.url == "" {
		return Part{Text: string(rawjson.Compact(raw))}
	}
	for _, shape := range s.media {
		isFit := strings.HasPrefix(m.typ, shape.typ) && (m.data != "" || !shape.needsData)
		if isFit && shape.json != "" {
			return Part{Kind: Other, Raw: m.in(shape.json)}
		} else if isFit {
			break
		}
	}
	about := rawjson.Make("mediaType", m.typ, "filename", m.name, "url", m.url)
	isEmpty := func(v rawjson.Member) bool { return string(v.Value) == `""` }
	return Part{Text: fmt.Sprintf(notShown, slices.DeleteFunc(about, isEmpty).Append(nil))}
}

// media is an image, a sound or a file: data in base64 or a URL. The type is image/* if no more is
// known.
type media struct{ typ, data, url, name string }

// readMedia reads media in any shape. A member of a wrong type counts as missing.
func readMedia(o rawjson.Object) (m media) {
	source, audio, file := o.Object("source"), o.Object("input_audio"), o.Object("file")
	if source.Text("type") == "text" {
		return m // its data isn't in base64
	}
	m.typ = cmp.Or(o.Text("mediaType"), o.Text("mimeType"), source.Text("media_type"))
	m.name = cmp.Or(o.Text("filename"), file.Text("filename"))
	address := cmp.Or(o.Text("data"), source.Text("data"), audio.Text("data"), o.Text("image"),
		o.Text("image_url"), o.Object("image_url").Text("url"), o.Text("url"), source.Text("url"),
		o.Text("file_data"), file.Text("file_data"), o.Text("file_url"))
	if format := audio.Text("format"); format != "" {
		m.typ = "audio/" + format
	}
	rest, isData := strings.CutPrefix(address, "data:")
	head, content, isBase64 := strings.Cut(rest, ";base64,")
	switch {
	case isData && isBase64:
		m.data, m.typ = content, cmp.Or(m.typ, head)
	case strings.Contains(address, ":"):
		m.url = address
	default:
		m.data = address
	}
	if strings.Contains(o.Text("type"), "image") && !strings.HasPrefix(m.typ, "image/") {
		m.typ = "image/*"
	}
	m.typ = cmp.Or(m.typ, "application/octet-stream")
	return m
}

// in returns media in the JSON of a template.
func (m media) in(template string) []byte {
	exact := strings.Replace(m.typ, "image/*", "image/png", 1)
	address := m.url
	if m.data != "" {
		address = "data:" + exact + ";base64," + m.data
	}
	format := strings.Replace(strings.TrimPrefix(m.typ, "audio/"), "mpeg", "mp3", 1)
	return []byte(strings.NewReplacer(
		"$address", quoted(address), "$at", quoted(cmp.Or(m.data, m.url)), "$data", quoted(m.data),
		"$exact", quoted(exact), "$format", quoted(format), "$name", quoted(cmp.Or(m.name, "file")),
		"$type", quoted(m.typ), "$url", quoted(m.url),
	).Replace(template))
}

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
