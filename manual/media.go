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

// shown returns a part of a result as the API takes it from users, or the text that replaces it: a
// document that consists of text becomes that text, a part without data, URL or ID its JSON.
func (api API) shown(raw []byte) (part []byte, text string) {
	s, o := api.shape(), rawjson.ParseObject(raw)
	keys, isTaken := s.takes[o.Text("type")]
	isMissing := func(key string) bool { return !o.Has(key) }
	if api == anyAPI || isTaken && !slices.ContainsFunc(keys, isMissing) {
		return raw, ""
	}
	if source := o.Object("source"); source.Text("type") == "text" {
		lines := o.Text("title") + "\n" + o.Text("context") + "\n" + source.Text("data")
		return nil, cmp.Or(strings.Trim(lines, "\n"), string(rawjson.Compact(raw)))
	}
	m := readMedia(o)
	if m.data == "" && m.url == "" && m.id == "" {
		return nil, string(rawjson.Compact(raw))
	}
	if part := m.write(s); len(part) > 0 {
		return part, ""
	}
	about := rawjson.Make("mediaType", m.typ, "filename", m.name, "url", m.url, "id", m.id)
	isEmpty := func(v rawjson.Member) bool { return string(v.Value) == `""` }
	return nil, fmt.Sprintf(notShown, slices.DeleteFunc(about, isEmpty).Append(nil))
}

// readMedia reads an image, a sound or a file in any shape. A member of a wrong type counts as
// missing.
func readMedia(o rawjson.Object) media {
	source, audio, file := o.Object("source"), o.Object("input_audio"), o.Object("file")
	m := media{
		typ:  cmp.Or(o.Text("mediaType"), o.Text("mimeType"), source.Text("media_type")),
		data: cmp.Or(o.Text("data"), source.Text("data"), audio.Text("data")),
		url: cmp.Or(o.Text("image_url"), o.Object("image_url").Text("url"), o.Text("url"),
			o.Text("file_url"), source.Text("url")),
		id: cmp.Or(o.Text("file_id"), source.Text("file_id"), file.Text("file_id"),
			o.ID("fileId")),
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
	if strings.Contains(o.Text("type"), "image") && !strings.HasPrefix(m.typ, "image/") {
		m.typ = "image/*"
	}
	m.typ = cmp.Or(m.typ, "application/octet-stream")
	return m
}

// write returns the media as users send them, empty if the API takes no such part.
func (m *media) write(s *shape) []byte {
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
	has := map[string]bool{"": true}
	for i := 1; i < len(values); i += 2 {
		has[values[i-1]] = values[i] != ""
		values[i] = quoted(values[i])
	}
	for _, shape := range s.media {
		if strings.HasPrefix(m.typ, shape.typ) && has[shape.needs] {
			return fill(shape.json, values...)
		}
	}
	return nil
}
