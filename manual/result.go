package manual

import (
	"github.com/callwire/callwire/internal/guard"
)

// The tags around what tools return.
const (
	resultTag = "tool-result"
	errorTag  = "tool-error"
)

// Result returns what a tool returned as text to show to the model:
//
//	<tool-result name="getWeather">
//	18 degrees, light rain
//	</tool-result>
//
// Tags in it are neutralized, so it can neither end the result nor look like a call. It is on lines
// of its own, so no tag begins before it or ends after it. Restore returns the text between the
// lines as it was.
//
// The caller may put a result directly after other text, which may end with part of an opener. If
// that part and the first tag of the result could form an opener, as with <<, the result begins
// with a line end; if its last tag and the text that follows could, as with >|, it ends with one.
//
// Rule: manual.neutralize.
func (m *Manual) Result(name, text string, failed bool) string {
	return m.wrap(name, 0, failed, m.guard.Neutralize(text))
}

// wrap puts text, which must be safe, between result tags.
func (m *Manual) wrap(name string, number int, failed bool, text string) string {
	open, end := m.resultTags(name, number, failed)
	return open + "\n" + text + "\n" + end
}

// Neutralize returns text without call and result tags: it inserts a backslash after the first byte
// of each, one more if there are some already. (If a tag contains a backslash, it inserts another
// byte.) Everything that a repairing reader can take for an opener is a tag too: the call tag in
// another case, with a space or attributes, and the tags of other formats. Text without tags stays
// the same. It takes time linear in text.
//
// Neutralize untrusted text before a model sees it, so it can neither end the result it is in nor
// be taken for a call, by the model or by a parser of what the model copies.
//
// Rule: manual.neutralize.
func (m *Manual) Neutralize(text string) string { return m.guard.Neutralize(text) }

// Restore undoes Neutralize for every text: Restore(Neutralize(x)) is x. It is for text that a
// model was shown and returns, such as code that it writes to a file.
//
// Rule: manual.neutralize.
func (m *Manual) Restore(text string) string { return m.guard.Restore(text) }

// Guard returns the guard that neutralizes untrusted text piece by piece.
func (m *Manual) Guard() guard.Guard { return m.guard }
