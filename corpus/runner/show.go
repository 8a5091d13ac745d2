package runner

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/callwire/callwire/corpus"
)

// quoteBytes returns text as a JSON string, or {"b64":"…"}.
func quoteBytes(text []byte) string {
	data, err := corpus.Bytes(text).MarshalJSON()
	if err != nil || data[0] != '"' {
		return string(data)
	}
	return excerpt(quote(string(text)), 1000)
}

// quote returns s as a JSON string, as far as it can be read.
func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.Encode(s) // a string and a buffer: no error
	return strings.TrimSuffix(b.String(), "\n")
}

// excerpt returns s, or its beginning where it is longer than n bytes.
func excerpt(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}

func compact(data json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, data) != nil {
		return string(data)
	}
	return b.String()
}

func optionsLine(o corpus.Options) string {
	data, _ := json.Marshal(o) // booleans and integers: no error
	return string(data)
}
