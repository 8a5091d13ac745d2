package middleware

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// lack returns feedback for a model whose message ended without a call: it lacks a required one,
// ends with one in Markdown code, or consists of a call without its tags. The model may be waiting
// for that call. A model that meant it writes it again; one that explains the format doesn't.
func (v *voice) lack() string {
	switch {
	case v.misses():
		return "There is no call in this message. " + v.x.want.instruction()
	case v.calls > 0 || v.x.want.mode == none:
		return ""
	}
	tool, fault, fix := v.inCode, "it is in Markdown code", "outside code"
	if tool == "" {
		tool, fault, fix = v.untagged(), "it lacks its tags", "with its tags"
	}
	if tool == "" {
		return ""
	}
	feedback := fmt.Sprintf("The call at the end of this message was not executed: %s. "+
		"If you meant it, write it again %s. "+
		"If it was an example, finish your answer without a call.", fault, fix)
	return v.x.set.manual.Result(tool, feedback, true)
}

// misses reports whether the message lacks a required call. Calls of the upstream's tools count
// where the request allows those.
func (v *voice) misses() bool {
	want := &v.x.want
	isHosted := v.hosted && (want.allowed == nil || want.hosted != nil)
	return want.mode == required && v.calls == 0 && !isHosted && !v.x.rescues
}

// mostUntagged is how many bytes of text are searched for a call without tags.
const mostUntagged = 64 << 10

// untagged returns the tool that the message would call, with arguments, if it had
// tags: {"name":"t","arguments":{…}}, t(a=1) or t a=1, also as a block of Markdown code.
// It returns "" if the message contains anything else.
func (v *voice) untagged() string {
	said := v.text
	text := bytes.TrimSpace(said[max(0, min(v.thinking, len(said))):])
	if len(text) == 0 || len(text) > mostUntagged || v.damaged || v.x.opts.Strict {
		return ""
	}
	tags := format.Wire.Call
	text = unfenced(text)
	opts := parse.Options{Repair: true, Limits: v.x.opts.Limits}
	tool := v.onlyCall(tags.Open+string(text)+tags.Close, &opts)
	if tool == string(text) {
		return ""
	}
	return tool
}

// onlyCall returns the tool of the call that text consists of, or "".
func (v *voice) onlyCall(text string, opts *parse.Options) string {
	read, err := parse.Message(v.x.set.catalog, text, opts)
	if err != nil || len(read) != 1 || read[0].Call == nil {
		return ""
	}
	return read[0].Call.Name
}

// unfenced returns text without the code fence around all of it.
func unfenced(text []byte) []byte {
	text = bytes.TrimSpace(text)
	inner, ok := bytes.CutPrefix(text, []byte("```"))
	if !ok {
		return text
	}
	_, inner, _ = bytes.Cut(inner, []byte("\n"))
	inner, ok = bytes.CutSuffix(inner, []byte("```"))
	if !ok {
		return text
	}
	return bytes.TrimSpace(inner)
}

// calledInCode returns the tool that a call in Markdown code would call, or "" if it
// would be malformed elsewhere too.
func (v *voice) calledInCode(s *parse.Segment) string {
	if isCut(s) {
		return ""
	}
	opts := parse.Options{Format: v.reading.Format, Tags: v.reading.Tags, Limits: v.x.opts.Limits}
	return v.onlyCall(s.Text, &opts)
}

// An answerFormat is the form that a request with tools wants of the answer. The model is
// instructed in text, because a model that is limited to JSON cannot write a call.
type answerFormat struct {
	instruction string // for the model
	schema      []byte // nil: any JSON
}

// release delivers the text that is held back.
func (v *voice) release() {
	v.holds = false
	v.sayAlways(v.answer)
	v.answer = nil
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
