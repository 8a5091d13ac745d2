package manual

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/callwire/callwire/sig"
)

// Result returns what a tool returned as text to show to the model:
//
//	<tool-result name="getWeather">
//	18 degrees, light rain
//	</tool-result>
//
// Tags in it are neutralized, so it can neither end the result nor look like a call. It
// is on lines of its own, so no tag begins before it or ends after it. The Guard of
// every tool restores the result from the text between the lines.
//
// The caller may put a result directly after other text, which may end with part of an
// opener. If that part and the first tag of the result could form an opener, as with
// <<, the result begins with a line end; if its last tag and the text that follows
// could, as with >|, it ends with one.
//
// Rule: manual.neutralize.
func (o Options) Result(name, text string) string { return o.envelope(resultTag, name, text) }

// ErrorResult is Result for an error of a tool.
//
// Rule: manual.neutralize.
func (o Options) ErrorResult(name, text string) string { return o.envelope(errorTag, name, text) }

func (o Options) envelope(tag, name, text string) string {
	g := o.guard()
	return o.wrap(tag, name, g.Neutralize(text))
}

// wrap puts text, which must be safe, between result tags.
func (o Options) wrap(tag, name, text string) string { return o.wrapNumbered(tag, name, 0, text) }

// wrapNumbered is wrap for the result of the call with that number in its step; 0 is
// not written.
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

// lineEnds returns what must come before the first tag of a result and after the last,
// so that no opener includes part of a tag and the text around it: a line end, which no
// opener contains, or nothing. A close tag is harmless there: no call is open.
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

// quoteName returns a name as a JSON string without tags.
func (o Options) quoteName(name string) string {
	text, _ := json.Marshal(name) // a string cannot fail; < and > are escaped in it
	quoted := sig.Visible(string(text))
	if !o.guard().In(quoted + ">") {
		return quoted
	}
	var b strings.Builder
	for _, c := range []byte(quoted) {
		if d := o.tags(); c == d.Open[0] || c == d.Close[0] { // no escape contains one of these
			fmt.Fprintf(&b, `\u%04x`, c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
