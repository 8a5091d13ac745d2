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
	if inner := geminiMedia(o); inner != nil {
		o = inner
	}
	source, audio, file := o.Object("source"), o.Object("input_audio"), o.Object("file")
	if source.Text("type") == "text" {
		return m // its data isn't in base64
	}
	m.typ = cmp.Or(o.Text("mediaType"), o.Text("mimeType"), source.Text("media_type"))
	m.name = cmp.Or(o.Text("filename"), file.Text("filename"))
	address := cmp.Or(o.Text("data"), source.Text("data"), audio.Text("data"), o.Text("image"),
		o.Text("image_url"), o.Object("image_url").Text("url"), o.Text("url"), source.Text("url"),
		o.Text("file_data"), file.Text("file_data"), o.Text("file_url"),
		o.Text("fileUri"))
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

// isMedia reports whether a part is an image, a sound or a file. It has one type, since another
// reader could choose a different one.
func isMedia(raw []byte) bool {
	var types []string
	o := rawjson.ParseObject(raw)
	for _, m := range o {
		if strings.EqualFold(m.Key, "type") {
			types = append(types, rawjson.Text(m.Value))
		}
	}
	return geminiMedia(o) != nil || len(types) == 1 && slices.Contains(mediaTypes, types[0])
}

var mediaTypes = strings.Fields(`image image_url input_image image-data image-url image-file-id
	audio input_audio media document file input_file file-data file-url file-id`)
