package manual

import (
	"cmp"
	"encoding/json"
	"strings"
)

// Tools return pictures, sounds and files in one shape, and users send them in
// another; each API has its own. A result becomes what a user says, so what it holds
// is written as the API takes it of users.

// API is a family of APIs, as far as they take pictures and files differently.
type API uint8

// The families. Where none is given it is that of the messages, as their JSON tells;
// of messages that were not read from JSON it is not known, and parts stay as they are.
const (
	AnyAPI API = iota
	ChatCompletions
	Responses
	Anthropic
	AISDK   // messages for models
	AISDKUI // messages for user interfaces
)

// apiOf returns the family that a message is of, as far as it shows.
func apiOf(in *message, data []byte) API {
	if api := apiOfType(in.Type); api != AnyAPI {
		return api
	}
	if _, ok := typedList(in.Parts); ok {
		return AISDKUI
	}
	if !isNull(in.ToolCalls) || !isNull(in.FunctionCall) {
		return ChatCompletions
	}
	list, _ := typedList(in.Content)
	for _, raw := range list {
		if api := apiOfType(typeOf(raw)); api != AnyAPI {
			return api
		}
	}
	var answer struct {
		ID json.RawMessage `json:"tool_call_id"`
	}
	if in.Role == ToolRole && json.Unmarshal(data, &answer) == nil && !isNull(answer.ID) {
		return ChatCompletions
	}
	return AnyAPI
}

// apiOfType returns the family that has calls and results of the type.
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

// media is a picture, a sound or a file.
type media struct {
	typ  string // of media, such as image/png; image/* where no more is known
	data string // in base64
	url  string
	id   string // of a file that the provider keeps
	name string
}

func (m *media) isImage() bool { return strings.HasPrefix(m.typ, "image/") }

// mediaPart is the JSON of a picture, a sound or a file, in all shapes.
type mediaPart struct {
	Type      string `json:"type"`
	MediaType string `json:"mediaType"` // AI SDK
	MIMEType  string `json:"mimeType"`  // MCP
	Filename  string `json:"filename"`
	Title     string `json:"title"`   // Anthropic
	Context   string `json:"context"` // Anthropic

	Data     string          `json:"data"`
	Image    string          `json:"image"`     // AI SDK, of users
	ImageURL json.RawMessage `json:"image_url"` // OpenAI: a text, or an object with one
	URL      string          `json:"url"`
	FileURL  string          `json:"file_url"`
	FileData string          `json:"file_data"`
	FileID   string          `json:"file_id"`
	FileIDs  json.RawMessage `json:"fileId"` // AI SDK: a text, or one for each provider

	Source struct {
		Type      string `json:"type"`
		MediaType string `json:"media_type"`
		Data      string `json:"data"`
		URL       string `json:"url"`
		FileID    string `json:"file_id"`
	} `json:"source"` // Anthropic

	Audio struct {
		Data   string `json:"data"`
		Format string `json:"format"`
	} `json:"input_audio"`

	File struct {
		Name string `json:"filename"`
		Data string `json:"file_data"`
		ID   string `json:"file_id"`
	} `json:"file"`
}

// readMedia reads a picture, a sound or a file in any shape. A document that is its text
// is that text, and what has none of these its JSON.
func readMedia(raw json.RawMessage) (m media, text string) {
	var in mediaPart
	json.Unmarshal(raw, &in) // a member of another type is as one that is not there
	if in.Source.Type == "text" {
		return m, cmp.Or(strings.Trim(in.Title+"\n"+in.Context+"\n"+in.Source.Data, "\n"), compactText(raw))
	}
	imageURL := struct {
		URL string `json:"url"`
	}{stringIn(in.ImageURL)}
	json.Unmarshal(in.ImageURL, &imageURL) // a text was read
	m = media{
		typ:  cmp.Or(in.MediaType, in.MIMEType, in.Source.MediaType),
		data: cmp.Or(in.Data, in.Source.Data, in.Audio.Data),
		url:  cmp.Or(imageURL.URL, in.URL, in.FileURL, in.Source.URL),
		id:   cmp.Or(in.FileID, in.Source.FileID, in.File.ID, stringIn(in.FileIDs)),
		name: cmp.Or(in.Filename, in.File.Name),
	}
	if m.id == "" && !isNull(in.FileIDs) { // one for each provider
		m.id = compactText(in.FileIDs)
	}
	for _, text := range [...]string{in.Image, in.FileData, in.File.Data} {
		if strings.Contains(text, ":") {
			m.url = cmp.Or(m.url, text)
		} else {
			m.data = cmp.Or(m.data, text)
		}
	}
	if in.Audio.Format != "" {
		m.typ = "audio/" + in.Audio.Format
	}
	if head, data, found := strings.Cut(strings.TrimPrefix(m.url, "data:"), ";base64,"); found && strings.HasPrefix(m.url, "data:") {
		m.url, m.data, m.typ = "", cmp.Or(m.data, data), cmp.Or(m.typ, head)
	}
	if strings.Contains(in.Type, "image") && !m.isImage() {
		m.typ = "image/*"
	}
	if m.typ == "" {
		m.typ = "application/octet-stream"
	}
	if m.data == "" && m.url == "" && m.id == "" {
		text = compactText(raw)
	}
	return m, text
}

// address returns the data as a URL, or where the data are.
func (m *media) address() string {
	if m.data == "" {
		return m.url
	}
	return "data:" + strings.Replace(m.typ, "image/*", "image/png", 1) + ";base64," + m.data
}

// write returns the part as users send it; ok is false where the API has none such.
func (m *media) write(api API) (raw json.RawMessage, ok bool) {
	var v any
	type object map[string]any
	switch api {
	case ChatCompletions:
		format, isAudio := strings.CutPrefix(m.typ, "audio/")
		switch {
		case m.isImage() && m.address() != "":
			v = object{"type": "image_url", "image_url": object{"url": m.address()}}
		case isAudio && m.data != "":
			v = object{"type": "input_audio", "input_audio": object{"data": m.data, "format": strings.Replace(format, "mpeg", "mp3", 1)}}
		case m.data != "":
			v = object{"type": "file", "file": object{"filename": cmp.Or(m.name, "file"), "file_data": m.address()}}
		case m.id != "":
			v = object{"type": "file", "file": object{"file_id": m.id}}
		}
	case Responses:
		switch {
		case m.isImage() && m.address() != "":
			v = object{"type": "input_image", "image_url": m.address()}
		case m.isImage():
			v = object{"type": "input_image", "file_id": m.id}
		case strings.HasPrefix(m.typ, "audio/"):
		case m.data != "":
			v = object{"type": "input_file", "filename": cmp.Or(m.name, "file"), "file_data": m.address()}
		case m.url != "":
			v = object{"type": "input_file", "file_url": m.url}
		default:
			v = object{"type": "input_file", "file_id": m.id}
		}
	case Anthropic:
		source := object{"type": "base64", "media_type": strings.Replace(m.typ, "image/*", "image/png", 1), "data": m.data}
		if m.data == "" {
			source = object{"type": "url", "url": m.url}
		}
		if m.data == "" && m.url == "" {
			source = object{"type": "file", "file_id": m.id}
		}
		switch {
		case m.isImage():
			v = object{"type": "image", "source": source}
		case m.typ == "application/pdf" || m.data == "" && !strings.HasPrefix(m.typ, "audio/"):
			v = object{"type": "document", "source": source}
		}
	case AISDK:
		switch at := cmp.Or(m.data, m.url); {
		case at == "":
		case m.isImage():
			v = object{"type": "image", "image": at, "mediaType": m.typ}
		default:
			v = object{"type": "file", "data": at, "mediaType": m.typ, "filename": cmp.Or(m.name, "file")}
		}
	case AISDKUI:
		if m.address() != "" {
			v = object{"type": "file", "mediaType": m.typ, "url": m.address(), "filename": cmp.Or(m.name, "file")}
		}
	}
	if v == nil {
		return nil, false
	}
	raw, err := encode(v) // texts always can
	return raw, err == nil
}

// takes reports whether a part is one as users send it.
func (api API) takes(raw json.RawMessage) bool {
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		return false
	}
	has := func(keys ...string) bool {
		for _, key := range keys {
			if isNull(members[key]) {
				return false
			}
		}
		return true
	}
	switch typ := stringIn(members["type"]); api {
	case ChatCompletions:
		return (typ == "image_url" || typ == "input_audio" || typ == "file") && has(typ)
	case Responses:
		return typ == "input_image" || typ == "input_file"
	case Anthropic:
		return (typ == "image" || typ == "document") && has("source")
	case AISDK:
		return typ == "image" && has("image") || typ == "file" && has("data", "mediaType")
	case AISDKUI:
		return typ == "file" && has("url", "mediaType")
	}
	return false
}

// shown returns a part of a result as the API takes it of users, or the text that
// stands in its place.
func (api API) shown(raw json.RawMessage) (part json.RawMessage, text string) {
	if api == AnyAPI || api.takes(raw) {
		return raw, ""
	}
	m, text := readMedia(raw)
	if text != "" {
		return nil, text
	}
	if part, ok := m.write(api); ok {
		return part, ""
	}
	m.data = "" // too long to be told, and nobody could read it
	about, _ := encode(struct {
		Type string `json:"mediaType"`
		Name string `json:"filename,omitempty"`
		URL  string `json:"url,omitempty"`
		ID   string `json:"id,omitempty"`
	}{m.typ, m.name, m.url, m.id})
	return nil, "(Here stood what cannot be shown: " + string(about) + ")"
}
