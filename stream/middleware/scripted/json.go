package scripted

import (
	"bytes"
	"encoding/json"
)

// object is a JSON object whose members keep their order.
type object []member

type member struct {
	name  string
	value any
}

// MarshalJSON writes the members in their order.
func (o object) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, encode(m.name)...)
		b = append(b, ':')
		b = append(b, encode(m.value)...)
	}
	return append(b, '}'), nil
}

// encode returns the JSON of a value as models write it: < and > stay.
func encode(value any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		panic(err) // all values here have JSON
	}
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'})
}
