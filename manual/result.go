package manual

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/callwire/callwire/sig"
)

// Result returns what a tool has returned as the text that a model is shown:
//
//	<tool-result name="getWeather">
//	18 degrees, light rain
//	</tool-result>
//
// Tags in it are neutralized, so that it can neither end itself nor look like a
// call; and because it stands in lines of its own, no tag begins before it or
// ends after it. The text between the lines, restored by the Guard of every tool, is the
// result.
//
// Whoever shows results may put them directly after other text, which may end in
// half an opener. Where that could be one together with the first tag of a result,
// as with the opener <<, a line end stands before the result; and one after it
// where its last tag and the text that follows could be one, as with >|.
//
// Rule: manual.neutralize.
func (o Options) Result(name, text string) string { return o.envelope(resultTag, name, text) }

// ErrorResult is Result for what went wrong in a tool.
//
// Rule: manual.neutralize.
func (o Options) ErrorResult(name, text string) string { return o.envelope(errorTag, name, text) }

func (o Options) envelope(tag, name, text string) string {
	g := o.guard()
	return o.wrap(tag, name, g.Neutralize(text))
}

// wrap puts text, which is safe, between the tags of a result.
func (o Options) wrap(tag, name, text string) string { return o.wrapNumbered(tag, name, 0, text) }

// wrapNumbered is wrap for the result of the call of that number in its message; 0 is
// not told.
func (o Options) wrapNumbered(tag, name string, number int, text string) string {
	if p := o.prompter(); p != nil {
		open, close := p.ResultTags(name)
		return open + "\n" + text + "\n" + close
	}
	var b strings.Builder
	b.Grow(len(text) + len(name) + 2*len(tag) + 32)
	before, after := lineEnds("<"+tag+">", "</"+tag+">", o.tags().Open)
	b.WriteString(before + "<" + tag)
	if name != "" {
		b.WriteString(" name=" + o.quoteName(name))
	}
	if number > 0 {
		fmt.Fprintf(&b, ` call="%d"`, number)
	}
	b.WriteString(">\n")
	b.WriteString(text)
	b.WriteString("\n</" + tag + ">" + after)
	return b.String()
}

// lineEnds returns what has to stand before the first tag of a result and after
// the last, so that no opener begins before or ends after them: a line end, which
// no opener holds, or nothing. A close tag there is harmless: no call is open.
func lineEnds(first, last, open string) (before, after string) {
	for n := 1; n < len(open); n++ {
		if strings.HasPrefix(first, open[n:]) {
			before = "\n"
		}
		if strings.HasSuffix(last, open[:n]) {
			after = "\n"
		}
	}
	return before, after
}

// quoteName returns a name as a JSON string in which no tag begins.
func (o Options) quoteName(name string) string {
	text, _ := json.Marshal(name) // a string always can; < and > are escaped in it
	quoted := sig.Visible(string(text))
	if !o.guard().In(quoted + ">") {
		return quoted
	}
	var b strings.Builder
	for _, c := range []byte(quoted) {
		if d := o.tags(); c == d.Open[0] || c == d.Close[0] { // in no escape is one of these
			fmt.Fprintf(&b, `\u%04x`, c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
