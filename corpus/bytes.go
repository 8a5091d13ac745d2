package corpus

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Bytes is text that need not be valid UTF-8. In JSON it is a string where it is valid,
// and {"b64": "…"} where it is not. Decoding never loses a byte: a string that isn't
// Unicode text is an error.
type Bytes []byte

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
	coded, err := json.Marshal(struct {
		B64 []byte `json:"b64"`
	}{text})
	if err != nil {
		panic("corpus: " + err.Error()) // bytes can always be encoded
	}
	return append(dst, coded...)
}

// appendString appends s as a JSON string. It leaves <, > and & as they are.
func appendString(dst []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= 0x7f {
			var b bytes.Buffer
			e := json.NewEncoder(&b)
			e.SetEscapeHTML(false)
			if err := e.Encode(s); err != nil {
				panic("corpus: " + err.Error()) // strings can always be encoded
			}
			return append(dst, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
		}
	}
	dst = append(append(dst, '"'), s...)
	return append(dst, '"')
}

// hasLoneSurrogate reports whether a JSON string has an escape of half a character.
func hasLoneSurrogate(data []byte) bool {
	unit := func(i int) rune {
		if i+6 > len(data) || data[i] != '\\' || data[i+1] != 'u' {
			return -1
		}
		u, err := strconv.ParseUint(string(data[i+2:i+6]), 16, 16)
		if err != nil {
			return -1
		}
		return rune(u)
	}
	for i := 0; i < len(data); i++ {
		if data[i] != '\\' {
			continue
		}
		if u := unit(i); u < 0 || !utf16.IsSurrogate(u) {
			i++ // the escaped byte
			continue
		}
		if utf16.DecodeRune(unit(i), unit(i+6)) == utf8.RuneError {
			return true
		}
		i += 11
	}
	return false
}
