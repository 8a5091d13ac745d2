package manual

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/lexer/lexeme"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/relaxed"
	"github.com/callwire/callwire/sig"
)

// A malformed call is mended for one purpose: to show the model its own call written
// correctly. The result is never executed.

// mended returns the call that a malformed segment was probably meant to be, in
// canonical form. It reads back, and fits the tool's schema.
func (o Options) mended(catalog *sig.Catalog, s parse.Segment) (call string, ok bool) {
	const longest = 4096
	body := o.body(s)
	if s.Cut || len(body) > longest || s.Err.Code == lexer.AfterMalformed {
		return "", false
	}
	if _, open := o.openString(&s); open || doubled(body) {
		return "", false // nobody knows where the value ends
	}
	name, input := envelope(body)
	if name == "" && o.Protocol == nil {
		name, input = o.loose(catalog, body)
	}
	if name == "" {
		return "", false
	}
	input, _, err := parse.Repair(catalog, name, input)
	if err != nil {
		return "", false
	}
	plan := sig.Plan{Tool: &sig.Tool{Name: name}}
	if t := catalog.Lookup([]byte(name)); t != nil {
		if plan, err = o.Plan.Plan(o.seen(t)); err != nil {
			return "", false
		}
	}
	return o.write(catalog, plan, input)
}

// body returns the text between the tags of a malformed call; in another protocol, the
// object in it as strict JSON.
func (o Options) body(s parse.Segment) string {
	text := string(s.Text)
	if o.Protocol != nil {
		from, to := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}')
		if from < 0 || to < from {
			return ""
		}
		object, _, err := relaxed.Options{Allow: relaxed.All}.Parse([]byte(text[from : to+1]))
		if err != nil {
			return ""
		}
		return string(object)
	}
	d := o.tags()
	text = strings.TrimPrefix(text, d.Open)
	if s.Closed {
		return strings.TrimSpace(strings.TrimSuffix(text, d.Close))
	}
	text = strings.TrimSpace(text)
	for n := len(d.Close) - 1; n > 1; n-- { // the beginning of a close tag is not part of a value
		if strings.HasSuffix(text, d.Close[:n]) {
			return strings.TrimSpace(text[:len(text)-n])
		}
	}
	return text
}

// doubled reports whether a string seems to begin with two or three quotes, which the
// grammar reads as an empty string and something else.
func doubled(body string) bool {
	for {
		_, after, found := strings.Cut(body, `""`)
		if !found {
			return false
		}
		if after != "" && strings.IndexByte(lexeme.Whitespace+",;:)]}", after[0]) < 0 {
			return true
		}
		body = after
	}
}

// envelope reads the JSON that models were trained to write calls in: an object with a
// name and arguments, under any of the keys that APIs use for them.
func envelope(body string) (name string, input []byte) {
	var fields map[string]json.RawMessage
	if json.Unmarshal([]byte(body), &fields) != nil {
		return "", nil
	}
	if f, ok := fields["function"]; ok && len(f) > 0 && f[0] == '{' {
		return envelope(string(f))
	}
	for _, key := range [...]string{"name", "tool", "tool_name", "toolName", "function"} {
		if json.Unmarshal(fields[key], &name) == nil && name != "" {
			break
		}
	}
	for _, key := range [...]string{"arguments", "input", "parameters", "args"} {
		if input = fields[key]; input != nil {
			return name, input
		}
	}
	return name, []byte("{}")
}

// loose reads a name and what follows as leniently as possible: with or without
// parentheses, with : or = and spaces between keys and values, with commas, with
// unescaped inner quotes. Every value is one that the model wrote: where it begins and
// ends is beyond doubt.
func (o Options) loose(catalog *sig.Catalog, body string) (name string, input []byte) {
	if body == "" || !lexeme.IsName([]byte(body[:1])) {
		return "", nil
	}
	end := 1
	for end < len(body) && lexeme.IsName([]byte{'a', body[end]}) {
		end++
	}
	name, rest := strings.TrimRight(body[:end], ":"), strings.TrimSpace(body[end:])
	rest = strings.TrimSpace(strings.TrimPrefix(rest, ":"))
	if strings.HasPrefix(rest, "(") {
		inside, closed := strings.CutSuffix(rest[1:], ")")
		if !closed {
			return "", nil
		}
		rest = strings.TrimSpace(inside)
	}
	if strings.HasPrefix(rest, "{") {
		var object json.RawMessage
		if json.NewDecoder(strings.NewReader(rest)).Decode(&object) == nil {
			return name, object
		}
	}
	d := o.tags()
	if strings.Contains(rest, d.Open) || strings.Contains(rest, d.Close) {
		return "", nil
	}
	var b bytes.Buffer
	b.WriteString(d.Open + name)
	for rest != "" {
		key, after, ok := cutKey(rest)
		if !ok {
			return "", nil
		}
		value, left, ok := cutValue(after)
		if !ok {
			return "", nil
		}
		b.WriteString(" " + key + "=" + value)
		rest = strings.TrimLeft(left, lexeme.Whitespace+",;")
	}
	b.WriteString(d.Close)
	read := parse.Options{Delims: d}.Text(b.String(), catalog)
	if len(read) != 1 || read[0].Kind != parse.Call {
		return "", nil
	}
	return name, read[0].Input
}

// cutKey cuts a key and the sign after it from the beginning of text.
func cutKey(text string) (key, after string, ok bool) {
	i := strings.IndexAny(text, "=:")
	if i < 0 {
		return "", "", false
	}
	key = strings.Trim(strings.TrimSpace(text[:i]), `"'`)
	for segment := range strings.SplitSeq(key, ".") {
		if !lexeme.IsKey([]byte(segment)) {
			return "", "", false
		}
	}
	return key, strings.TrimLeft(text[i+1:], lexeme.Whitespace), true
}

// cutValue cuts a value from the beginning of text, and returns it as written in a
// call.
func cutValue(text string) (value, rest string, ok bool) {
	if text == "" {
		return "", "", false
	}
	switch quote := text[0]; quote {
	case '"', '\'':
		end := closingQuote(text, quote)
		if end < 0 {
			return "", "", false
		}
		content := lexeme.AppendUnescaped(nil, []byte(text[1:end]))
		return string(appendJSON(nil, string(content))), text[end+1:], true
	case '[', '{':
		d := json.NewDecoder(strings.NewReader(text))
		var v json.RawMessage
		if d.Decode(&v) == nil {
			return string(v), text[d.InputOffset():], true
		}
	}
	end := strings.IndexAny(text, lexeme.Whitespace+",")
	if end < 0 {
		end = len(text)
	}
	return text[:end], text[end:], end > 0
}

// closingQuote returns the offset of the quote that ends the string at the
// beginning of text: the first one followed by another argument or the end, so inner
// quotes need not be escaped; -1 if there is none.
func closingQuote(text string, quote byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case quote:
			rest := strings.TrimLeft(text[i+1:], lexeme.Whitespace+",;")
			if rest == "" {
				return i
			}
			if key, _, ok := cutKey(rest); ok && !strings.ContainsAny(key, lexeme.Whitespace) {
				return i
			}
		}
	}
	return -1
}
