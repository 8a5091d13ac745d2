package protocol

import (
	"bytes"
	"unicode/utf8"

	"github.com/callwire/callwire/lexer/lexeme"
	"github.com/callwire/callwire/parse/relaxed"
	"github.com/callwire/callwire/sig"
)

// writer writes a call as the protocol's prompts show it.
type writer struct {
	p    *Protocol
	out  []byte
	text []byte
	flat bool // elements hold JSON, or YAML close to JSON

	visible bool // invisible characters in JSON strings and elements are escaped
}

// call writes the call of a tool with arguments in compact form, and returns it. The
// next call overwrites it.
func (w *writer) call(name string, args []byte) []byte {
	switch w.p.Body {
	case Elements:
		w.out = w.out[:0]
		w.element([]byte(name), args)
		return w.out
	case YAML:
		w.out = w.out[:0]
		w.tag("<", []byte(name))
		w.out = w.p.YAML.Append(append(w.out, '\n'), name, args, w.flat, w.visible)
		w.tag("</", []byte(name))
		return w.out
	}
	w.out = append(w.out[:0], w.p.Frame.Open...)
	w.out = append(w.out, '\n')
	if w.p.Body == Parameters {
		w.parameters(name, args)
	} else {
		w.object(name, args)
	}
	w.out = append(w.out, '\n')
	w.out = append(w.out, w.p.Frame.Close...)
	return w.out
}

// object writes name and arguments as one object.
func (w *writer) object(name string, args []byte) {
	w.out = append(w.out, '{')
	w.quoted([]byte(w.p.Envelope.NameKeys[0]))
	w.out = append(w.out, ": "...)
	w.quoted([]byte(name))
	w.out = append(w.out, ", "...)
	w.quoted([]byte(w.p.Envelope.ArgumentKeys[0]))
	w.out = append(w.out, ": "...)
	w.json(args)
	w.out = append(w.out, '}')
}

// parameters writes name and arguments between marks, strings without quotes.
func (w *writer) parameters(name string, args []byte) {
	f, v := w.p.Envelope.Function, w.p.Envelope.Parameter
	w.out = append(append(append(append(w.out, f.Open...), name...), f.End...), '\n')
	s := relaxed.Scanner{Depth: len(args), Last: true}
	for t, i := s.Next(args, 0); t.Kind != 0; t, i = s.Next(args, i) {
		switch {
		case t.Kind != 'k' || s.Nesting() > 1:
			continue
		default:
			w.out = t.AppendText(append(w.out, v.Open...), args)
			w.out = append(append(w.out, v.End...), '\n')
		}
		t, i = s.Next(args, i)
		if from := t.Start; t.Kind == '{' || t.Kind == '[' {
			for s.Nesting() > 1 {
				t, i = s.Next(args, i)
			}
			w.json(args[from:i])
		} else {
			w.out = t.AppendText(w.out, args)
		}
		w.out = append(append(append(w.out, '\n'), v.Close...), '\n')
	}
	w.out = append(w.out, f.Close...)
}

// element writes a call as an element, with one for each argument.
func (w *writer) element(name, args []byte) {
	w.tag("<", name)
	w.out = append(w.out, '\n')
	s := relaxed.Scanner{Depth: len(args), Last: true}
	_, i := s.Next(args, 0)
	for t, n := s.Next(args, i); t.Kind == 'k'; t, n = s.Next(args, n) {
		key := t.AppendText(nil, args)
		n = w.values(&s, key, args, n)
	}
	w.tag("</", name)
}

func (w *writer) tag(open string, name []byte) {
	w.out = append(append(append(w.out, open...), name...), '>')
}

// values writes the value that s reads next, at args[i], as elements of that key: one
// for each element of an array, otherwise just one. It returns the index after the
// value.
func (w *writer) values(s *relaxed.Scanner, key, args []byte, i int) int {
	t, next := s.Next(args, i)
	if t.Kind == '[' && !w.flat && args[next] != ']' && args[next] != '[' && next < len(args) {
		depth := s.Nesting()
		for s.Nesting() >= depth {
			next = w.values(s, key, args, next)
			probe := *s
			if t, after := probe.Next(args, next); t.Kind == ']' {
				s.Next(args, next)
				return after
			}
		}
		return next
	}
	w.tag("<", key)
	switch {
	case t.Kind == '{' && !w.flat && args[next] != '}':
		w.out = append(w.out, '\n')
		for {
			k, n := s.Next(args, next)
			if next = n; k.Kind != 'k' {
				break
			}
			next = w.values(s, k.AppendText(nil, args), args, next)
		}
	case t.Kind == '{' || t.Kind == '[':
		from := t.Start
		for depth := s.Nesting(); s.Nesting() >= depth; {
			_, next = s.Next(args, next)
		}
		w.text = append(w.text[:0], args[from:next]...)
		w.out = appendEscaped(w.out, w.text, w.visible)
	default:
		w.text = t.AppendText(w.text[:0], args)
		w.out = appendEscaped(w.out, w.text, w.visible)
	}
	w.tag("</", key)
	w.out = append(w.out, '\n')
	return next
}

// json writes JSON text in compact form, with a space after commas and colons, as model
// templates do, and without tags in its strings.
func (w *writer) json(text []byte) {
	s := relaxed.Scanner{Depth: len(text), Last: true}
	after := byte('{')
	for t, i := s.Next(text, 0); t.Kind != 0; t, i = s.Next(text, i) {
		if t.Kind != '}' && t.Kind != ']' && after == 'v' {
			w.out = append(w.out, ", "...)
		}
		after = 'v'
		switch t.Kind {
		case '{', '[':
			w.out = append(w.out, t.Kind)
			after = t.Kind
		case '}', ']':
			w.out = append(w.out, t.Kind)
		case 'k', 's':
			w.text = t.AppendText(w.text[:0], text)
			w.quoted(w.text)
			if t.Kind == 'k' {
				w.out = append(w.out, ": "...)
				after = 'k'
			}
		case 'l':
			w.out = append(w.out, text[t.Start:t.End]...)
		}
	}
}

// quoted writes a JSON string that contains no tag: a tag's second byte is escaped if
// it is a slash, otherwise its first rune.
func (w *writer) quoted(text []byte) {
	start, from := len(w.out), 0
	w.out = append(w.out, '"')
	for i := 0; i < len(text); i++ {
		tag := w.p.Frame.at(text[i:])
		if tag == "" {
			continue
		}
		w.out = lexeme.AppendText(w.out, text[from:i])
		if from = i + 2; tag[1] == '/' {
			w.out = append(w.out, tag[0], '\\', '/')
		} else {
			r, n := utf8.DecodeRuneInString(tag)
			w.out = sig.AppendEscape(w.out, r)
			from = i + n
		}
		i = from - 1
	}
	w.out = lexeme.AppendText(w.out, text[from:])
	w.out = append(w.out, '"')
	if w.visible && bytes.ContainsFunc(text, sig.Invisible) {
		w.out = append(w.out[:start], sig.Visible(string(w.out[start:]))...)
	}
}

// at returns the tag that text begins with, or "". Tags too short to be legal do not
// count.
func (f Frame) at(text []byte) string {
	for _, tag := range [...]string{f.Open, f.Close} {
		if len(tag) > 1 && text[0] == tag[0] && bytes.HasPrefix(text, []byte(tag)) {
			return tag
		}
	}
	return ""
}
