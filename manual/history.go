package manual

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/internal/unseen"
)

// Rewrite returns the conversation as it looks when tools are called in text: the assistant's calls
// are part of its text, and results are user text. Everything else, including images, files and
// reasoning, stays where it is. If two messages of one role become neighbors, they are joined,
// unless that would lose a member that both have. The given messages are not changed.
//
// A message keeps the bytes that the model wrote if they are known, as its Source, and have its
// calls. Otherwise a call is written in its canonical form, on a line of its own; also one of a
// tool that is no longer in the catalog. A call cannot be written if its arguments are not a JSON
// object or no call can have its name. It is then described in words with all of its content,
// neutralized, and its [lexer.Error] is reported with the indexes of the message and the part.
//
// Every result is written once, with the name of its call unless that is too long. If several calls
// of a step have the same name, the number of the call in the step is written too. The results of a
// step come in the order of its calls; the order of everything else stays the same. A tool message
// is one result, unless its content is a list with results. Images and files that tools returned
// become parts that the API of the messages accepts from users. An answer of [Manual.Load] is shown
// as it is, including examples.
func (m *Manual) Rewrite(messages []Message) ([]Message, []error) {
	r := rewriter{m: m, conversation: apiOf(messages)}
	for i, message := range link(messages, true) {
		r.index = i
		r.message(&message)
	}
	r.endText()
	z := neutralizer{Guard: m.guard}
	for i := range r.out {
		if r.out[i].Role != User {
			z = neutralizer{Guard: m.guard}
		} else if r.out[i].Sources != nil && !m.opts.KeepUserText {
			z.message(&r.out[i])
		}
	}
	return r.out, r.errs
}

// rewriter rewrites one conversation.
type rewriter struct {
	m            *Manual
	conversation API

	out       []Message
	errs      []error
	text      []byte // of the last part, if isOpen
	isOpen    bool   // the last part is text that may continue
	hasTools  bool   // the last message of out has calls or results
	afterCall bool   // its last part is a call, or text before calls

	index, part int // what is being rewritten
	api         API // of that
}

// message rewrites one message. Content of another role, results above all, becomes a
// message of its own in its place.
func (r *rewriter) message(m *Message) {
	r.api = m.api
	if m.api == anyAPI && r.conversation != AISDKUI && r.conversation != Gemini {
		r.api = r.conversation
	}
	role := m.Role
	if role == ToolRole {
		role = User
	}
	own, tools := m, m.hasTools()
	if m.Source != "" {
		m = r.asWritten(m)
	}
	if len(m.Parts) == 0 {
		r.turn(role, own, tools)
	}
	for i := range m.Parts {
		r.part = i
		p := &m.Parts[i]
		switch {
		case p.isResult() && role != User:
			r.turn(User, nil, true)
		case i == 0 || r.last().Role != role:
			r.turn(role, own, tools)
			own = nil
		}
		switch {
		case p.Kind == Call:
			r.call(p)
		case p.Kind == Result:
			r.add(r.result(p)...)
		case p.Kind == Feedback:
			r.add(Part{Kind: Text, Text: p.Text})
		case m.Role == ToolRole:
			r.add(r.asResult(p)...)
		case p.Kind == Other:
			r.add(*p)
		default:
			r.said(*p, m.Role)
		}
		if mark := p.cacheMark(); mark != nil && p.isTool() {
			r.seal(mark)
		}
	}
}

// seal marks the last part, made of a call or a result, as the end of a cached prefix.
func (r *rewriter) seal(mark []byte) {
	parts := r.last().Parts
	last := &parts[len(parts)-1]
	raw := last.Raw
	if raw == nil {
		raw = r.api.textPart(r.last().Role, "")
	}
	if o := rawjson.ParseObject(raw); len(o) > 0 && last.cacheMark() == nil {
		r.endText()
		last.Raw = o.Set("cache_control", mark).Append(nil)
	}
}

// turn begins a message, or continues the last one if calls or results make the two neighbors. M is
// its source, nil for content of a message of another role.
func (r *rewriter) turn(role string, m *Message, tools bool) {
	next := Message{Role: role, api: r.api}
	if m != nil {
		next.Extra, next.Sources = m.Extra, []int{r.index}
	}
	if n := len(r.out); n > 0 && (tools || r.hasTools) && r.out[n-1].join(&next) {
		r.hasTools = r.hasTools || tools
		return
	}
	r.endText()
	next.Extra = maps.Clone(next.Extra)
	r.out = append(r.out, next)
	r.hasTools, r.afterCall = tools, false
}

// join adds the further members and the sources of a message to those of the last one, and keeps
// the first message's ID and status. It does nothing and returns false if the roles differ, if
// another member would be lost, or if a name would also apply to text by another author.
func (m *Message) join(next *Message) bool {
	isTurn := m.Role == next.Role && (m.Role == User || m.Role == Assistant)
	if !isTurn || !bytes.Equal(m.Extra["name"], next.Extra["name"]) {
		return false
	}
	added := make(map[string]json.RawMessage)
	for k, v := range next.Extra {
		old := m.Extra[k]
		isKept := k == "id" || k == "status" || k == "type"
		switch {
		case rawjson.IsNull(old):
			added[k] = v
		case !isKept && !rawjson.IsNull(v) && !bytes.Equal(old, v):
			return false
		}
	}
	if m.Extra == nil {
		m.Extra = added
	}
	maps.Copy(m.Extra, added) // a copy, not the caller's
	m.Sources = append(m.Sources, next.Sources...)
	return true
}

// last returns the current message.
func (r *rewriter) last() *Message { return &r.out[len(r.out)-1] }

// add appends parts to the current message.
func (r *rewriter) add(parts ...Part) {
	r.endText()
	m := r.last()
	m.Parts = append(m.Parts, parts...)
	last := &m.Parts[len(m.Parts)-1]
	r.text, r.isOpen = append(r.text[:0], last.Text...), last.Kind == Text
	r.afterCall = false
}

// extend adds to the text of the last part, after a separator unless a line ends there.
func (r *rewriter) extend(text, between string) {
	if n := len(r.text); n > 0 && r.text[n-1] != '\n' {
		r.text = append(r.text, between...)
	}
	r.text = append(r.text, text...)
}

// endText stores the text of the last part, to which many calls may have been added.
func (r *rewriter) endText() {
	if r.isOpen {
		parts := r.last().Parts
		parts[len(parts)-1].Text = string(r.text)
		r.isOpen = false
	}
}

// said appends text of the conversation, on a new line after a call.
func (r *rewriter) said(p Part, role string) {
	if role == User && !r.m.opts.KeepUserText {
		p.Text = r.m.guard.Neutralize(p.Text)
	}
	if r.afterCall && r.isOpen && p.Raw == nil {
		r.extend(p.Text, "\n")
		return
	}
	r.add(p)
}

// asResult returns a part of a tool message that isn't a result as one.
func (r *rewriter) asResult(p *Part) []Part {
	shown := *p
	if p.Kind != Text {
		shown = r.shown(p.Raw)
	}
	if shown.Kind == Other {
		return []Part{shown}
	}
	return r.result(&Part{Kind: Result, Text: shown.Text})
}

// shown returns a part of a result that isn't text as a part of a user's message, or the text that
// replaces it: an image, a sound or a file without a tag in its strings is kept, and everything
// else becomes text, where tags are neutralized.
func (r *rewriter) shown(raw json.RawMessage) Part {
	safe := (&neutralizer{Guard: r.m.guard}).strings(raw)
	if !isMedia(raw) || !bytes.Equal(safe, raw) {
		return Part{Text: string(rawjson.Compact(raw))}
	}
	return r.conversation.shown(raw)
}

// result returns a result as text, followed by its media.
func (r *rewriter) result(p *Part) []Part {
	about := result{name: p.Name, failed: p.isError()}
	text, media := p.outputText(r.shown)
	if c := p.call; c != nil {
		about.name, about.id = cmp.Or(p.Name, c.label), c.id
		if p.ID != "" && c.names[c.label] > 1 { // otherwise the name is enough
			about.number = c.index - c.first + 1
		}
		if c.Name == r.m.opts.Lazy.Loader && c.loaded == "" {
			c.loaded = r.m.Load(inputOf(c.Input))
		}
		if len(media) == 0 && text != "" && text == c.loaded { // its calls are examples
			return []Part{{Kind: Text, Text: r.m.wrap(about, text)}}
		}
	}
	text = r.m.wrap(about, r.m.guard.Neutralize(text))
	return append([]Part{{Kind: Text, Text: text}}, media...)
}

// asWritten returns a message with its source in place of its texts and calls, if that has them, or
// the message itself.
func (r *rewriter) asWritten(m *Message) *Message {
	ids, ok := r.m.hasSource(m)
	if !ok {
		return m
	}
	written := *m
	written.Parts = []Part{{Kind: Text, Text: m.Source}}
	for i := range m.Parts {
		switch p := &m.Parts[i]; p.Kind {
		case Call:
			p.call.id, ids = ids[0], ids[1:]
		case Other:
			written.Parts = append(written.Parts, *p)
		}
	}
	return &written
}

// call appends a call to the text before it, on a line of its own.
func (r *rewriter) call(p *Part) {
	text, err := r.m.writing(p)
	if err != nil {
		r.errs = append(r.errs,
			fmt.Errorf("manual: message %d, part %d: %w", r.index, r.part, err))
		text = r.m.unwritable(p)
	} else {
		p.call.id = r.m.idOf(p)
	}
	between := "\n"
	if r.isOpen && r.afterCall {
		text, between = r.inSection(text)
	}
	if r.isOpen {
		r.extend(text, between)
	} else {
		r.add(Part{Kind: Text, Text: text})
	}
	r.afterCall = true
}

// inSection returns a call without the tag that begins a section, if it can be in the section of
// the call before it, and reopens that. Between is what separates the two.
func (r *rewriter) inSection(text string) (call, between string) {
	section := r.m.format.Section
	call, begins := strings.CutPrefix(text, section.Open)
	before, ends := bytes.CutSuffix(r.text, []byte(section.Close))
	if section.Close == "" || !begins || !ends {
		return text, "\n"
	}
	r.text = before
	return call, r.m.format.Layout.Join
}

// unwritable returns what replaces a call that cannot be written: words without tags, with all of
// the call's content.
func (m *Manual) unwritable(p *Part) string {
	lines := strings.Split(string(inputOf(p.Input)), "\n")
	for i, line := range lines {
		lines[i] = unseen.Escape(line)
	}
	name := unseen.Escape(string(rawjson.Quote(p.Name)))
	return m.guard.Neutralize(fmt.Sprintf(notWellFormed, name, strings.Join(lines, "\n")))
}
