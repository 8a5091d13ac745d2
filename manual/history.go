package manual

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// HistoryOptions say how a conversation is rewritten. The Options are those of
// its manual; of them, Delims, Plan and Model count here.
type HistoryOptions struct {
	Options

	// Manual, if not empty, is merged into the first system message, or becomes
	// one.
	Manual string

	// NeutralizeUser neutralises what users say too. Results always are.
	NeutralizeUser bool
}

// HistoryError says which part of which message cannot be rewritten.
type HistoryError struct {
	Message, Part int // counted from 0
	Err           error
}

func (e *HistoryError) Error() string {
	return fmt.Sprintf("manual: message %d, part %d: %v", e.Message, e.Part, e.Err)
}

// Unwrap returns what is wrong; of a call that cannot be written a
// [*lexer.Error].
func (e *HistoryError) Unwrap() error { return e.Err }

// Rewrite returns the conversation as it is when tools are called within text:
// calls of the assistant are canonical calls in its text, and results are text
// of the user. Everything else, images, files and reasoning among it, stays
// where it is. Messages that become neighbours of one role thereby are one
// message; the order of parts does not change.
//
// A tool that the catalogue does not know any more is written all the same. The
// error is a [*HistoryError], or a [*DelimsError] where the tags of calls are not
// legal or occur in those of results. The messages given are not changed. The work is
// linear in them.
//
// Rule: manual.history.
func (o HistoryOptions) Rewrite(catalog *sig.Catalog, messages []Message) ([]Message, error) {
	if err := checkDelims(o.Delims); err != nil {
		return nil, err
	}
	r := rewriter{o: o, catalog: catalog, names: make(map[string]string)}
	for i := range messages {
		if err := r.message(i, &messages[i]); err != nil {
			return nil, err
		}
	}
	return o.withManual(r.out), nil
}

// rewriter rewrites one conversation.
type rewriter struct {
	o       HistoryOptions
	catalog *sig.Catalog
	names   map[string]string // of tools, by the ids of their calls
	out     []Message
	results bool // the last message is one of results
}

func (r *rewriter) message(index int, m *Message) error {
	out := Message{Role: m.Role, Extra: maps.Clone(m.Extra)}
	results := m.Role == ToolRole
	if results {
		out.Role = User
	}
	call := false // the last part of out is a call, or text that calls follow
	for i := range m.Parts {
		p := &m.Parts[i]
		switch p.Kind {
		case Call:
			text, err := r.call(p)
			if err != nil {
				return &HistoryError{index, i, err}
			}
			r.names[p.ID] = p.Name
			if n := len(out.Parts); n > 0 && out.Parts[n-1].Kind == Text {
				last := &out.Parts[n-1]
				if last.Text != "" && !strings.HasSuffix(last.Text, "\n") {
					last.Text += "\n"
				}
				last.Text += text
			} else {
				out.Parts = append(out.Parts, Part{Kind: Text, Text: text})
			}
			call = true
		case Result:
			results = true
			parts, err := r.result(p)
			if err != nil {
				return &HistoryError{index, i, err}
			}
			out.Parts = append(out.Parts, parts...)
		case Text:
			text := *p
			if m.Role == ToolRole { // whatever a tool says is a result
				parts, err := r.result(&Part{Kind: Result, Output: p.Text})
				if err != nil {
					return &HistoryError{index, i, err}
				}
				out.Parts = append(out.Parts, parts...)
				continue
			}
			if m.Role == User && r.o.NeutralizeUser {
				text.Text = Neutralize(text.Text, r.o.Delims)
			}
			if n := len(out.Parts); call && n > 0 && out.Parts[n-1].Kind == Text && text.Raw == nil {
				out.Parts[n-1].Text += "\n" + text.Text
				continue
			}
			out.Parts = append(out.Parts, text)
		default:
			call = false
			if m.Role == ToolRole && !r.o.harmless(p.Raw) {
				out.Parts = append(out.Parts, Part{Kind: Text, Text: r.o.Result("", compactText(p.Raw))})
				continue
			}
			out.Parts = append(out.Parts, *p)
		}
	}
	r.append(out, results)
	return nil
}

// append appends a message, to the last one where results stand between.
func (r *rewriter) append(m Message, results bool) {
	n := len(r.out)
	if n == 0 || m.Role != User || r.out[n-1].Role != User || !results && !r.results {
		r.out = append(r.out, m)
		r.results = results
		return
	}
	last := &r.out[n-1]
	last.Parts = append(last.Parts, m.Parts...)
	for k, v := range m.Extra {
		if last.Extra == nil {
			last.Extra = make(map[string]json.RawMessage)
		}
		if _, taken := last.Extra[k]; !taken {
			last.Extra[k] = v
		}
	}
	r.results = r.results || results
}

// call returns the writing of a call.
func (r *rewriter) call(p *Part) (string, error) {
	input, err := inputOf(p.Input)
	if err != nil {
		return "", err
	}
	format := parse.FormatOptions{Delims: r.o.Delims}
	catalog := r.catalog
	if t := catalog.Lookup([]byte(p.Name)); t == nil {
		catalog = nil
	} else if plan, err := r.o.Plan.Plan(r.o.seen(t)); err == nil {
		format.JSON = plan.Syntax == sig.JSON
	}
	return format.Format(catalog, p.Name, input)
}

// inputOf returns arguments as the text of a JSON object.
func inputOf(input any) ([]byte, error) {
	var text []byte
	switch v := input.(type) {
	case nil:
		return []byte("{}"), nil
	case json.RawMessage:
		text = v
	case []byte:
		text = v
	case string:
		text = []byte(v)
	default:
		return encode(input)
	}
	text = bytes.TrimSpace(text)
	var inner string
	switch {
	case len(text) == 0 || string(text) == "null":
		return []byte("{}"), nil
	case text[0] == '"' && json.Unmarshal(text, &inner) == nil:
		if inner = strings.TrimSpace(inner); inner == "" {
			return []byte("{}"), nil
		}
		return []byte(inner), nil
	}
	return text, nil
}

// encode returns v as JSON, < and > as they are.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// result returns a result as text, and behind it what in it is no text.
func (r *rewriter) result(p *Part) ([]Part, error) {
	name := p.Name
	if name == "" {
		name = r.names[p.ID]
	}
	text, others, err := outputText(p.Output)
	if err != nil {
		return nil, err
	}
	kept := others[:0:0]
	for _, other := range others {
		if r.o.harmless(other.Raw) {
			kept = append(kept, other)
		} else {
			text = strings.TrimPrefix(text+"\n"+compactText(other.Raw), "\n")
		}
	}
	others = kept
	envelope := r.o.Result
	if p.Failed || failed(p.Output) {
		envelope = r.o.ErrorResult
	}
	return append([]Part{{Kind: Text, Text: envelope(name, text)}}, others...), nil
}

// harmless reports whether a part of a result can stand beside the text of it as
// it is: a picture, a sound or a file, none of whose strings holds a tag. All
// else that a tool says goes into the envelope, where tags are neutralised.
func (o Options) harmless(raw json.RawMessage) bool {
	var v map[string]any
	if json.Unmarshal(raw, &v) != nil {
		return false
	}
	switch v["type"] {
	case "image", "image_url", "input_image", "audio", "input_audio", "file", "input_file", "document", "media", "file-data", "image-data":
	default:
		return false
	}
	clean := true
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			clean = clean && Neutralize(v, o.Delims) == v
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			for k, e := range v {
				walk(k)
				walk(e)
			}
		}
	}
	walk(v)
	return clean
}

// compactText returns JSON text without whitespace, and other text as it is.
func compactText(data []byte) string {
	var b bytes.Buffer
	if json.Compact(&b, data) == nil {
		return b.String()
	}
	return string(data)
}

// failed reports whether an output is one of MCP that says so itself.
func failed(output any) bool {
	var mcp struct {
		IsError bool `json:"isError"`
		Content json.RawMessage
	}
	data, ok := output.(json.RawMessage)
	if _, text := output.(string); !ok && !text {
		data, _ = encode(output)
	}
	return json.Unmarshal(data, &mcp) == nil && mcp.IsError && mcp.Content != nil
}

// outputText returns the text of an output, and the parts that are no text.
func outputText(output any) (text string, others []Part, err error) {
	var data []byte
	switch v := output.(type) {
	case nil:
		return "", nil, nil
	case string:
		return v, nil, nil
	case json.RawMessage:
		data = v
	case []byte:
		data = v
	default:
		if data, err = encode(output); err != nil {
			return "", nil, err
		}
		if isText(data) {
			err = json.Unmarshal(data, &text)
			return text, nil, err
		}
	}
	data = bytes.TrimSpace(data)
	if texts, others, ok := contentParts(data); ok {
		return strings.Join(texts, "\n"), others, nil
	}
	return compactText(data), nil, nil
}

// contentParts reads a list of parts with types, or MCP's result with one in it.
func contentParts(data []byte) (texts []string, others []Part, ok bool) {
	var mcp struct {
		Content json.RawMessage `json:"content"`
	}
	if len(data) > 0 && data[0] == '{' && json.Unmarshal(data, &mcp) == nil && len(mcp.Content) > 0 && mcp.Content[0] == '[' {
		data = mcp.Content
	}
	var list []json.RawMessage
	if len(data) == 0 || data[0] != '[' || json.Unmarshal(data, &list) != nil || len(list) == 0 {
		return nil, nil, false
	}
	for _, raw := range list {
		var p struct {
			Type string  `json:"type"`
			Text *string `json:"text"`
		}
		if json.Unmarshal(raw, &p) != nil || p.Type == "" {
			return nil, nil, false
		}
		if p.Text != nil && (p.Type == "text" || p.Type == "input_text" || p.Type == "output_text") {
			texts = append(texts, *p.Text)
		} else {
			others = append(others, Part{Kind: Other, Raw: raw})
		}
	}
	return texts, others, true
}

// withManual returns the messages with the manual in the first system message.
func (o HistoryOptions) withManual(messages []Message) []Message {
	if o.Manual == "" {
		return messages
	}
	for i := range messages {
		m := &messages[i]
		if m.Role != System && m.Role != "developer" {
			continue
		}
		for j := range m.Parts {
			if m.Parts[j].Kind == Text && (o.Placement == First || j == lastText(m.Parts)) {
				m.Parts = append([]Part(nil), m.Parts...)
				m.Parts[j].Text = Merge(m.Parts[j].Text, o.Manual, o.Placement)
				return messages
			}
		}
		m.Parts = append(m.Parts[:len(m.Parts):len(m.Parts)], Part{Kind: Text, Text: o.Manual})
		return messages
	}
	return append([]Message{{Role: System, Parts: []Part{{Kind: Text, Text: o.Manual}}}}, messages...)
}

// lastText returns the index of the last part that is text.
func lastText(parts []Part) int {
	last := -1
	for i := range parts {
		if parts[i].Kind == Text {
			last = i
		}
	}
	return last
}
