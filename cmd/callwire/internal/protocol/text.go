package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"unicode/utf8"
)

// Text is text of any bytes. In JSON it is a string where it is valid UTF-8 and
// {"b64":"…"} where it is not. Reading never loses a byte: a string that is no
// Unicode text is an error.
type Text []byte

// MarshalJSON writes a string, or base64 where a string would lose bytes.
func (t Text) MarshalJSON() ([]byte, error) {
	if !utf8.Valid(t) {
		return json.Marshal(base64{t})
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(string(t))
	return b.Bytes(), err
}

// UnmarshalJSON reads either form.
func (t *Text) UnmarshalJSON(data []byte) error {
	switch data[0] {
	case '"':
		if !utf8.Valid(data) || hasLoneSurrogate(data) {
			return errors.New(`a string is not Unicode text: write its bytes as {"b64":"…"}`)
		}
		var s string
		err := json.Unmarshal(data, &s)
		*t = append(Text{}, s...)
		return err
	case '{':
		var form struct {
			B64 *[]byte `json:"b64"`
		}
		if err := json.Unmarshal(data, &form); err != nil {
			return err
		}
		if form.B64 != nil {
			*t = append(Text{}, *form.B64...)
			return nil
		}
	}
	return errors.New(`names and texts are strings, or {"b64":"…"}`)
}

// base64 is the second form.
type base64 struct {
	B64 []byte `json:"b64"`
}

// hasLoneSurrogate reports whether the JSON string in data escapes a surrogate
// that has no partner.
func hasLoneSurrogate(data []byte) bool {
	for {
		i := bytes.IndexByte(data, '\\')
		if i < 0 {
			return false
		}
		data = data[i:]
		switch unit := escape(data); {
		case unit < 0:
			data = data[2:]
		case unit < 0xd800 || unit > 0xdfff:
			data = data[6:]
		default:
			next := escape(data[6:])
			if unit > 0xdbff || next < 0xdc00 || next > 0xdfff {
				return true
			}
			data = data[12:]
		}
	}
}

// escape returns the code unit of the \u escape at the beginning of data, or -1.
func escape(data []byte) int {
	if len(data) < 6 || data[0] != '\\' || data[1] != 'u' {
		return -1
	}
	unit, err := strconv.ParseUint(string(data[2:6]), 16, 16)
	if err != nil {
		return -1
	}
	return int(unit)
}
