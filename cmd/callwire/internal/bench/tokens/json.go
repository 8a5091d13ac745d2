package tokens

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
)

// writeJSON writes v as JSON.
func writeJSON(v any) (string, error) {
	text, err := bench.JSON(v)
	return string(text), err
}

// writeHermes writes a call as models of the Hermes and Qwen families do: in
// lines of its own, with the spaces that Python's json.dumps sets.
func writeHermes(name string, input json.RawMessage) (string, error) {
	quoted, err := writeJSON(name)
	if err != nil {
		return "", err
	}
	return "<tool_call>\n{\"name\": " + quoted + ", \"arguments\": " + spaced(input) + "}\n</tool_call>", nil
}

// unspaced turns the bare form into the Hermes form without spaces.
func unspaced(bare string) string { return "<tool_call>\n" + bare + "\n</tool_call>" }

// spaced returns JSON with one space after each comma and colon.
func spaced(text json.RawMessage) string {
	var b strings.Builder
	quoted, escaped := false, false
	for _, c := range text {
		b.WriteByte(c)
		switch {
		case escaped:
			escaped = false
		case c == '\\':
			escaped = true
		case c == '"':
			quoted = !quoted
		case !quoted && (c == ',' || c == ':'):
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// member is a member of a JSON object.
type member struct {
	key   string
	value json.RawMessage
}

// members returns the members of an object, in their order.
func members(object json.RawMessage) ([]member, error) {
	dec := json.NewDecoder(bytes.NewReader(object))
	if _, err := dec.Token(); err != nil {
		return nil, err
	}
	var list []member
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, err
		}
		m := member{key: key.(string)} // what stands there in an object
		if err := dec.Decode(&m.value); err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	return list, nil
}

// sameJSON reports whether two texts are the same JSON, digit by digit. The
// order of members must be the same too.
func sameJSON(a, b []byte) bool {
	x, y := json.NewDecoder(bytes.NewReader(a)), json.NewDecoder(bytes.NewReader(b))
	x.UseNumber()
	y.UseNumber()
	for {
		s, errX := x.Token()
		t, errY := y.Token()
		if errX != nil || errY != nil {
			return errX == errY // io.EOF of both
		}
		if s != t {
			return false
		}
	}
}
