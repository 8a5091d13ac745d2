package tokens

import (
	"strings"

	"github.com/callwire/callwire/sig"
)

// writeTypeScript writes a tool as a type of TypeScript, as some models were trained
// to see them, with descriptions as comments. It leaves constraints and defaults out.
func writeTypeScript(b *strings.Builder, t *sig.Tool) {
	writeComment(b, "", t.Description)
	b.WriteString("type " + t.Name + " = (")
	if t.Args != nil && len(t.Args.Fields) > 0 {
		b.WriteString("_: ")
		script{b, make(map[*sig.Type]bool)}.write(t.Args, "")
	}
	b.WriteString(") => any;\n")
}

func writeComment(b *strings.Builder, margin, text string) {
	for line := range strings.Lines(strings.TrimSpace(text)) {
		b.WriteString(margin + "// " + strings.TrimRight(line, "\r\n") + "\n")
	}
}

// script writes types; a type within itself is any.
type script struct {
	*strings.Builder
	open map[*sig.Type]bool
}

func (s script) write(t *sig.Type, margin string) {
	if t == nil || s.open[t] {
		s.WriteString("any")
		return
	}
	s.open[t] = true
	defer delete(s.open, t)
	if len(t.Alts) > 0 {
		for i, alt := range t.Alts {
			if i > 0 {
				s.WriteString(" | ")
			}
			s.write(alt, margin)
		}
		return
	}
	first := true
	or := func() {
		if !first {
			s.WriteString(" | ")
		}
		first = false
	}
	for i := range t.Enum {
		or()
		s.Write(t.Enum[i].JSON)
	}
	if t.Free == sig.Any {
		or()
		s.WriteString("any")
		return
	}
	for _, k := range []struct {
		kind sig.Kinds
		word string
	}{{sig.String, "string"}, {sig.Number | sig.Integer, "number"}, {sig.Boolean, "boolean"}, {sig.Null, "null"}} {
		if t.Free&k.kind != 0 {
			or()
			s.WriteString(k.word)
		}
	}
	if t.Free&sig.Array != 0 {
		or()
		s.WriteString("Array<")
		s.write(t.Item(0), margin)
		s.WriteString(">")
	}
	if t.Free&sig.Object != 0 {
		or()
		s.object(t, margin)
	}
	if first {
		s.WriteString("never")
	}
}

func (s script) object(t *sig.Type, margin string) {
	if len(t.Fields) == 0 {
		s.WriteString("object")
		return
	}
	s.WriteString("{\n")
	for i := range t.Fields {
		f := &t.Fields[i]
		if f.Type != nil {
			writeComment(s.Builder, margin, f.Type.Description)
		}
		s.WriteString(margin + f.Name)
		if !f.Required {
			s.WriteString("?")
		}
		s.WriteString(": ")
		s.write(f.Type, margin+"  ")
		s.WriteString(",\n")
	}
	s.WriteString(strings.TrimSuffix(margin, "  ") + "}")
}
