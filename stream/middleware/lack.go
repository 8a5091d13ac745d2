package middleware

import (
	"bytes"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
)

// lack returns what the model is told about a message that ended without a call: it
// lacks a required one, or ends with one in Markdown code, or is just a call without
// its tags. The model may be waiting for that call. It has been read as text: a model
// that meant it writes it again, and one that explains the format does not.
func (d *decoder) lack() string {
	if d.x.misses(d.calls) {
		return d.x.demand()
	}
	if d.calls > 0 {
		return ""
	}
	tool, where, mend := d.inCode, "it stands in Markdown code", "outside code"
	if tool == "" {
		tool, where, mend = d.untagged(), "it lacks its tags", "with its tags, as you were told"
	}
	if tool == "" {
		return ""
	}
	return d.x.opts.Manual.ErrorResult(tool, "The call at the end of this message was not executed: "+where+". If you meant it, write it again "+mend+". If it was an example, finish your answer without a call.")
}

// mostUntagged is how many bytes of text are searched for a call without tags.
const mostUntagged = 64 << 10

// untagged returns the tool that the message would call, with arguments, if it stood
// between the tags: {"name":"t","arguments":{…}}, t(a=1), t a=1, also as a block of
// Markdown code. It returns "" if the message says anything else.
func (d *decoder) untagged() string {
	text := bytes.TrimSpace(d.wrote[d.thought:])
	if len(text) == 0 || len(text) > mostUntagged || d.damaged || d.x.opts.NoSalvage || d.x.opts.Strict {
		return ""
	}
	if fenced, ok := bytes.CutPrefix(text, []byte("```")); ok {
		_, fenced, _ = bytes.Cut(fenced, newline)
		if fenced, ok = bytes.CutSuffix(fenced, []byte("```")); ok {
			text = bytes.TrimSpace(fenced)
		}
	}
	tags := lexer.DefaultDelims
	read := parse.Options{Salvage: true, Limits: d.x.opts.Limits}.Text(tags.Open+string(text)+tags.Close, d.x.set.catalog)
	if len(read) != 1 || read[0].Kind != parse.Call || read[0].Name == string(text) {
		return ""
	}
	return read[0].Name
}

// calledInCode returns the tool that a call in Markdown code would call; "" if it would
// be malformed elsewhere too.
func (d *decoder) calledInCode(s *parse.Segment) string {
	opts := parse.Options{Protocol: d.x.protocol(), Delims: d.x.opts.Manual.Delims, Limits: d.x.opts.Limits}
	read := opts.Text(string(s.Text), d.x.set.catalog)
	if s.Cut || len(read) != 1 || read[0].Kind != parse.Call {
		return ""
	}
	return read[0].Name
}
