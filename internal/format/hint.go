package format

import "strings"

// Hint returns what is expected where a call has the fault or issue with that code, and how to
// write it correctly. Both are empty if the table of codes is right for this format too.
func (f *Format) Hint(code string) (expected, fix string) {
	if f == nil || f.Body == Arguments {
		return "", ""
	}
	h, ok := commonHints[code]
	if !ok {
		h, ok = bodyHints[f.Body][code]
	}
	if !ok {
		return "", ""
	}
	return h.expected, strings.NewReplacer(
		"{form}", f.form(),
		"{name}", f.Function.Open+"name"+f.Function.End,
		"{argument}", f.argument(),
		"{close}", f.Parameter.Close,
	).Replace(h.fix)
}

type hint struct{ expected, fix string }

// commonHints are those of all formats except the wire format.
var commonHints = map[string]hint{
	"repaired": {"a call written as the format has it",
		"write calls in this form: {form}"},
	"duplicate-key": {"a key that is not there yet",
		"write each key once; for several values use a list"},
	"path-conflict": {"a key that is not there yet",
		"write each key once; for several values use a list"},
	"unterminated-call": {"the end of the call",
		"write the call again, whole, and end it with its last tag"},
}

const (
	objectFix = "write one JSON object: double quotes around keys and strings, " +
		"controls and quotes in strings escaped, no comma after the last member"
	ownType = "the value in its own type"
)

var tagName = hint{
	"a name that can be that of a tag", "give the tool a name without spaces, <, > and /",
}

// bodyHints are those of one kind of body.
var bodyHints = [...]map[string]hint{
	Envelope: {
		"expected-name":  {"the tool's name", "write the call in this form: {form}"},
		"bad-name":       {"the tool's name", "write the call in this form: {form}"},
		"expected-key":   {`"key": value`, objectFix},
		"expected-colon": {`"key": value`, objectFix},
		"expected-value": {"a value", objectFix},
		"expected-comma": {
			"a comma or the closing bracket",
			`write \" for each quote inside a string; if there is none, ` +
				"put a comma between members, and close each bracket",
		},
		"invalid-json": {"a JSON string", objectFix},
		"expected-close": {"the end of the call",
			"write the tag after the object, and each call between tags of its own"},
		"coerced": {ownType,
			"write arguments as a JSON object, not as text of one, and numbers without quotes"},
		"not-an-object": {ownType,
			"write arguments as a JSON object, not as text of one, and numbers without quotes"},
	},
	Parameters: {
		"expected-name": {"the tool's name", "write the name of one tool, without spaces: {name}"},
		"bad-name":      {"the tool's name", "write the name of one tool, without spaces: {name}"},
		"expected-key": {"a parameter, or the end of the call",
			"write each argument as {argument}, and nothing between them"},
		"expected-value": {"the value of the argument", "write each argument as {argument}"},
		"expected-close": {"a parameter, or the end of the call",
			"write each argument as {argument}, and nothing between them"},
		"coerced":        {ownType, "write lists and objects as JSON, and all else without quotes"},
		"ambiguous-text": {"text without tags", "end each value with {close}"},
	},
	Elements: {
		"bad-name":     tagName,
		"expected-key": {"an element", "write each argument as an element: <key>value</key>"},
		"expected-equals": {"the end of the tag",
			"write tags without attributes: <key>value</key>"},
		"expected-close": {"the end tag of the element",
			"close each element, the innermost first, and write &lt; for < in text"},
		"coerced": {ownType,
			"write numbers, true and false as they are, and repeat the element for a list"},
	},
	Block: {
		"bad-name": tagName,
		"coerced":  {ownType, "write numbers, true and false without quotes, and lists as lists"},
	},
}

// argument returns what an argument looks like.
func (f *Format) argument() string {
	m := f.Parameter
	return m.Open + "key" + m.End + m.Value + "value" + m.Close
}

// form returns what a call looks like, in one line.
func (f *Format) form() string {
	switch {
	case f.Body == Elements:
		return "<name><key>value</key></name>"
	case f.Body == Block:
		return "<name>, lines of key: value, </name>"
	case f.Body == Parameters:
		return f.Call.Open + f.Function.Open + "name" + f.Function.End + f.argument() +
			f.Function.Close + f.Call.Close
	case len(f.NameKeys) == 0:
		return f.Call.Open + f.Function.Open + "name" + f.Function.End + "{…}" +
			f.Function.Close + f.Call.Close
	}
	return f.Call.Open + ` {"` + f.NameKeys[0] + `": "name", "` + f.ArgumentKeys[0] + `": {…}} ` +
		f.Call.Close
}
