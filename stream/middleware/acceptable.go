package middleware

import (
	"bytes"
	"slices"
	"strings"
)

// acceptable returns rewritten messages without what the API would refuse. Sources are
// the original ones.
func (d *dialect) acceptable(messages, sources [][]byte) [][]byte {
	switch d {
	case responsesAPI:
		return withoutOrphans(messages, sources)
	case geminiAPI:
		return withoutEmpty(messages)
	}
	return messages
}

// withoutOrphans returns items of the Responses API without reasoning that led to a
// call which is text now. The API accepts reasoning only with the item that it
// produced, which it knows by its id.
func withoutOrphans(items, sources [][]byte) [][]byte {
	original := make(map[*byte]bool, len(sources))
	for _, raw := range sources {
		original[&raw[0]] = true
	}
	orphans := false // the item after the current one is not what it led to
	var kept [][]byte
	for _, raw := range slices.Backward(items) {
		item := readObject(nil, raw)
		if item.text("type") == "reasoning" && item.has("id") {
			if orphans {
				continue
			}
		} else {
			orphans = !original[&raw[0]] && !item.has("id")
		}
		kept = append(kept, raw)
	}
	slices.Reverse(kept)
	return kept
}

// withoutEmpty returns Gemini contents without parts that say nothing, and without
// contents that have no other part.
func withoutEmpty(contents [][]byte) (kept [][]byte) {
	for _, raw := range contents {
		content := readObject(nil, raw)
		parts := geminiParts(content.get("parts"))
		said := slices.DeleteFunc(slices.Clone(parts), func(raw []byte) bool {
			part := readObject(nil, orObject(raw))
			return len(part) == 0 || len(part) == 1 && string(part.get("text")) == `""`
		})
		switch {
		case len(said) == 0:
		case len(said) == len(parts):
			kept = append(kept, raw)
		default:
			kept = append(kept, content.set("parts", appendArray(nil, said)).appendTo(nil))
		}
	}
	return kept
}

// withoutMadeUp returns items without the ids that the upstream doesn't know.
func withoutMadeUp(items [][]byte) [][]byte {
	for i, raw := range items {
		if !bytes.Contains(raw, []byte(madeUp)) {
			continue
		}
		item := readObject(nil, orObject(raw))
		if strings.HasPrefix(item.text("id"), madeUp) {
			items[i] = item.without("id").appendTo(nil)
		}
	}
	return items
}
