package manual

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/callwire/callwire/internal/rawjson"
)

// Tools return images, sounds and files in one shape, and users send them in another. Both shapes
// depend on the API. A result becomes a part of a user's message, so its media are written in the
// shape that the API takes from users.

// media is an image, a sound or a file.
type media struct {
	typ  string // such as image/png; image/* if no more is known
	data string // in base64
	url  string
	id   string // of a file that the provider keeps
	name string
}

func (m *media) isImage() bool { return strings.HasPrefix(m.typ, "image/") }

// readMedia reads an image, a sound or a file in any shape. A document that consists of text
// becomes that text. A part without data, URL or ID becomes its JSON. A member of a wrong type
// counts as missing.
func readMedia(raw []byte) (m media, text string) {
	o := rawjson.ParseObject(raw)
	source, audio, file := o.Object("source"), o.Object("input_audio"), o.Object("file")
	if source.Text("type") == "text" {
		text = strings.Trim(o.Text("title")+"\n"+o.Text("context")+"\n"+source.Text("data"), "\n")
		return m, cmp.Or(text, string(rawjson.Compact(raw)))
	}
	imageURL := cmp.Or(o.Text("image_url"), o.Object("image_url").Text("url"))
	fileID := cmp.Or(o.Text("file_id"), source.Text("file_id"), file.Text("file_id"))
	m = media{
		typ:  cmp.Or(o.Text("mediaType"), o.Text("mimeType"), source.Text("media_type")),
		data: cmp.Or(o.Text("data"), source.Text("data"), audio.Text("data")),
		url:  cmp.Or(imageURL, o.Text("url"), o.Text("file_url"), source.Text("url")),
		id:   cmp.Or(fileID, o.ID("fileId")),
		name: cmp.Or(o.Text("filename"), file.Text("filename")),
	}
	for _, text := range [...]string{o.Text("image"), o.Text("file_data"), file.Text("file_data")} {
		if strings.Contains(text, ":") {
			m.url = cmp.Or(m.url, text)
		} else {
			m.data = cmp.Or(m.data, text)
		}
	}
	if format := audio.Text("format"); format != "" {
		m.typ = "audio/" + format
	}
	rest, isData := strings.CutPrefix(m.url, "data:")
	if head, data, found := strings.Cut(rest, ";base64,"); isData && found {
		m.url, m.data, m.typ = "", cmp.Or(m.data, data), cmp.Or(m.typ, head)
	}
	if strings.Contains(o.Text("type"), "image") && !m.isImage() {
		m.typ = "image/*"
	}
	m.typ = cmp.Or(m.typ, "application/octet-stream")
	if m.data == "" && m.url == "" && m.id == "" {
		text = string(rawjson.Compact(raw))
	}
	return m, text
}

// A mediaShape is how an API takes media of some type, such as "image/", if they have what it
// needs. An empty one means that it takes none.
type mediaShape struct{ typ, needs, json string }

// mediaShapes are the shapes of each API. The first that fits is meant.
var mediaShapes = [...][]mediaShape{
	ChatCompletions: {
		{"image/", "$address", `{"image_url":{"url":$address},"type":"image_url"}`},
		{"audio/", "$data", `{"input_audio":{"data":$data,"format":$format},"type":"input_audio"}`},
		{"", "$data", `{"file":{"file_data":$address,"filename":$name},"type":"file"}`},
		{"", "$id", `{"file":{"file_id":$id},"type":"file"}`},
	},
	Responses: {
		{"image/", "$address", `{"image_url":$address,"type":"input_image"}`},
		{"image/", "$id", `{"file_id":$id,"type":"input_image"}`},
		{"audio/", "", ""},
		{"", "$data", `{"file_data":$address,"filename":$name,"type":"input_file"}`},
		{"", "$url", `{"file_url":$url,"type":"input_file"}`},
		{"", "$id", `{"file_id":$id,"type":"input_file"}`},
	},
	Anthropic: {
		{"image/", "$data", `{"source":` + base64Source + `,"type":"image"}`},
		{"image/", "$url", `{"source":{"type":"url","url":$url},"type":"image"}`},
		{"image/", "$id", `{"source":{"file_id":$id,"type":"file"},"type":"image"}`},
		{"application/pdf", "$data", `{"source":` + base64Source + `,"type":"document"}`},
		{"", "$data", ""},
		{"audio/", "", ""},
		{"", "$url", `{"source":{"type":"url","url":$url},"type":"document"}`},
		{"", "$id", `{"source":{"file_id":$id,"type":"file"},"type":"document"}`},
	},
	AISDK: {
		{"image/", "$at", `{"image":$at,"mediaType":$type,"type":"image"}`},
		{"", "$at", `{"data":$at,"filename":$name,"mediaType":$type,"type":"file"}`},
	},
	AISDKUI: {
		{"", "$address", `{"filename":$name,"mediaType":$type,"type":"file","url":$address}`},
	},
	Gemini: {
		{"", "$data", `{"inlineData":{"mimeType":$exact,"data":$data}}`},
		{"", "$url", `{"fileData":{"mimeType":$exact,"fileUri":$url}}`},
	},
	Ollama: nil,
}

const base64Source = `{"data":$data,"media_type":$exact,"type":"base64"}`

// write returns the media as users send them, or nil if the API takes no such part.
func (m *media) write(api API) []byte {
	exact := strings.Replace(m.typ, "image/*", "image/png", 1)
	address := m.url
	if m.data != "" {
		address = "data:" + exact + ";base64," + m.data
	}
	format := strings.Replace(strings.TrimPrefix(m.typ, "audio/"), "mpeg", "mp3", 1)
	values := []string{
		"$address", address, "$at", cmp.Or(m.data, m.url), "$data", m.data, "$exact", exact,
		"$format", format, "$id", m.id, "$name", cmp.Or(m.name, "file"), "$type", m.typ,
		"$url", m.url,
	}
	has := make(map[string]bool)
	for i := 1; i < len(values); i += 2 {
		has[values[i-1]] = values[i] != ""
		values[i] = quoted(values[i])
	}
	for _, s := range mediaShapes[api] {
		isFit := strings.HasPrefix(m.typ, s.typ) && (s.needs == "" || has[s.needs])
		if isFit && s.json == "" {
			return nil
		} else if isFit {
			return fill(s.json, values...)
		}
	}
	return nil
}

// userMedia are the parts that users send, by API and type, with the members they must have.
var userMedia = [...]map[string][]string{
	ChatCompletions: {"image_url": {"image_url"}, "input_audio": {"input_audio"}, "file": {"file"}},
	Responses:       {"input_image": nil, "input_file": nil},
	Anthropic:       {"image": {"source"}, "document": {"source"}},
	AISDK:           {"image": {"image"}, "file": {"data", "mediaType"}},
	AISDKUI:         {"file": {"url", "mediaType"}},
	Ollama:          nil,
}

// takes reports whether a part is one as users send it.
func (api API) takes(raw []byte) bool {
	o := rawjson.ParseObject(raw)
	keys, known := userMedia[api][o.Text("type")]
	isMissing := func(key string) bool { return !o.Has(key) }
	return known && !slices.ContainsFunc(keys, isMissing)
}

// shown returns a part of a result as the API takes it from users, or the text that replaces it.
func (api API) shown(raw []byte) (part []byte, text string) {
	if api == AnyAPI || api.takes(raw) {
		return raw, ""
	}
	m, text := readMedia(raw)
	if text != "" {
		return nil, text
	}
	if part := m.write(api); part != nil {
		return part, ""
	}
	about := rawjson.Make("mediaType", m.typ)
	for _, v := range rawjson.Make("filename", m.name, "url", m.url, "id", m.id) {
		if string(v.Value) != `""` {
			about = append(about, v)
		}
	}
	return nil, fmt.Sprintf(notShown, about.Append(nil))
}
