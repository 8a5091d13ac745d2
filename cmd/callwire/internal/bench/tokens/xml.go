package tokens

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// writeXML writes a call as elements that have the names of the tool and of its
// parameters, which is the shortest of the styles of XML that are in use:
// attributes such as <parameter name="…"> cost more. The elements of an array
// are called item.
func writeXML(name string, input json.RawMessage) (string, error) {
	var b strings.Builder
	err := appendElement(&b, name, input)
	return b.String(), err
}

// xmlName is what can be the name of an element. Others stand in an attribute.
var xmlName = regexp.MustCompile(`^[\p{L}_][\p{L}\p{N}_.-]*$`)

// appendElement writes value as an element.
func appendElement(b *strings.Builder, name string, value json.RawMessage) error {
	tag := name
	if xmlName.MatchString(name) {
		fmt.Fprintf(b, "<%s>", tag)
	} else {
		tag = "arg"
		b.WriteString(`<arg name="` + strings.ReplaceAll(escapeXML(name), `"`, "&quot;") + `">`)
	}
	if err := appendContent(b, value); err != nil {
		return err
	}
	fmt.Fprintf(b, "</%s>", tag)
	return nil
}

// appendContent writes value as the content of an element.
func appendContent(b *strings.Builder, value json.RawMessage) error {
	switch value[0] {
	case '{':
		list, err := members(value)
		if err != nil {
			return err
		}
		for _, m := range list {
			if err := appendElement(b, m.key, m.value); err != nil {
				return err
			}
		}
	case '[':
		var items []json.RawMessage
		if err := json.Unmarshal(value, &items); err != nil {
			return err
		}
		for _, item := range items {
			if err := appendElement(b, "item", item); err != nil {
				return err
			}
		}
	case '"':
		var text string
		if err := json.Unmarshal(value, &text); err != nil {
			return err
		}
		b.WriteString(escapeXML(text))
	default:
		b.Write(value)
	}
	return nil
}

// escapeXML returns text with & and < escaped. Quotes and > need no escape in
// content, and models write none.
func escapeXML(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace(text)
}
