package middleware

import (
	"slices"

	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// A request with tools may also ask for answers in JSON. The model is instructed in
// text, because a model that is limited to JSON cannot write a call. Its answer is held
// back until it is complete, and a code fence around it is removed. If it still doesn't
// fit, the request is sent again without tools and with the native setting.

// An answerFormat is the form that a request wants of the answer.
type answerFormat struct {
	instruction string // for the model
	schema      []byte // nil: any JSON
}

// release delivers the text that is held back, because it isn't the whole answer or fits.
func (v *voice) release() {
	if v.holds {
		v.holds = false
		v.sayNow(v.answer)
	}
}

// fit returns the JSON that an answer consists of, and reports whether it has the wanted form.
func (f *answerFormat) fit(answer []byte) (text []byte, ok bool) {
	text = answer
	if !rawjson.Valid(text) {
		text = unfenced(text)
	}
	if !rawjson.Valid(text) {
		return nil, false
	}
	schema := rawjson.ParseObject(f.schema)
	if schema == nil || schema.Text("type") != "object" {
		return text, true
	}
	const name = "answer"
	tool := members("name", name, "inputSchema", f.schema).Append(nil)
	catalog, err := sig.Compile(rawjson.Value([][]byte{tool}))
	if err != nil || catalog.Lookup([]byte(name)) == nil {
		return text, true // the upstream would have refused it
	}
	coerced, issues, err := parse.Coerce(catalog, name, text)
	if err != nil || slices.ContainsFunc(issues, misfits) {
		return nil, false
	}
	if slices.ContainsFunc(issues, func(i parse.Issue) bool { return i.Code == lexer.Coerced }) {
		text = coerced
	}
	return text, true
}
