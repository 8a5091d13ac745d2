package chat

import (
	"bytes"
	"slices"
	"strings"

	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
)

// answer collects the parts of an answer. Tags around several calls belong to the source of the
// first and the last of these calls, and whitespace between the calls to that of the next one, so
// the sources together are what the model wrote.
type answer struct {
	format *parse.Format
	source bytes.Buffer
	parts  []manual.Part
	from   int // the source before it is in parts

	opener    [2]int // the span of a tag that no call follows yet, if any
	inSection bool   // a call has followed it
	last      int    // the part of the last call
}

// text adds the source up to an offset as text.
func (a *answer) text(to int) {
	text := string(a.source.Bytes()[a.from:to])
	a.from = to
	if n := len(a.parts); n > 0 && a.parts[n-1].Kind == manual.Text {
		a.parts[n-1].Text += text
	} else if text != "" {
		a.parts = append(a.parts, manual.Part{Kind: manual.Text, Text: text})
	}
}

// between returns the source up to an offset in a section if that is whitespace, and adds it as
// text otherwise.
func (a *answer) between(to int) string {
	between := string(a.source.Bytes()[a.from:to])
	if strings.TrimSpace(between) != "" {
		a.text(to)
		return ""
	}
	a.from = to
	return between
}

// section adds a tag around several calls. Without a call in the section, the tags are text.
func (a *answer) section(start, end int) {
	tag := string(a.source.Bytes()[start:end])
	isEnd := func(f *parse.Format) bool { return f.Section.Close == tag }
	switch {
	case !slices.ContainsFunc(a.format.Set(), isEnd):
		a.opener, a.inSection = [2]int{start, end}, false
	case a.inSection:
		a.parts[a.last].Text += a.between(start) + tag
		a.from, a.inSection = end, false
	default:
		a.opener = [2]int{}
	}
}

// call adds a call.
func (a *answer) call(call *parse.Call, start, end int) {
	var source string
	if opener := a.opener; opener[1] > 0 {
		a.text(opener[0])
		source = string(a.source.Bytes()[opener[0]:opener[1]])
		a.from, a.opener, a.inSection = opener[1], [2]int{}, true
	}
	if a.inSection {
		source += a.between(start)
	} else {
		a.text(start)
	}
	a.from, a.last = end, len(a.parts)
	a.parts = append(a.parts, manual.Part{
		Kind: manual.Call, ID: call.ID, Name: call.Name, Input: call.Input,
		Text: source + string(a.source.Bytes()[start:end]),
	})
}
