package tokens

import (
	"encoding/json"
	"strings"
)

// writeYAML writes JSON as YAML in block style, with plain words where they are
// beyond doubt.
func writeYAML(text json.RawMessage) (string, error) {
	var b strings.Builder
	err := writeYAMLValue(&b, text, "")
	return b.String(), err
}

func writeYAMLValue(b *strings.Builder, value json.RawMessage, margin string) error {
	switch value[0] {
	case '{':
		list, err := members(value)
		if err != nil {
			return err
		}
		for i, m := range list {
			if i > 0 {
				b.WriteString(margin)
			}
			b.WriteString(plainYAML(m.key) + ":")
			if err := writeYAMLBelow(b, m.value, margin+"  "); err != nil {
				return err
			}
		}
		return nil
	case '[':
		var list []json.RawMessage
		if err := json.Unmarshal(value, &list); err != nil {
			return err
		}
		for i, e := range list {
			if i > 0 {
				b.WriteString(margin)
			}
			b.WriteString("- ")
			if isBlock(e) {
				if err := writeYAMLValue(b, e, margin+"  "); err != nil {
					return err
				}
				continue
			}
			b.WriteString(scalarYAML(e) + "\n")
		}
		return nil
	}
	b.WriteString(scalarYAML(value) + "\n")
	return nil
}

// writeYAMLBelow writes what stands after a key.
func writeYAMLBelow(b *strings.Builder, value json.RawMessage, margin string) error {
	if !isBlock(value) {
		b.WriteString(" " + scalarYAML(value) + "\n")
		return nil
	}
	b.WriteString("\n" + margin)
	return writeYAMLValue(b, value, margin)
}

// isBlock reports whether a value has lines of its own.
func isBlock(value json.RawMessage) bool {
	switch compact := strings.Join(strings.Fields(string(value)), ""); {
	case compact == "{}" || compact == "[]":
		return false
	default:
		return compact[0] == '{' || compact[0] == '['
	}
}

// scalarYAML returns a scalar, or an empty array or object.
func scalarYAML(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil && value[0] == '"' {
		return plainYAML(text)
	}
	return strings.TrimSpace(string(value))
}

// plainYAML returns a string without quotes where no reader takes it for anything
// else, and otherwise as JSON, which is YAML.
func plainYAML(text string) string {
	plain := text != "" && strings.TrimSpace(text) == text && !strings.ContainsAny(text, "\n\r\t\"\\#:{}[]&*!|>%@`'") &&
		!strings.ContainsAny(text[:1], "-?,0123456789.+~=")
	switch strings.ToLower(text) {
	case "null", "true", "false", "yes", "no", "on", "off", "y", "n":
		plain = false
	}
	if plain {
		return text
	}
	quoted, err := writeJSON(text)
	if err != nil {
		return text // a string always can
	}
	return quoted
}
