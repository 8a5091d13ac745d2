package parse

// RepairInfo is one row of the table of repairs.
type RepairInfo struct {
	Name  string // stable, kebab-case: the Path of the issue Repaired
	Reads string // an example of what is read
	As    string // and the call that it is read as
	Fix   string // what to do instead, for whoever wrote it
}

// Repairs returns the table of what Options.Salvage reads, in the order of the
// specification. The caller may keep and change the slice.
func Repairs() []RepairInfo {
	return []RepairInfo{
		{fixCommas, "<call>t a=x, b=y</call>", "<call>t a=x b=y</call>", "separate arguments by spaces alone, without commas"},
		{fixSpacedEquals, "<call>t a = x</call>", "<call>t a=x</call>", "write key=value without spaces around the ="},
		{fixColon, "<call>t a: x</call>", "<call>t a=x</call>", "write = between key and value"},
		{fixArrow, `<call>t a=>"x"</call>`, "<call>t a=x</call>", "write = between key and value"},
		{fixQuotedKey, `<call>t "a"="x"</call>`, "<call>t a=x</call>", "write keys without quotes"},
		{fixQuestionMark, "<call>t a?=x</call>", "<call>t a=x</call>", "write keys without the ? of the signature"},
		{fixDashes, "<call>t --a x</call>", "<call>t a=x</call>", "write key=value, without dashes before the key"},
		{fixParentheses, `<call>t(a="x", b=1)</call>`, "<call>t a=x b=1</call>", "write a space after the name, then key=value, without parentheses"},
		{fixPythonLiteral, "<call>t(a=True)</call>", "<call>t a=true</call>", "write true, false and null in small letters"},
		{fixNull, "<call>t a=null b=1</call>", "<call>t b=1</call>", "leave an argument that has no value out instead of writing null"},
		{fixJSONTag, `<call>t <json>{"a":1}</json></call>`, "<call>t a=1</call>", "write arguments directly after the name, without a tag or fence around them"},
		{fixWrapper, `<call>t arguments={"a":1}</call>`, "<call>t a=1</call>", "write the arguments themselves, not an object that holds them"},
		{fixEnvelope, `<call>{"name":"t","arguments":{"a":1}}</call>`, "<call>t a=1</call>", "write the name first, and after it the arguments themselves"},
		{fixElements, "<call>t <a>x</a></call>", "<call>t a=x</call>", "write key=value, not elements"},
		{fixTripleQuotes, `<call>t a="""x"""</call>`, "<call>t a=x</call>", "write one quote before a string and one after it"},
		{fixDoubledQuotes, `<call>t a=""x""</call>`, "<call>t a=x</call>", "write one quote before a string and one after it"},
		{fixEscapedQuotes, `<call>t a=\"x\"</call>`, "<call>t a=x</call>", "write the quotes around a string without backslashes"},
		{fixOtherQuotes, "<call>t a=“x”</call>", "<call>t a=x</call>", "write strings between straight quotes"},
		{fixEntities, "<call>t a=&quot;x&quot;</call>", "<call>t a=x</call>", "write characters themselves, not entities"},
		{fixUnquotedSpaces, "<call>t a=x y b=1</call>", `<call>t a="x y" b=1</call>`, "quote values that hold spaces"},
		{fixName, "<call>functions.t a=x</call>", "<call>t a=x</call>", "write the tool's name exactly as it is listed"},
		{fixNameAttribute, "<call>name=t a=x</call>", "<call>t a=x</call>", "write the tool's name itself first, without a key"},
		{fixAttributes, `<call t a="x"/>`, "<call>t a=x</call>", "end the opener before the name, and write key=value after it"},
		{fixOpener, "<CALL>t a=x</CALL>", "<call>t a=x</call>", "write the opener exactly, in small letters and without spaces"},
		{fixWrongClose, `<call>t a="x"</function></call>`, "<call>t a=x</call>", "end the call with its own close tag"},
		{fixMissingClose, "<call>t a=x\n<call>u</call>", "<call>t a=x</call>", "end each call with its close tag"},
		{fixOtherProtocol, `<tool_call>{"name":"t","arguments":{"a":1}}</tool_call>`, "<call>t a=1</call>", "write calls in this format alone"},
	}
}

// The names of the repairs.
const (
	fixCommas         = "commas"
	fixSpacedEquals   = "spaced-equals"
	fixColon          = "colon"
	fixArrow          = "arrow"
	fixQuotedKey      = "quoted-key"
	fixQuestionMark   = "question-mark"
	fixDashes         = "dashes"
	fixParentheses    = "parentheses"
	fixPythonLiteral  = "python-literal"
	fixNull           = "null"
	fixJSONTag        = "json-tag"
	fixWrapper        = "wrapper"
	fixEnvelope       = "envelope"
	fixElements       = "elements"
	fixTripleQuotes   = "triple-quotes"
	fixDoubledQuotes  = "doubled-quotes"
	fixEscapedQuotes  = "escaped-quotes"
	fixOtherQuotes    = "other-quotes"
	fixEntities       = "entities"
	fixUnquotedSpaces = "unquoted-spaces"
	fixName           = "name"
	fixNameAttribute  = "name-attribute"
	fixAttributes     = "attributes"
	fixOpener         = "opener"
	fixWrongClose     = "wrong-close"
	fixMissingClose   = "missing-close"
	fixOtherProtocol  = "other-protocol"
)

// guesses are the repairs that take for a quote or a tag what is neither.
// Where one was made, later calls are read as after a malformed span.
var guesses = map[string]bool{
	fixTripleQuotes: true, fixDoubledQuotes: true, fixEscapedQuotes: true, fixOtherQuotes: true, fixEntities: true,
	fixAttributes: true, fixOpener: true, fixWrongClose: true, fixMissingClose: true, fixOtherProtocol: true,
}
