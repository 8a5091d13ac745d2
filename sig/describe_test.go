package sig

import (
	"fmt"
	"strings"
)

// describe writes a type in a short form, the notation of the tables of these
// tests: kinds as "string|null", literals as JSON, objects as {a! string, b _}
// with "!" for required and "..." before the type of undeclared properties,
// arrays as [integer] or [string, ...integer], nil as "_", "^name" for a type
// around this one, never for what allows nothing. Free kinds come first.
func describe(t *Type) string {
	return describeIn(t, nil)
}

func describeIn(t *Type, around []*Type) string {
	if t == nil {
		return "_"
	}
	for _, a := range around {
		if a == t {
			return "^" + t.Ref
		}
	}
	around = append(around, t)
	var parts []string
	const structured = Array | Object
	switch scalars := t.Free &^ structured; {
	case t.Kinds == 0:
		parts = append(parts, "never")
	case t.Free == Any && len(t.Fields)+len(t.Prefix) == 0 && t.Items == nil && t.Extra == nil && !t.Closed:
		parts = append(parts, "any")
	default:
		if scalars != 0 {
			parts = append(parts, scalars.String())
		}
		if t.Free&Object != 0 {
			parts = append(parts, describeObject(t, around))
		}
		if t.Free&Array != 0 {
			parts = append(parts, describeArray(t, around))
		}
	}
	for _, m := range t.Enum {
		parts = append(parts, string(m.JSON))
	}
	return strings.Join(parts, "|")
}

func describeObject(t *Type, around []*Type) string {
	var parts []string
	for _, f := range t.Fields {
		mark := ""
		if f.Required {
			mark = "!"
		}
		parts = append(parts, fmt.Sprintf("%s%s %s", f.Name, mark, describeIn(f.Type, around)))
	}
	for _, p := range t.patterns {
		parts = append(parts, fmt.Sprintf("/%v/ %s", p.matches, describeIn(p.typ, around)))
	}
	if !t.Closed {
		parts = append(parts, "..."+describeIn(t.Extra, around))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func describeArray(t *Type, around []*Type) string {
	var parts []string
	for _, e := range t.Prefix {
		parts = append(parts, describeIn(e, around))
	}
	rest := describeIn(t.Items, around)
	if len(parts) > 0 {
		rest = "..." + rest
	}
	return "[" + strings.Join(append(parts, rest), ", ") + "]"
}

// describeAlts writes the alternatives of a type, or the type if it has none.
func describeAlts(t *Type) string {
	if t == nil || len(t.Alts) == 0 {
		return describe(t)
	}
	var parts []string
	for _, a := range t.Alts {
		parts = append(parts, describe(a))
	}
	return strings.Join(parts, " / ")
}
