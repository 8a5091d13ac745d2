package bench

import (
	"bytes"
	"encoding/json"
)

// JSON returns v as JSON without whitespace and without HTML escapes, which models don't write.
func JSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
