package manual

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/sig"
)

// HistoryOptions control how a conversation is rewritten. The Options are those of its
// manual; Rewrite uses Protocol, Delims, Plan and Model, and all of them for answers of
// Load.
type HistoryOptions struct {
	Options

	// Manual, if not empty, is merged into the first message if that is a system
	// message; otherwise it becomes one before it.
	Manual string

	// API is the API of the messages, if their JSON does not show it: images and files
	// that tools returned become parts that it accepts from users.
	API API

	// NeutralizeUser neutralizes what users say too, even where a tag would begin in
	// one text and end in the next: a line end then separates them. Results are always
	// neutralized.
	NeutralizeUser bool

	// Report, if set, is called in order for each part that could not be rewritten as
	// what it is: a call that cannot be written, a result that is not JSON. Rewrite
	// documents what replaces it.
	Report func(*HistoryError)
}

// HistoryError says which part of which message could not be rewritten as a call or
// result.
type HistoryError struct {
	Message, Part int // counted from 0
	Err           error
}

func (e *HistoryError) Error() string {
	return fmt.Sprintf("manual: message %d, part %d: %v", e.Message, e.Part, e.Err)
}

// Unwrap returns what is wrong; for a call that cannot be written, a [*lexer.Error].
func (e *HistoryError) Unwrap() error { return e.Err }

// Rewrite returns the conversation as it looks when tools are called in text: the
// assistant's calls are canonical calls in its text, and results are user text.
// Everything else, including images, files and reasoning, stays where it is. Messages
// that thereby become neighbors of one role are joined, unless that would lose a member
// that both have. The results of a step come in the order of its calls; the order of
// everything else stays the same.
//
// Every result is written once, in its place, with the name of its call; if several
// calls of one message have its id, the first without a result is meant. If several
// calls of a step have the same name, the number of the call in the step is written
// too. A tool message is one result, whatever its content, unless that is a list with
// results.
//
// A call of a tool that is no longer in the catalog is written all the same. A call
// that cannot be written, because its arguments are not a JSON object or no call can
// have its name, is described in words with everything it said, neutralized, and
// reported to HistoryOptions.Report. An answer of [Options.Load] under the same options
// and catalog is shown as it is, examples and all. The given messages are not changed.
// The error is a [*DelimsError]: call tags that are not legal, or that occur, begin or
// end in result tags; see [Options.Check].
//
// Rewrite takes time linear in the messages, so a name longer than
// [lexer.DefaultLimits] allows is not repeated with the results of its call.
func (o HistoryOptions) Rewrite(catalog *sig.Catalog, messages []Message) ([]Message, error) {
	if err := checkDelims(o.Delims); err != nil {
		return nil, err
	}
	o.Options = o.among(catalog)
	r := rewriter{o: o, catalog: catalog, calls: make(map[string]*calls)}
	for i := range messages {
		r.o.API = cmp.Or(r.o.API, messages[i].api)
	}
	messages = resultsInOrder(messages)
	for i := range messages {
		r.index = i
		r.message(&messages[i])
	}
	r.flush()
	return o.withManual(r.out), nil
}

// rewriter rewrites one conversation.
type rewriter struct {
	o       HistoryOptions
	catalog *sig.Catalog
	calls   map[string]*calls // that results may belong to, by their ids

	out         []Message
	grown       []byte                       // the last part's text, if it was added to
	joins       map[string][]json.RawMessage // what is appended to further members of the last message
	tools       bool                         // the last message of out has calls or results
	afterCall   bool                         // its last part is a call, or text before calls
	sealed      bool                         // its last part ends with a cache mark
	step        *step                        // the last one
	turned      int                          // how many messages out had when it began
	tail        string                       // the end of the user's text, where a tag could begin
	index, part int                          // what is being rewritten
	api         API                          // of the source, see Message
	both        bool
}

// message rewrites one message. Content of another role, results above all, becomes a
// message of its own in its place.
func (r *rewriter) message(m *Message) {
	r.api, r.both = m.api, m.both
	if conversation := r.o.API; r.api == AnyAPI && conversation != AISDKUI && conversation != Gemini {
		r.api = conversation
	}
	role := m.Role
	if role == ToolRole {
		role = User
	}
	own, tools := m, m.hasTools()
	if len(m.Parts) == 0 {
		r.turn(role, own, tools)
	}
	for i := range m.Parts {
		r.part = i
		p := &m.Parts[i]
		switch {
		case (p.Kind == Result || p.Kind == Feedback) && role != User:
			r.turn(User, nil, true)
		case i == 0 || r.out[len(r.out)-1].Role != role:
			r.turn(role, own, tools)
			own = nil
		}
		if p.Kind == Call || p.Kind == Result || p.Kind == Feedback || m.Role != User { // these are on lines of their own, or elsewhere
			r.tail = ""
		}
		switch {
		case p.Kind == Call:
			r.call(p)
		case p.Kind == Result:
			r.add(r.result(p)...)
		case p.Kind == Feedback:
			r.answered(p.ID)
			r.add(Part{Kind: Text, Text: p.Text})
		case m.Role == ToolRole: // whatever a tool says is a result
			r.add(r.said(p)...)
		case p.Kind == Other:
			r.add(*p)
		default:
			r.text(*p, m.Role)
		}
		if p.Cache != nil && (p.Kind == Call || p.Kind == Result) {
			r.seal(p.Cache)
		}
	}
}

// seal marks the last part, made of a call or a result, as the end of a cached prefix.
func (r *rewriter) seal(cache json.RawMessage) {
	r.flushText()
	parts := r.out[len(r.out)-1].Parts
	last := &parts[len(parts)-1]
	raw := last.Raw
	if raw == nil {
		raw = textPart(r.api, r.out[len(r.out)-1].Role, "")
	}
	if o := rawjson.ParseObject(raw); len(o) > 0 && !last.marked() {
		last.Raw = o.Set("cache_control", cache).Append(nil)
		r.sealed = true
	}
}

// turn begins a message, or continues the last one if calls or results make the two
// neighbors. m is its source, nil for content of a message of another role.
func (r *rewriter) turn(role string, m *Message, tools bool) {
	var extra map[string]json.RawMessage
	var sources []int
	if m != nil {
		extra, sources = m.Extra, []int{r.index}
	}
	if n := len(r.out); n > 0 && (role == User || role == Assistant) && r.out[n-1].Role == role && (tools || r.tools) {
		if r.mergeExtra(&r.out[n-1], extra) {
			r.tools = r.tools || tools
			r.out[n-1].Sources = append(r.out[n-1].Sources, sources...)
			return
		}
	}
	r.flush()
	r.out = append(r.out, Message{Role: role, Extra: maps.Clone(extra), Sources: sources, api: r.api, both: r.both})
	r.tools, r.afterCall, r.sealed = tools, false, false
}

// flush stores what was collected for the last message.
func (r *rewriter) flush() {
	r.flushText()
	for k, list := range r.joins {
		extra := r.out[len(r.out)-1].Extra
		extra[k] = joinJSON(append([]json.RawMessage{extra[k]}, list...))
	}
	r.joins = nil
}

// mergeExtra adds the further members of a message to those of the last one.
// Texts and lists of reasoning are joined, and the first message's id and status stand
// for both. It does nothing and returns false if another member would be lost, or if a
// name would cover what somebody else said.
func (r *rewriter) mergeExtra(last *Message, extra map[string]json.RawMessage) bool {
	if !bytes.Equal(last.Extra["name"], extra["name"]) {
		return false
	}
	added, joined := make(map[string]json.RawMessage), make(map[string]json.RawMessage)
	for k, v := range extra {
		old, both := last.Extra[k]
		switch {
		case !both || rawjson.IsNull(old):
			added[k] = v
		case rawjson.IsNull(v) || r.joins[k] == nil && bytes.Equal(old, v) || k == "id" || k == "status" || k == "type":
		case strings.HasPrefix(k, "reasoning") && canJoin(old, v):
			joined[k] = v
		default:
			return false
		}
	}
	if last.Extra == nil {
		last.Extra = added
	} else {
		maps.Copy(last.Extra, added) // a copy, not the caller's
	}
	for k, v := range joined {
		if r.joins == nil {
			r.joins = make(map[string][]json.RawMessage)
		}
		r.joins[k] = append(r.joins[k], v)
	}
	return true
}

// canJoin reports whether two values are texts, or lists.
func canJoin(a, b json.RawMessage) bool {
	return rawjson.IsString(a) && rawjson.IsString(b) || rawjson.IsArray(a) && rawjson.IsArray(b)
}

// joinJSON returns texts as one, with a blank line between them, or lists as one.
func joinJSON(values []json.RawMessage) json.RawMessage {
	var texts []string
	var list [][]byte
	for _, v := range values {
		if text := rawjson.Text(v); strings.Trim(text, "\n") != "" {
			texts = append(texts, text)
		}
		list = append(list, rawjson.ParseArray(v)...)
	}
	if rawjson.IsString(values[0]) {
		return rawjson.Quote(strings.Trim(strings.Join(texts, "\n\n"), "\n"))
	}
	return rawjson.AppendArray(nil, list)
}

// add appends parts to the current message.
func (r *rewriter) add(parts ...Part) {
	r.flushText()
	last := &r.out[len(r.out)-1]
	last.Parts = append(last.Parts, parts...)
	r.afterCall, r.sealed = false, false
}

// lastText returns the last part of the current message, if it is text that may
// continue.
func (r *rewriter) lastText() *Part {
	parts := r.out[len(r.out)-1].Parts
	if n := len(parts); n > 0 && !r.sealed && parts[n-1].Kind == Text {
		return &parts[n-1]
	}
	return nil
}

// extend adds to the last part, which is text, on a new line. Many calls may be added
// to one part.
func (r *rewriter) extend(last *Part, text string) {
	if r.grown == nil {
		r.grown = []byte(last.Text)
	}
	if n := len(r.grown); n > 0 && r.grown[n-1] != '\n' {
		r.grown = append(r.grown, '\n')
	}
	r.grown = append(r.grown, text...)
}

// flushText stores the text of the last part.
func (r *rewriter) flushText() {
	if r.grown != nil {
		r.lastText().Text = string(r.grown)
		r.grown = nil
	}
}

// text appends what was said, on a new line after a call.
func (r *rewriter) text(p Part, role string) {
	if role == User && r.o.NeutralizeUser {
		p.Text = r.userText(p.Text)
	}
	if last := r.lastText(); r.afterCall && last != nil && p.Raw == nil {
		r.extend(last, p.Text)
		return
	}
	r.add(p)
}

// userText returns what a user says without tags. If a tag would begin in the user's
// earlier text and end in this one, this one begins with a line end.
func (r *rewriter) userText(text string) string {
	g := r.o.guard()
	text = g.Neutralize(text)
	if g.Joins(r.tail, text) {
		text = "\n" + text
	}
	r.tail += text[max(0, len(text)-g.Longest()):]
	r.tail = r.tail[max(0, len(r.tail)-g.Longest()):]
	return text
}

// report reports that the current part could not be rewritten as a call or result.
func (r *rewriter) report(err error) {
	if r.o.Report != nil {
		r.o.Report(&HistoryError{r.index, r.part, err})
	}
}

// said returns what a tool says outside a result, as a result.
func (r *rewriter) said(p *Part) []Part {
	switch {
	case p.Kind == Text:
		return r.result(&Part{Kind: Result, Text: p.Text})
	case r.o.harmless(p.Raw):
		raw, text := r.o.API.shown(p.Raw)
		if text == "" {
			return []Part{{Kind: Other, Raw: raw}}
		}
		return r.result(&Part{Kind: Result, Text: text})
	}
	return r.result(&Part{Kind: Result, Text: string(rawjson.Compact(p.Raw))})
}

// result returns a result as text, followed by the parts that are not text.
func (r *rewriter) result(p *Part) []Part {
	call := r.answered(p.ID)
	name := cmp.Or(p.Name, call.name)
	text, others := p.outputText()
	if call.load != nil && len(others) == 0 && text == call.load() {
		return []Part{{Kind: Text, Text: r.o.wrapNumbered(resultTag, name, call.number, text)}} // written by this package: its calls are examples
	}
	kept := others[:0:0]
	var texts []string
	if text != "" {
		texts = []string{text}
	}
	for _, other := range others {
		if !r.o.harmless(other.Raw) {
			texts = append(texts, string(rawjson.Compact(other.Raw)))
		} else if raw, told := r.o.API.shown(other.Raw); told != "" {
			texts = append(texts, told)
		} else {
			kept = append(kept, Part{Kind: Other, Raw: raw})
		}
	}
	text = strings.Join(texts, "\n")
	tag := resultTag
	if p.isError() {
		tag = errorTag
	}
	text = r.o.guard().Neutralize(text)
	return append([]Part{{Kind: Text, Text: r.o.wrapNumbered(tag, name, call.number, text)}}, kept...)
}

// harmless reports whether a part of a result can be kept unchanged beside its text: an
// image, a sound or a file without a tag in its strings. Everything else goes into the
// text, where tags are neutralized.
func (o Options) harmless(raw json.RawMessage) bool {
	return isMedia(raw) && o.clean(raw)
}

// isMedia reports whether a part is an image, a sound or a file.
func isMedia(raw []byte) bool {
	switch soleType(raw) {
	case "image", "image_url", "input_image", "audio", "input_audio", "file", "input_file", "document", "media", "file-data", "file-url", "file-id", "image-data", "image-url", "image-file-id":
		return true
	}
	return false
}

// soleType returns the type of a part, or "" if it has none, or several, since another
// reader could choose a different one.
func soleType(raw json.RawMessage) (typ string) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return ""
	}
	for types := 0; d.More(); {
		key, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			return ""
		}
		if strings.EqualFold(key.(string), "type") {
			if types++; types > 1 {
				return ""
			}
			typ = rawjson.Text(value)
		}
	}
	return typ
}

// clean reports whether no string in JSON contains a tag. It checks every one,
// including those of repeated members.
func (o Options) clean(raw json.RawMessage) bool {
	g := o.guard()
	for d := json.NewDecoder(bytes.NewReader(raw)); ; {
		token, err := d.Token()
		if err != nil {
			return err == io.EOF
		}
		if text, ok := token.(string); ok && g.Neutralize(text) != text {
			return false
		}
	}
}

// withManual returns the messages with the manual in the first one, if that is a system
// message, or before it: at the same place for the whole conversation, even if a system
// message comes later.
func (o HistoryOptions) withManual(messages []Message) []Message {
	if o.Manual == "" {
		return messages
	}
	if len(messages) > 0 && (messages[0].Role == System || messages[0].Role == "developer") {
		m := &messages[0]
		if j := o.placeIn(m.Parts); j >= 0 {
			m.Parts = slices.Clone(m.Parts)
			m.Parts[j].Text = Merge(m.Parts[j].Text, o.Manual, o.Placement)
			return messages
		}
		m.Parts = append(m.Parts[:len(m.Parts):len(m.Parts)], Part{Kind: Text, Text: o.Manual})
		return messages
	}
	first := Message{Role: System, Parts: []Part{{Kind: Text, Text: o.Manual}}}
	if len(messages) > 0 {
		first.api, first.both = messages[0].api, messages[0].both
	}
	return append([]Message{first}, messages...)
}

// placeIn returns the index of the text that the manual goes into, the first or the
// last one, or -1 if there is no text. Nothing after the last cache mark is cached, so
// if texts have such marks, the last text is the last marked one.
func (o HistoryOptions) placeIn(parts []Part) int {
	place, marked := -1, false
	for i := range parts {
		if parts[i].Kind != Text {
			continue
		}
		mark := parts[i].marked()
		if place < 0 || o.Placement == Last && (mark || !marked) {
			place, marked = i, mark
		}
	}
	return place
}

// marked reports whether the prompt cache is to end with this part.
func (p *Part) marked() bool { return rawjson.ParseObject(p.Raw).Has("cache_control") }
