package middleware

import (
	"bytes"
	"slices"
	"strings"

	"github.com/callwire/callwire/internal/rawjson"
)

// withoutOrphans returns items of the Responses API without reasoning whose call has
// become text. The API accepts reasoning only with the item that it produced, which it
// knows by its id.
func withoutOrphans(items, sources [][]byte) [][]byte {
	original := make(map[*byte]bool, len(sources))
	for _, raw := range sources {
		original[&raw[0]] = true
	}
	orphans := false // the item after the current one is not what it led to
	var kept [][]byte
	for _, raw := range slices.Backward(items) {
		item := rawjson.ParseObject(raw)
		if item.Text("type") == "reasoning" && item.Has("id") {
			if orphans {
				continue
			}
		} else {
			orphans = !original[&raw[0]] && !item.Has("id")
		}
		kept = append(kept, raw)
	}
	slices.Reverse(kept)
	return kept
}

// withoutEmpty returns Gemini contents without empty parts, and without contents that
// have no other part.
func withoutEmpty(contents, _ [][]byte) (kept [][]byte) {
	for _, raw := range contents {
		content := rawjson.ParseObject(raw)
		parts := geminiParts(content.Get("parts"))
		said := slices.DeleteFunc(slices.Clone(parts), func(raw []byte) bool {
			part := rawjson.ParseObject(raw)
			return len(part) == 0 || len(part) == 1 && string(part.Get("text")) == `""`
		})
		switch {
		case len(said) == 0:
		case len(said) == len(parts):
			kept = append(kept, raw)
		default:
			kept = append(kept, content.With("parts", said).Append(nil))
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
		item := rawjson.ParseObject(raw)
		if strings.HasPrefix(item.Text("id"), madeUp) {
			items[i] = item.Without("id").Append(nil)
		}
	}
	return items
}

// geminiParts returns the elements of a list of parts; the API also takes a single
// part.
func geminiParts(value []byte) [][]byte {
	if len(value) > 0 && value[0] == '{' {
		return [][]byte{value}
	}
	return rawjson.ParseArray(value)
}
