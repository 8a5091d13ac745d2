package corpus

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"unicode/utf8"
)

// Bytes is text that need not be valid UTF-8. In JSON it is a string where it is valid,
// and {"b64": "…"} where it is not. Decoding never loses a byte: a string that isn't
// Unicode text is an error.
type Bytes []byte

// String returns the text.
func (b Bytes) String() string { return string(b) }

// MarshalJSON encodes a string, or base64 where a string would lose bytes.
func (b Bytes) MarshalJSON() ([]byte, error) {
	return appendText(nil, b), nil
}

// UnmarshalJSON decodes either form.
func (b *Bytes) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		if !utf8.Valid(data) || hasLoneSurrogate(data) {
			return errors.New(`a string is not Unicode text: write its bytes as {"b64":"…"}`)
		}
		var s string
		err := json.Unmarshal(data, &s)
		*b = append(Bytes{}, s...)
		return err
	}
	var form struct {
		B64 *[]byte `json:"b64"`
	}
	if decode(data, &form) != nil || form.B64 == nil {
		return errors.New(`names and texts are strings, or {"b64":"…"}`)
	}
	*b = append(Bytes{}, *form.B64...)
	return nil
}

// appendText appends the JSON of text, as a string if it is UTF-8. Tags stay readable.
func appendText(dst, text []byte) []byte {
	if utf8.Valid(text) {
		return appendString(dst, string(text))
	}
	return appendJSON(dst, struct {
		B64 []byte `json:"b64"`
	}{text})
}

// appendString appends s as a JSON string. It leaves <, > and & as they are.
func appendString(dst []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= 0x7f {
			return appendJSON(dst, s)
		}
	}
	dst = append(append(dst, '"'), s...)
	return append(dst, '"')
}

// appendJSON appends a value that can always be encoded.
func appendJSON(dst []byte, value any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		panic("corpus: " + err.Error())
	}
	return append(dst, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
}

// escaped matches an escaped backslash or an escaped surrogate pair. Once these are removed, half
// matches a lone surrogate.
var (
	escaped = regexp.MustCompile(`\\\\|\\u[dD][89abAB]..\\u[dD][c-fC-F]..`)
	half    = regexp.MustCompile(`\\u[dD][89a-fA-F]`)
)

// hasLoneSurrogate reports whether a JSON string has an escape of half a character.
func hasLoneSurrogate(data []byte) bool {
	return bytes.Contains(data, []byte(`\u`)) && half.Match(escaped.ReplaceAll(data, nil))
}
