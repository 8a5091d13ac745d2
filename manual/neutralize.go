package manual

import (
	"cmp"

	"github.com/callwire/callwire/internal/guard"
	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/internal/rawjson"
)

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
