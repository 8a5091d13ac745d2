package repair

import "slices"

// Info describes one repair.
type Info struct {
	Name  string // kebab-case; it never changes
	Reads string // an example of what is read
	As    string // the call that it is read as
	Fix   string // what the writer should do instead

	// Guess reports that the repair takes something for a quote or a tag that isn't one. Calls
	// after such a repair are treated like calls after a malformed one.
	Guess bool
}

// Table returns the table of repairs, in the order of the specification. The caller may change
// the slice.
func Table() []Info { return slices.Clone(table[:]) }

// Guesses reports whether a repair is a guess at a quote or a tag.
func Guesses(name string) bool {
	isGuess := func(r Info) bool { return r.Guess && r.Name == name }
	return slices.ContainsFunc(table[:], isGuess)
}

const (
	useEquals = "write = between key and value, without spaces"
	useTags   = "write the tags of this format exactly"
	useJSON   = "write plain JSON"
	useObject = "write the arguments themselves, without anything around them"
)

var table = [...]Info{
	{"commas", "<call>t a=x, b=1</call>", "<call>t a=x b=1</call>",
		"separate arguments with spaces, without commas", false},
	{"spaced-equals", "<call>t a = x</call>", "<call>t a=x</call>", useEquals, false},
	{"colon", "<call>t a: x</call>", "<call>t a=x</call>", useEquals, false},
	{"parentheses", `<call>t(a="x", b=1)</call>`, "<call>t a=x b=1</call>",
		"write a space after the name, then key=value, without parentheses", false},
	{"python-literal", "<call>t(a=True)</call>", "<call>t a=true</call>",
		"write true, false, and null in lower case", false},
	{"null", "<call>t a=null b=1</call>", "<call>t b=1</call>",
		"leave out an argument that has no value", false},
	{"json-tag", `<call>t <json>{"a":1}</json></call>`, "<call>t a=1</call>", useObject, false},
	{"envelope", `<call>{"name":"t","arguments":{"a":1}}</call>`, "<call>t a=1</call>",
		"write the name first, then the arguments", false},
	{"other-quotes", "<call>t a=“x”</call>", "<call>t a=x</call>",
		"write strings between straight quotes", true},
	{"unquoted-spaces", "<call>t a=x y b=1</call>", `<call>t a="x y" b=1</call>`,
		"quote values that contain spaces", false},
	{"name", "<call>functions.t a=x</call>", "<call>t a=x</call>",
		"write the tool's name exactly as it is listed", false},
	{"attributes", `<call t a="x"/>`, "<call>t a=x</call>",
		"end the opener before the name, and write key=value after it", true},
	{"opener", "<CALL>t a=x</CALL>", "<call>t a=x</call>", useTags, true},
	{"missing-close", "<call>t a=x\n<call>u</call>", "<call>t a=x</call>",
		"end each call with its closing tag", true},
	{"other-protocol", `<tool_call>{"name":"t","arguments":{"a":1}}</tool_call>`,
		"<call>t a=1</call>", "write all calls in this format", true},
	{"missing-open", "<function=t></function>",
		"<tool_call><function=t></function></tool_call>",
		"begin each call with its opening tag", true},
	{"fence", "<tool_call>```json\n{\"name\":\"t\"}\n```</tool_call>",
		`<tool_call>{"name":"t"}</tool_call>`, useObject, false},
	{"list", `<tool_call>[{"name":"t"}]</tool_call>`,
		`<tool_call>{"name":"t"}</tool_call>`, "write one call between each pair of tags", false},
	{"missing-brace", `<tool_call>{"name":"t","arguments":{}</tool_call>`,
		`<tool_call>{"name":"t","arguments":{}}</tool_call>`, useJSON, true},
	{"extra-brace", `<tool_call>{"name":"t"}}</tool_call>`,
		`<tool_call>{"name":"t"}</tool_call>`, useJSON, true},
	{"single-quotes", `<tool_call>{'name':'t'}</tool_call>`,
		`<tool_call>{"name":"t"}</tool_call>`, useJSON, false},
	{"bare-keys", `<tool_call>{name:"t"}</tool_call>`,
		`<tool_call>{"name":"t"}</tool_call>`, useJSON, false},
	{"trailing-commas", `<tool_call>{"name":"t",}</tool_call>`,
		`<tool_call>{"name":"t"}</tool_call>`, useJSON, false},
	{"python-literals", `<tool_call>{"name":"t","arguments":{"a":True}}</tool_call>`,
		`<tool_call>{"name":"t","arguments":{"a":true}}</tool_call>`, useJSON, false},
	{"raw-controls", "<tool_call>{\"name\":\"t\",\"arguments\":{\"a\":\"x\ny\"}}</tool_call>",
		`<tool_call>{"name":"t","arguments":{"a":"x\ny"}}</tool_call>`, useJSON, false},
	{"loose-escapes", `<tool_call>{"name":"t","arguments":{"a":"\d"}}</tool_call>`,
		`<tool_call>{"name":"t","arguments":{"a":"\\d"}}</tool_call>`, useJSON, false},
}
