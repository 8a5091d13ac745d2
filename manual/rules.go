package manual

import (
	"bytes"
	"strings"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/lexer/lexeme"
	"github.com/callwire/callwire/sig"
)

// The words of the manual. Each costs tokens in every request, so a rule is here only
// if models break it, and only when the tools make that possible.

// intro returns the first sentence. If no example follows, it shows the form of a call.
func (r *renderer) intro(examples []string) string {
	const words = "If no tool is needed, just answer. Else write calls in your reply, then stop and wait for the results; no other format is read:"
	if len(examples) > 0 {
		return words
	}
	arguments := "key=value for each argument"
	if !r.wire {
		arguments = "one JSON object of the arguments"
	}
	d := r.o.tags() // what follows the open tag cannot be a call
	return words + "\n" + d.Open + ", the name of the tool, " + arguments + ", " + d.Close
}

// rules returns the rules that calls of these tools could break.
func (r *renderer) rules() (rules []string) {
	tags := r.o.tags()
	if r.wire {
		rules = append(rules, "Separate arguments by spaces, never commas. Quote values with spaces, quotes or line breaks; escape as in JSON, "+tags.Close+" as "+escapedClose(tags)+".")
		if nest, list := r.fragment(nested), r.fragment(listed); nest != "" || list != "" {
			rules = append(rules, nesting(nest, list))
		}
	}
	switch {
	case r.json && r.wire:
		rules = append(rules, "Only tools shown as name {…} take one JSON object.")
	case r.json:
		rules = append(rules, "Arguments are one JSON object; write "+tags.Close+" in its strings as "+escapedClose(tags)+".")
	}
	return append(rules, "One call per tag; several run in parallel.")
}

// escapedClose returns the close tag as the writer puts it into a string.
func escapedClose(d lexer.Delims) string {
	tags := lexeme.NewTags(d.Open, d.Close, nil)
	return string(tags.AppendEscaped(nil, d.Close))
}

// nesting returns the rule on nested objects and lists, shown by fragments of calls.
func nesting(nest, list string) string {
	switch {
	case nest == "":
		return "Lists are JSON: " + list
	case list == "":
		return "Nest with dots: " + nest
	}
	return "Nest with dots, lists are JSON: " + nest + " " + list
}

// nested returns arguments with one value in a nested object.
func nested(m *maker, t *sig.Type) []byte {
	for i := range t.Fields {
		f := &t.Fields[i]
		if f.Type == nil || f.Type.Free != sig.Object || !sig.IsPathKey(f.Name) {
			continue
		}
		for j := range f.Type.Fields {
			g := &f.Type.Fields[j]
			if g.Type == nil || g.Type.Kinds&(sig.Array|sig.Object) != 0 {
				continue
			}
			if v := m.value(g.Name, g.Type); v != nil {
				inner := append(append([]byte{'{'}, g.JSONKey...), v...)
				return append(append(append([]byte{'{'}, f.JSONKey...), inner...), "}}"...)
			}
		}
	}
	return nil
}

// listed returns arguments with one list, of strings if possible.
func listed(m *maker, t *sig.Type) (other []byte) {
	for i := range t.Fields {
		f := &t.Fields[i]
		if f.Type == nil || f.Type.Free != sig.Array {
			continue
		}
		v := m.value(f.Name, f.Type)
		if v == nil || bytes.Contains(v, []byte("{}")) {
			continue
		}
		list := append(append(append([]byte{'{'}, f.JSONKey...), v...), '}')
		if e := f.Type.Item(0); e != nil && e.Kinds == sig.String {
			return list
		}
		if other == nil {
			other = list
		}
	}
	return other
}

// legend returns what the marks that occur in the signatures mean.
func (r *renderer) legend(signatures []string) string {
	marks := []string{"? is optional"}
	if r.o.Signatures.Style == sig.Compact {
		marks = append(marks, "string unless typed")
	}
	dash := " - "
	if r.o.Signatures.Style == sig.Classic {
		dash = " — "
	}
	var notation strings.Builder
	for _, line := range signatures {
		writeNotation(&notation, line, dash)
	}
	has := func(mark string) bool { return strings.Contains(notation.String(), mark) }
	if !r.o.Signatures.HideDefaults && has("=") {
		marks = append(marks, "= gives the default")
	}
	if has("*:") {
		marks = append(marks, "* is any other key")
	}
	if has("@") {
		marks = append(marks, "@x repeats a type")
	}
	return "Tools (" + strings.Join(marks, ", ") + "):"
}

// writeNotation writes the notation of a signature, without quoted text, comments, and
// the description after the dash.
func writeNotation(b *strings.Builder, line, dash string) {
	var open []byte // the braces and brackets around line[i:]
	for i := 0; i < len(line) && !strings.HasPrefix(line[i:], dash); {
		switch c := line[i]; {
		case c == '"' || c == '`':
			i = afterQuote(line, i)
			continue
		case strings.HasPrefix(line[i:], " (") && !bytes.HasSuffix(open, []byte{'['}): // types follow the spaces of a tuple
			i = afterComment(line, i+1)
			continue
		case c == '{' || c == '[':
			open = append(open, c)
		case (c == '}' || c == ']') && len(open) > 0:
			open = open[:len(open)-1]
		}
		b.WriteByte(line[i])
		i++
	}
	b.WriteByte('\n')
}

// afterQuote returns the offset after the string, or the JSON in backquotes,
// that begins at i.
func afterQuote(line string, i int) int {
	quote := line[i]
	for i++; i < len(line) && line[i] != quote; i++ {
		if quote == '"' && line[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// afterComment returns the offset after the comment that begins at i.
func afterComment(line string, i int) int {
	for depth := 0; i < len(line); i++ {
		switch line[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return i
}
