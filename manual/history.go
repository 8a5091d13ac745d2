package manual

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/callwire/callwire/sig"
)

// HistoryOptions say how a conversation is rewritten. The Options are those of
// its manual; of them, Delims, Plan and Model count here, and all for the answers
// of Load.
type HistoryOptions struct {
	Options

	// Manual, if not empty, is merged into the first message, if that is of the
	// system, or becomes one before it.
	Manual string

	// API is that of the messages, if their JSON does not tell: pictures and files that
	// tools have returned become parts that it takes of users.
	API API

	// NeutralizeUser neutralises what users say too, also where a tag would begin in
	// one text and end in the next: a line end then stands between. Results always
	// are.
	NeutralizeUser bool

	// Report, if set, is called for each part that could not be rewritten as what
	// it is, in their order: a call that cannot be written, a result that is no
	// JSON. What stands in its place is said at Rewrite.
	Report func(*HistoryError)
}

// HistoryError says which part of which message could not be rewritten as what
// it is.
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
// message, unless a member that both have would be lost. Results come in the order
// of the calls of their step, in which a model reads them; the order of all else
// does not change.
//
// Every result is told once, in the place where it is, with the name of its call:
// of several calls of one message that have its id the first that has no result
// yet. Where several calls of a step have one name, the number of the call in its step
// is told, too. A message of a tool is one result, whatever its content is, unless that is a
// list with results.
//
// A tool that the catalogue does not know any more is written all the same. A
// call that cannot be written, because its arguments are not a JSON object or no
// call can have its name, is told in words, with all that it said, neutralised;
// HistoryOptions.Report hears of it. An answer of [Options.Load] under the same
// options and catalogue is shown as it is, examples and all. The messages given are
// not changed. The error is a [*DelimsError], where the tags of calls are not legal,
// occur in those of results, or could begin or end in them: see [Options.Check].
//
// The work is linear in the messages; a name longer than [lexer.DefaultLimits]
// allow is therefore not repeated at the results of its call.
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
	calls   map[string]*calls // that results may be of, by their ids

	out         []Message
	grown       []byte                       // the last part's text, where it was added to
	joins       map[string][]json.RawMessage // what goes after further members of the last message
	tools       bool                         // the last message of out has calls or results
	afterCall   bool                         // its last part is a call, or text that calls follow
	sealed      bool                         // its last part ends with a mark of a cache
	step        *step                        // the last one
	turned      int                          // how many messages out had when it began
	tail        string                       // the end of what the user says, where a tag could begin
	index, part int                          // what is being rewritten
	form        form                         // that of its JSON
}

// message rewrites one message. What it holds of another role, results above
// all, is a message of its own in its place.
func (r *rewriter) message(m *Message) {
	r.form = m.form
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
		if p.Kind == Call || p.Kind == Result || p.Kind == Feedback || m.Role != User { // these stand in lines of their own, or elsewhere
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

// seal marks the last part, which a call or a result became, as the end of a cache.
func (r *rewriter) seal(cache json.RawMessage) {
	r.flushText()
	parts := r.out[len(r.out)-1].Parts
	last := &parts[len(parts)-1]
	raw := bytes.TrimSpace(last.Raw)
	if last.Raw == nil {
		raw = []byte(`{"type":"text","text":""}`)
	}
	if members, ok := bytes.CutSuffix(raw, []byte("}")); ok && len(bytes.TrimSpace(members)) > 1 && !last.marked() {
		last.Raw = slices.Concat(members, []byte(`,"cache_control":`), cache, []byte("}"))
		r.sealed = true
	}
}

// hasTools reports whether there are calls or results in a message.
func (m *Message) hasTools() bool {
	return m.Role == ToolRole || slices.ContainsFunc(m.Parts, func(p Part) bool { return p.Kind == Call || p.Kind == Result || p.Kind == Feedback })
}

// turn begins a message, or goes on with the last one where calls or results make
// the two neighbours. M is the message that it is of, nil for what stands in one of
// another role.
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
	r.out = append(r.out, Message{Role: role, Extra: maps.Clone(extra), Sources: sources, form: r.form})
	r.tools, r.afterCall, r.sealed = tools, false, false
}

// flush writes down what was collected for the last message.
func (r *rewriter) flush() {
	r.flushText()
	for k, list := range r.joins {
		extra := r.out[len(r.out)-1].Extra
		extra[k] = joinJSON(append([]json.RawMessage{extra[k]}, list...))
	}
	r.joins = nil
}

// mergeExtra adds the further members of a message to those of the last one.
// Texts and lists of reasoning are joined, and the first message's id and status
// stand for both. It reports false, and does nothing, where another member would
// be lost, or a name would speak for what somebody else has said.
func (r *rewriter) mergeExtra(last *Message, extra map[string]json.RawMessage) bool {
	if !bytes.Equal(last.Extra["name"], extra["name"]) {
		return false
	}
	added, joined := make(map[string]json.RawMessage), make(map[string]json.RawMessage)
	for k, v := range extra {
		old, both := last.Extra[k]
		switch {
		case !both || isNull(old):
			added[k] = v
		case isNull(v) || r.joins[k] == nil && bytes.Equal(old, v) || k == "id" || k == "status" || k == "type":
		case strings.HasPrefix(k, "reasoning") && canJoin(old, v):
			joined[k] = v
		default:
			return false
		}
	}
	if last.Extra == nil {
		last.Extra = added
	} else {
		maps.Copy(last.Extra, added) // it is a copy of the given one
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
	return isText(a) && isText(b) || isList(a) && isList(b)
}

// joinJSON returns texts as one, with a blank line between them, or lists as one.
func joinJSON(values []json.RawMessage) json.RawMessage {
	var texts []string
	var list []json.RawMessage
	for _, v := range values {
		var more []json.RawMessage
		if text := stringIn(v); strings.Trim(text, "\n") != "" {
			texts = append(texts, text)
		} else if json.Unmarshal(v, &more) == nil {
			list = append(list, more...)
		}
	}
	if isText(values[0]) {
		return appendJSON(nil, strings.Trim(strings.Join(texts, "\n\n"), "\n"))
	}
	joined, _ := encode(append([]json.RawMessage{}, list...)) // they were JSON
	return joined
}

// add appends parts to the message at hand.
func (r *rewriter) add(parts ...Part) {
	r.flushText()
	last := &r.out[len(r.out)-1]
	last.Parts = append(last.Parts, parts...)
	r.afterCall, r.sealed = false, false
}

// lastText returns the last part of the message at hand, if it is text that may go on.
func (r *rewriter) lastText() *Part {
	parts := r.out[len(r.out)-1].Parts
	if n := len(parts); n > 0 && !r.sealed && parts[n-1].Kind == Text {
		return &parts[n-1]
	}
	return nil
}

// extend adds to the last part, which is text, after a line end if there is none.
// Many calls may be added to one.
func (r *rewriter) extend(last *Part, text string) {
	if r.grown == nil {
		r.grown = []byte(last.Text)
	}
	if n := len(r.grown); n > 0 && r.grown[n-1] != '\n' {
		r.grown = append(r.grown, '\n')
	}
	r.grown = append(r.grown, text...)
}

// flushText writes down the text of the last part.
func (r *rewriter) flushText() {
	if r.grown != nil {
		r.lastText().Text = string(r.grown)
		r.grown = nil
	}
}

// text appends what was said; after a call in a line of its own.
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

// userText returns what a user says without tags. Nor does one begin in what the
// user said before and end in this: where it would, this begins with a line end.
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

// report tells that the part at hand could not be rewritten as what it is.
func (r *rewriter) report(err error) {
	if r.o.Report != nil {
		r.o.Report(&HistoryError{r.index, r.part, err})
	}
}

// encode returns v as JSON, < and > as they are.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := encodeTo(e, v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// encodeTo writes v as JSON. A method of v that panics is an error.
func encodeTo(e *json.Encoder, v any) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the JSON of a %T: panic: %v", v, p)
		}
	}()
	return e.Encode(v)
}

// said returns what a tool says outside of a result as one.
func (r *rewriter) said(p *Part) []Part {
	switch {
	case p.Kind == Text:
		return r.result(&Part{Kind: Result, Output: p.Text})
	case r.o.harmless(p.Raw):
		raw, text := r.o.API.shown(p.Raw)
		if text == "" {
			return []Part{{Kind: Other, Raw: raw}}
		}
		return r.result(&Part{Kind: Result, Output: text})
	}
	return r.result(&Part{Kind: Result, Output: compactText(p.Raw)})
}

// result returns a result as text, and after it what in it is not text.
func (r *rewriter) result(p *Part) []Part {
	call := r.answered(p.ID)
	name := cmp.Or(p.Name, call.name)
	text, others, err := outputText(p.Output)
	if err != nil {
		r.report(err)
		text = fmt.Sprintf("(a result of the type %T, which has no JSON)", p.Output)
	}
	if call.load != nil && len(others) == 0 && text == call.load() {
		return []Part{{Kind: Text, Text: r.o.wrapNumbered(resultTag, name, call.number, text)}} // written here: its calls are examples
	}
	kept := others[:0:0]
	var texts []string
	if text != "" {
		texts = []string{text}
	}
	for _, other := range others {
		if !r.o.harmless(other.Raw) {
			texts = append(texts, compactText(other.Raw))
		} else if raw, told := r.o.API.shown(other.Raw); told != "" {
			texts = append(texts, told)
		} else {
			kept = append(kept, Part{Kind: Other, Raw: raw})
		}
	}
	text = strings.Join(texts, "\n")
	tag := resultTag
	if p.Failed || failed(p.Output) {
		tag = errorTag
	}
	text = r.o.guard().Neutralize(text)
	return append([]Part{{Kind: Text, Text: r.o.wrapNumbered(tag, name, call.number, text)}}, kept...)
}

// harmless reports whether a part of a result can stand beside the text of it as
// it is: a picture, a sound or a file, none of whose strings holds a tag. All
// else that a tool says goes into the envelope, where tags are neutralised.
func (o Options) harmless(raw json.RawMessage) bool {
	switch soleType(raw) {
	case "image", "image_url", "input_image", "audio", "input_audio", "file", "input_file", "document", "media", "file-data", "file-url", "file-id", "image-data", "image-url", "image-file-id":
	default:
		return false
	}
	return o.clean(raw)
}

// soleType returns the type of a part, "" where it has none, or several, of which
// readers could take another one.
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
			typ = stringIn(value)
		}
	}
	return typ
}

// clean reports whether no string in JSON holds a tag. It sees each, also those of
// members that are there twice.
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

// repeats returns a function that reports whether a text is the same JSON as data
// but for whitespace and the order of keys; servers repeat structured content as
// text so. Numbers are compared by their digits. Data is decoded once, and what a
// text costs depends on that text alone, because there may be many.
func repeats(data []byte) func(text string) bool {
	decode := func(text []byte) (v any, ok bool) {
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		if d.Decode(&v) != nil {
			return nil, false
		}
		_, err := d.Token()
		return v, err == io.EOF
	}
	want, ok := decode(data)
	return func(text string) bool {
		if !ok {
			return false
		}
		got, ok := decode([]byte(text))
		return ok && reflect.DeepEqual(got, want)
	}
}

// sameJSON reports whether two texts are the same JSON as [repeats] has it.
func sameJSON(a, b []byte) bool { return repeats(a)(string(b)) }

// withManual returns the messages with the manual in the first one, if that is of
// the system, or before it: at the same place for the life of a conversation, though
// a message of the system may come later.
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
		first.form = messages[0].form
	}
	return append([]Message{first}, messages...)
}

// placeIn returns the index of the text that the manual goes into, the first or
// the last one; -1 where there is no text. What comes after the last mark of a cache
// is in no cache: where a text has one, the last such text is the last one.
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

// marked reports whether a cache of prompts is told to keep all up to this part.
func (p *Part) marked() bool {
	var in struct {
		Mark json.RawMessage `json:"cache_control"`
	}
	return p.Raw != nil && json.Unmarshal(p.Raw, &in) == nil && !isNull(in.Mark)
}
