package engine_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/fuzz"
	"github.com/callwire/callwire/internal/engine"
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/sig"
)

// lines is a codec of a user: a line for each argument, with a comma between the items of a list.
type lines struct{}

func (lines) Decode(text []byte, v format.Values) (code string, at int) {
	v.Begin(true, 0)
	for line := range bytes.Lines(text) {
		name, value, found := bytes.Cut(bytes.TrimSuffix(line, []byte("\n")), []byte(": "))
		switch {
		case len(bytes.TrimSpace(line)) == 0:
		case !found:
			return "expected-colon", at
		case v.Failed():
			return "", 0
		default:
			v.Key(name, at)
			lines{}.value(v, value, at+len(name)+2)
		}
		at += len(line)
	}
	v.End(at)
	return "", 0
}

func (lines) value(v format.Values, text []byte, at int) {
	items := bytes.Split(text, []byte(","))
	if len(items) > 1 {
		v.Begin(false, at)
		defer v.End(at)
	}
	for _, item := range items {
		v.Scalar(item, map[string]string{"yes": "true", "no": "false"}[string(item)], at)
	}
}

func (lines) Encode(dst []byte, tool string, args []byte, _ format.Style) []byte {
	var members map[string]any
	if err := json.Unmarshal(args, &members); err != nil {
		panic(err)
	}
	for _, key := range []string{"a", "on", "tags"} {
		if value, found := members[key]; found {
			listed := strings.NewReplacer("[", "", "]", "", " ", ",", "true", "yes")
			text := listed.Replace(fmt.Sprint(value))
			dst = fmt.Appendf(dst, "%s: %s\n", key, text)
		}
	}
	return dst
}

// TestCodec: a format with a codec of its own reads and writes as the others do.
func TestCodec(t *testing.T) {
	own := &format.Format{Name: "lines", Body: format.Block, Codec: lines{},
		Layout: format.Layout{Lead: "\n"}}
	catalog, err := sig.Compile([]byte(`[{"name": "t", "inputSchema": {
		"type": "object", "properties": {
			"a": {"type": "integer"}, "on": {"type": "boolean"},
			"tags": {"type": "array", "items": {"type": "string"}}}}}]`))
	if err != nil {
		t.Fatal(err)
	}
	for input, want := range map[string]string{
		`{}`:                          "<t>\n</t>",
		`{"a":1,"on":true}`:           "<t>\na: 1\non: yes\n</t>",
		`{"a":1,"tags":["x","y"]}`:    "<t>\na: 1\ntags: x,y\n</t>",
		`{"tags":["yes","no","1.5"]}`: "<t>\ntags: yes,no,1.5\n</t>",
	} {
		call := engine.Written{Name: "t", Input: []byte(input)}
		got, err := engine.AppendCall(nil, catalog, call, &engine.WriteOptions{Format: own})
		if err != nil || string(got) != want {
			t.Errorf("%s is written %q, %v", input, got, err)
		}
	}
	s := fuzz.Setup{Catalog: catalog}
	s.Format = own
	for message, want := range map[string]string{
		"<t>\n</t>":                   "\tcall t {}\n",
		"<t>\na: 1\non: yes\n</t>":    "\tcall t {\"a\":1,\"on\":true}\n",
		"<t>\ntags: yes,no,1.5\n</t>": "\tcall t {\"tags\":[\"yes\",\"no\",\"1.5\"]}\n",
		"<t>\na: 1\nb\n</t>":          "\tmalformed 0-15 expected-colon at 9\n",
		"<t>\na: x\n</t>":             "\tcall t {\"a\":\"x\"}, type-mismatch a at 7\n",
		"<t>\na: 1\na: 2\n</t>":       "\tmalformed 0-18 duplicate-key at 9\n",
		"<t>\na: \"</t>\"\n</t>":      "\tcall t {\"a\":\"\\\"</t>\\\"\"}, type-mismatch a at 7\n",
		"<t>\n  \n\n</t> and <t> ":    "\tcall t {}\n\ttext \" and <t> \"\n",
	} {
		if got := described(t, s, message); got != want {
			t.Errorf("%q\ngot\n%swant\n%s", message, got, want)
		}
	}
	without := *own
	without.Codec = nil
	if _, err := engine.NewParser(catalog, &engine.Options{Format: &without}, 0); err == nil {
		t.Error("a block without a codec is read")
	}
}
