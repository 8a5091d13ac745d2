package manual

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/callwire/callwire/internal/guard"
	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/internal/unseen"
	"github.com/callwire/callwire/parse"
)

// The tags around what tools return, unless the format has its own.
const (
	resultTag = "tool-result"
	errorTag  = "tool-error"
)

// Result returns what a tool returned as text to show to the model:
//
//	<tool-result name="getWeather">
//	18 degrees, light rain
//	</tool-result>
//
// Tags in it are neutralized, so it can neither end the result nor look like a call. It is on lines
// of its own, so no tag begins before it or ends after it. Restore returns the text between the
// lines as it was. The caller may put a result directly after other text.
//
// Rule: manual.neutralize.
func (m *Manual) Result(name, text string, failed bool) string {
	return m.wrap(result{name: name, failed: failed}, m.guard.Neutralize(text))
}

// result is what is known about a result beside its text.
type result struct {
	name   string // of the tool
	id     string // of the call, as the model wrote it
	number int    // of the call in its step, 0 to leave it out
	failed bool
}

// wrap puts text, which must be safe, between result tags.
func (m *Manual) wrap(r result, text string) string {
	if tags := m.format.Prompt.Result; tags != (parse.Tags{}) {
		id := m.line(cmp.Or(r.id, r.name))
		marks := strings.NewReplacer("{name}", m.line(r.name), "{id}", id)
		return marks.Replace(tags.Open) + text + tags.Close
	}
	tag := resultTag
	if r.failed {
		tag = errorTag
	}
	about := ">"
	if r.number > 0 {
		about = fmt.Sprintf(` call="%d">`, r.number)
	}
	name := rawjson.Quote(strings.ToValidUTF8(r.name, "\ufffd"))
	attribute := " name=" + angles.Replace(unseen.Escape(string(name)))
	if own := m.format.Call; own.Open != "" && m.guard.In(attribute+">") {
		for _, c := range []byte{own.Open[0], own.Close[0]} { // no escape contains them
			attribute = strings.ReplaceAll(attribute, string(rune(c)), fmt.Sprintf(`\u%04x`, c))
		}
	}
	if r.name != "" {
		about = attribute + about
	}
	return "<" + tag + about + "\n" + text + "\n</" + tag + ">"
}

// resultMarks returns the marks that end or begin a result, which untrusted text must not contain.
func (m *Manual) resultMarks() []string {
	tags := m.format.Prompt.Result
	if tags == (parse.Tags{}) {
		return []string{"<" + resultTag, "</" + resultTag, "<" + errorTag, "</" + errorTag}
	}
	var marks []string
	open, _, _ := strings.Cut(tags.Open, "{")
	for _, mark := range []string{open, tags.Close} {
		mark = strings.TrimSpace(mark)
		if len(mark) > 1 {
			marks = append(marks, mark)
		}
	}
	return marks
}

// angles escapes what could look like a tag in a JSON string, as encoding/json does.
var angles = strings.NewReplacer("<", `\u003c`, ">", `\u003e`, "&", `\u0026`)

// Neutralize returns text without call and result tags. It inserts a backslash after the first byte
// of each, before any backslashes that are already there. (If a tag contains a backslash, it
// inserts another byte.) Everything that a repairing reader can take for an opener is a tag too:
// the call tag in another case, with a space or attributes, and the tags of other formats. Text
// without tags stays the same. It takes time linear in text.
//
// Neutralize untrusted text before a model sees it, so it can neither end the result it is in nor
// be taken for a call, by the model or by a parser of what the model copies.
//
// Rule: manual.neutralize.
func (m *Manual) Neutralize(text string) string { return m.guard.Neutralize(text) }

// Restore undoes Neutralize for every text: Restore(Neutralize(x)) is x. It is for text that a
// model was shown and returns, such as code that it writes to a file.
//
// Rule: manual.neutralize.
func (m *Manual) Restore(text string) string { return m.guard.Restore(text) }

// A neutralizer neutralizes the strings of a user's message: its texts, and those that are part of
// JSON, in documents and beside a text, such as its citations and its speaker. A line end separates
// a string from a later one if a tag would begin in the first and end in the second. Keys and types
// stay as they are, since no model sees them.
type neutralizer struct {
	guard.Guard
	open  string // the end of an earlier text, if a tag may begin there
	grown string // the same, with the later texts that continue the tag
}

// message neutralizes a user's message. Its texts were neutralized when they were rewritten, and
// contain the result tags that were added then, so they are only separated.
func (z *neutralizer) message(m *Message) {
	for i := range m.Parts {
		p := &m.Parts[i]
		if p.Kind == Text {
			p.Text = z.apart(p.Text)
		}
		p.Raw = z.strings(p.Raw)
	}
	for key, value := range m.Extra {
		m.Extra[key] = z.strings(value)
	}
}

// strings returns JSON with its strings neutralized. Without a tag in one, it is the same bytes.
func (z *neutralizer) strings(raw []byte) []byte {
	var out []byte
	from, key := 0, ""
	for i := 0; i < len(raw); i++ {
		if raw[i] != '"' {
			continue
		}
		end := rawjson.StringEnd(raw, i)
		text := rawjson.Unquote(raw[i:end])
		safe := z.Neutralize(text)
		after := lexeme.SkipSpace(raw, end)
		switch {
		case after < len(raw) && raw[after] == ':':
			key = text
		case key != "type" && key != "media_type": // only the API reads those
			safe = z.apart(safe)
		}
		if safe != text {
			out = append(out, raw[from:i]...)
			out = rawjson.AppendQuoted(out, safe)
			from = end
		}
		i = end - 1
	}
	if from == 0 {
		return raw
	}
	return append(out, raw[from:]...)
}

// apart returns text, after a line end if it would complete a tag that an earlier text begins.
func (z *neutralizer) apart(text string) string {
	if z.Joins(z.open, text) || z.Joins(z.grown, text) {
		text = "\n" + text
	}
	end := text[max(0, len(text)-z.Longest()):]
	z.open = cmp.Or(z.Open(end), z.open)
	z.grown = cmp.Or(z.Open(z.grown+end), z.grown)
	return text
}
