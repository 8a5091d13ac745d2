package protocol

import "github.com/callwire/callwire/lexer"

// Hint says what was expected and how to fix it, see [parse.Hinter].
func (p Protocol) Hint(code lexer.Code) (expected, fix string) {
	if p.validate() != nil {
		return "", ""
	}
	switch code {
	case lexer.Repaired:
		return "a call written as the format has it", "write calls in this form: " + p.form()
	case lexer.DuplicateKey, lexer.PathConflict:
		return "a key that is not there yet", "write each key once; for several values use a list"
	case lexer.Unterminated:
		return "the end of the call", "write the call again, whole, and end it with its last tag"
	}
	switch p.Body {
	case JSON:
		return p.hintJSON(code)
	case Parameters:
		value := p.Envelope.Parameter
		switch code {
		case lexer.ExpectedName, lexer.BadName:
			return "the tool's name", "write the name of one tool, without spaces: " + p.Envelope.Function.Open + "name" + p.Envelope.Function.End
		case lexer.ExpectedKey, lexer.ExpectedClose:
			return "a parameter, or the end of the call", "write each argument as " + value.Open + "key" + value.End + "value" + value.Close + ", and nothing between them"
		case lexer.Coerced:
			return "the value in its own type", "write lists and objects as JSON, and all else without quotes"
		case lexer.AmbiguousText:
			return "text without tags", "end each value with " + value.Close
		}
	case Elements:
		switch code {
		case lexer.BadName:
			return aTag, aTagFix
		case lexer.ExpectedKey:
			return "an element", "write each argument as an element: <key>value</key>"
		case lexer.ExpectedEquals:
			return "the end of the tag", "write tags without attributes: <key>value</key>"
		case lexer.ExpectedClose:
			return "the end tag of the element", "close each element, the innermost first, and write &lt; for < in text"
		case lexer.Coerced:
			return "the value in its own type", "write numbers, true and false as they are, and repeat the element for a list"
		}
	case YAML:
		switch code {
		case lexer.BadName:
			return aTag, aTagFix
		case lexer.Coerced:
			return "the value in its own type", "write numbers, true and false without quotes, and lists as lists"
		}
	}
	return "", ""
}

// What a tool's name must be if a tag has it.
const (
	aTag    = "a name that can be that of a tag"
	aTagFix = "give the tool a name without spaces, <, > and /"
)

// form returns what a call looks like, in one line.
func (p Protocol) form() string {
	e := &p.Envelope
	switch p.Body {
	case Parameters:
		return p.Frame.Open + e.Function.Open + "name" + e.Function.End + e.Parameter.Open + "key" + e.Parameter.End + "value" + e.Parameter.Close + e.Function.Close + p.Frame.Close
	case Elements:
		return "<name><key>value</key></name>"
	case YAML:
		return "<name>, lines of key: value, </name>"
	}
	return p.Frame.Open + ` {"` + e.NameKeys[0] + `": "name", "` + e.ArgumentKeys[0] + `": {…}} ` + p.Frame.Close
}

// hintJSON is Hint for an object.
func (p Protocol) hintJSON(code lexer.Code) (expected, fix string) {
	const object = "write one JSON object: double quotes around keys and strings, controls and quotes in strings escaped, no comma after the last member"
	switch code {
	case lexer.ExpectedName, lexer.BadName:
		return "the tool's name", `write {"` + p.Envelope.NameKeys[0] + `": "the tool's name", "` + p.Envelope.ArgumentKeys[0] + `": {…}}`
	case lexer.ExpectedKey, lexer.ExpectedColon:
		return `"key": value`, object
	case lexer.ExpectedValue:
		return "a value", object
	case lexer.ExpectedComma:
		return "a comma or the closing bracket", `write \" for each quote inside a string; if there is none, put a comma between members, and close each bracket`
	case lexer.InvalidJSON:
		return "a JSON string", object
	case lexer.ExpectedClose:
		return "the end of the call", "write the tag after the object, and each call between tags of its own"
	case lexer.Coerced, lexer.NotAnObject:
		return "the value in its own type", "write arguments as a JSON object, not as text of one, and numbers without quotes"
	}
	return "", ""
}
