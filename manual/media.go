package manual

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/callwire/callwire/internal/rawjson"
)

// Tools return images, sounds and files in one shape, and users send them in another; each API has
// its own. A result becomes what a user says, so its media are written as the API takes them from
// users.

// apiOf returns the API that a message reveals.
func apiOf(o rawjson.Object) API {
	if api := apiOfType(o.Text("type")); api != AnyAPI {
		return api
	}
	if hasUIParts(o) {
		return AISDKUI
	}
	if calls := o.Array("tool_calls"); len(calls) > 0 {
		call := rawjson.ParseObject(calls[0])
		arguments := call.Object("function").Object("arguments")
		if arguments != nil && !call.Has("id") {
			return Ollama
		}
	}
	if o.Has("tool_calls") || o.Has("function_call") {
		return ChatCompletions
	}
	list, _ := typedList(o.Get("content"))
	for _, part := range list {
		if api := apiOfType(part.Text("type")); api != AnyAPI {
			return api
		}
	}
	switch {
	case o.Text("role") != ToolRole:
	case o.Has("tool_call_id"):
		return ChatCompletions
	case o.Has("tool_name"):
		return Ollama
	}
	return AnyAPI
}

// apiOfType returns the API that has calls and results of the type.
func apiOfType(typ string) API {
	switch typ {
	case "function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output":
		return Responses
	case "tool_use", "tool_result":
		return Anthropic
	case "tool-call", "tool-result", "tool-error":
		return AISDK
	}
	return AnyAPI
}

// media is an image, a sound or a file.
type media struct {
	typ  string // such as image/png; image/* if no more is known
	data string // in base64
	url  string
	id   string // of a file that the provider keeps
	name string
}

func (m *media) isImage() bool { return strings.HasPrefix(m.typ, "image/") }

// readMedia reads an image, a sound or a file in any shape. A document that is its text is that
// text, and what has no data, URL or ID is its JSON. A member of a wrong type counts as missing.
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

// exactType returns the media type without a wildcard.
func (m *media) exactType() string { return strings.Replace(m.typ, "image/*", "image/png", 1) }

// address returns the data as a URL, or where the data are.
func (m *media) address() string {
	if m.data == "" {
		return m.url
	}
	return "data:" + m.exactType() + ";base64," + m.data
}

// fileName returns the name, which APIs require.
func (m *media) fileName() string { return cmp.Or(m.name, "file") }

// write returns the part as users send it, or nil if the API has no such part.
func (m *media) write(api API) rawjson.Object {
	switch api {
	case ChatCompletions:
		return m.chat()
	case Responses:
		return m.responses()
	case Anthropic:
		return m.anthropic()
	case AISDK:
		at := cmp.Or(m.data, m.url)
		switch {
		case at == "":
		case m.isImage():
			return object("image", at, "mediaType", m.typ, "type", "image")
		default:
			return object("data", at, "filename", m.fileName(), "mediaType", m.typ, "type", "file")
		}
	case AISDKUI:
		if url := m.address(); url != "" {
			return object("filename", m.fileName(), "mediaType", m.typ, "type", "file", "url", url)
		}
	case Gemini:
		typ := object("mimeType", m.exactType())
		switch {
		case m.data != "":
			return object("inlineData", append(typ, object("data", m.data)...).Append(nil))
		case m.url != "":
			return object("fileData", append(typ, object("fileUri", m.url)...).Append(nil))
		}
	}
	return nil
}

func (m *media) chat() rawjson.Object {
	format, isAudio := strings.CutPrefix(m.typ, "audio/")
	switch {
	case m.isImage() && m.address() != "":
		return object("image_url", object("url", m.address()).Append(nil), "type", "image_url")
	case isAudio && m.data != "":
		format = strings.Replace(format, "mpeg", "mp3", 1)
		audio := object("data", m.data, "format", format)
		return object("input_audio", audio.Append(nil), "type", "input_audio")
	case m.data != "":
		file := object("file_data", m.address(), "filename", m.fileName())
		return object("file", file.Append(nil), "type", "file")
	case m.id != "":
		return object("file", object("file_id", m.id).Append(nil), "type", "file")
	}
	return nil
}

func (m *media) responses() rawjson.Object {
	switch {
	case m.isImage() && m.address() != "":
		return object("image_url", m.address(), "type", "input_image")
	case m.isImage():
		return object("file_id", m.id, "type", "input_image")
	case strings.HasPrefix(m.typ, "audio/"):
		return nil
	case m.data != "":
		return object("file_data", m.address(), "filename", m.fileName(), "type", "input_file")
	case m.url != "":
		return object("file_url", m.url, "type", "input_file")
	}
	return object("file_id", m.id, "type", "input_file")
}

func (m *media) anthropic() rawjson.Object {
	source := object("file_id", m.id, "type", "file")
	switch {
	case m.data != "":
		source = object("data", m.data, "media_type", m.exactType(), "type", "base64")
	case m.url != "":
		source = object("type", "url", "url", m.url)
	}
	isDocument := m.typ == "application/pdf" || m.data == "" && !strings.HasPrefix(m.typ, "audio/")
	switch {
	case m.isImage():
		return object("source", source.Append(nil), "type", "image")
	case isDocument:
		return object("source", source.Append(nil), "type", "document")
	}
	return nil
}

// takes reports whether a part is one as users send it.
func (api API) takes(raw []byte) bool {
	o := rawjson.ParseObject(raw)
	switch typ := o.Text("type"); api {
	case ChatCompletions:
		return (typ == "image_url" || typ == "input_audio" || typ == "file") && o.Has(typ)
	case Responses:
		return typ == "input_image" || typ == "input_file"
	case Anthropic:
		return (typ == "image" || typ == "document") && o.Has("source")
	case AISDK:
		return typ == "image" && o.Has("image") ||
			typ == "file" && o.Has("data") && o.Has("mediaType")
	case AISDKUI:
		return typ == "file" && o.Has("url") && o.Has("mediaType")
	}
	return false
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
		return part.Append(nil), ""
	}
	about := object("mediaType", m.typ)
	for _, v := range object("filename", m.name, "url", m.url, "id", m.id) {
		if string(v.Value) != `""` {
			about = append(about, v)
		}
	}
	return nil, fmt.Sprintf(notShown, about.Append(nil))
}
