package parse

// RepairInfo is one row of the table of repairs.
type RepairInfo struct {
	Name  string // stable, kebab-case: the Path of the issue Repaired
	Reads string // an example of what is read
	As    string // and the call that it is read as
}

// Repairs returns the table of what Options.Salvage reads, in the order of the
// specification. The caller may keep and change the slice.
func Repairs() []RepairInfo {
	return []RepairInfo{
		{fixCommas, "<call>t a=x, b=y</call>", "<call>t a=x b=y</call>"},
		{fixSpacedEquals, "<call>t a = x</call>", "<call>t a=x</call>"},
		{fixColon, "<call>t a: x</call>", "<call>t a=x</call>"},
		{fixArrow, `<call>t a=>"x"</call>`, "<call>t a=x</call>"},
		{fixQuotedKey, `<call>t "a"="x"</call>`, "<call>t a=x</call>"},
		{fixQuestionMark, "<call>t a?=x</call>", "<call>t a=x</call>"},
		{fixDashes, "<call>t --a x</call>", "<call>t a=x</call>"},
		{fixParentheses, `<call>t(a="x", b=1)</call>`, "<call>t a=x b=1</call>"},
		{fixPythonLiteral, "<call>t(a=True)</call>", "<call>t a=true</call>"},
		{fixNull, "<call>t a=null b=1</call>", "<call>t b=1</call>"},
		{fixJSONTag, `<call>t <json>{"a":1}</json></call>`, "<call>t a=1</call>"},
		{fixWrapper, `<call>t arguments={"a":1}</call>`, "<call>t a=1</call>"},
		{fixEnvelope, `<call>{"name":"t","arguments":{"a":1}}</call>`, "<call>t a=1</call>"},
		{fixElements, "<call>t <a>x</a></call>", "<call>t a=x</call>"},
		{fixTripleQuotes, `<call>t a="""x"""</call>`, "<call>t a=x</call>"},
		{fixDoubledQuotes, `<call>t a=""x""</call>`, "<call>t a=x</call>"},
		{fixEscapedQuotes, `<call>t a=\"x\"</call>`, "<call>t a=x</call>"},
		{fixOtherQuotes, "<call>t a=“x”</call>", "<call>t a=x</call>"},
		{fixEntities, "<call>t a=&quot;x&quot;</call>", "<call>t a=x</call>"},
		{fixUnquotedSpaces, "<call>t a=x y b=1</call>", `<call>t a="x y" b=1</call>`},
		{fixName, "<call>functions.t a=x</call>", "<call>t a=x</call>"},
		{fixNameAttribute, "<call>name=t a=x</call>", "<call>t a=x</call>"},
		{fixAttributes, `<call t a="x"/>`, "<call>t a=x</call>"},
		{fixOpener, "<CALL>t a=x</CALL>", "<call>t a=x</call>"},
		{fixWrongClose, `<call>t a="x"</function></call>`, "<call>t a=x</call>"},
		{fixMissingClose, "<call>t a=x\n<call>u</call>", "<call>t a=x</call>"},
		{fixOtherProtocol, `<tool_call>{"name":"t","arguments":{"a":1}}</tool_call>`, "<call>t a=1</call>"},
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
