package grammar

// This file is the lexical grammar of JSON as RFC 8259 has it, which the other formats
// share. Its productions are those of the wire format ([Value], [Array], [Object]): no
// state here has a bare key, a single quote, or a closing bracket after a comma, so what
// they accept is JSON. An escape that is not a Unicode scalar value is literal text.

// The patterns of JSON.
const (
	patJSONUnit     = `[^"\\\x00-\x1F]|\\["\\/bfnrt]|\\u[0-9A-Fa-f]{4}`
	patJSONString   = `"(?:` + patJSONUnit + `)*"`
	patJSONUnclosed = `"(?:` + patJSONUnit + `)*`
	patCutEscape    = `\\(?:u[0-9A-Fa-f]{0,3})?`

	patWordByte = `0-9A-Za-z_+.\-`
	patAnyWord  = `[` + patWordByte + `]+`
	patScalar   = `-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null`
	patLiteral  = `(` + patScalar + `)[^` + patWordByte + `]`
)

// The codes and issues that the wire format does not have.
const (
	InvalidJSON   Code = "invalid-json"   // in a string, the byte or escape that is not allowed
	NotAnObject   Code = "not-an-object"  // the arguments
	Coerced       Code = "coerced"        // the value that was written as another
	AmbiguousText Code = "ambiguous-text" // the raw text that contains a tag
)

// jsonString returns the transitions for a string.
func jsonString(next string) []Transition {
	return []Transition{
		on(tokString, patJSONString, next), cut(patJSONUnclosed + `(?:` + patCutEscape + `)?`),
		on(tokUnclosed, patJSONUnclosed, atEnd),
	}
}

// jsonValue returns the transitions for a value.
func jsonValue(after string) []Transition {
	return append(jsonString(after),
		opens(tokPunct, `\{`, "first-key", after), opens(tokPunct, `\[`, "first-item", after),
		cut(patAnyWord), on(tokItem, patLiteral, after))
}

// jsonStates are the states inside arrays and objects.
var jsonStates = []State{
	spaced("first-key", ExpectedKey, append(jsonString("after-key"), on(tokPunct, `\}`, ""))...),
	spaced("key", ExpectedKey, jsonString("after-key")...),
	spaced("after-key", ExpectedColon, on(tokPunct, `:`, "value")),
	spaced("value", ExpectedValue, jsonValue("after-member")...),
	spaced("after-member", ExpectedComma, on(tokPunct, `,`, "key"), on(tokPunct, `\}`, "")),
	spaced("first-item", ExpectedValue, append(jsonValue("after-item"), on(tokPunct, `\]`, ""))...),
	spaced("item", ExpectedValue, jsonValue("after-item")...),
	spaced("after-item", ExpectedComma, on(tokPunct, `,`, "item"), on(tokPunct, `\]`, "")),
}

// documents are the states of a whole JSON text, which is an object or an array.
var documents = append([]State{
	spaced("body", ExpectedValue,
		opens(tokPunct, `\{`, "first-key", "end"), opens(tokPunct, `\[`, "first-item", "end")),
	closable(spaced("end", ExpectedClose)),
}, jsonStates...)

var documentGrammar = &Grammar{states: documents, table: tableOf(documents)}

var valueParser = parserOf[Value](0)

// readDocument returns the value of a text that is one object or array with brackets nested
// no deeper than depth, or nil.
func readDocument(text string, depth int) *Value {
	limits := Limits{Bytes: len(text) + 1, Depth: depth}
	r := &reader{Grammar: documentGrammar, text: text}
	r.Options = Options{Limits: limits, AcceptAtEnd: true}
	tokens, stop := r.scan(0)
	if stop != nil {
		return nil
	}
	v, err := parse(valueParser, tokens[1:len(tokens)-1]) // without the tags, which are empty
	if err != nil {
		return nil
	}
	return v
}

// untyped returns text as JSON, read without a schema: a literal, array or object as
// what it is, anything else as a string.
//
// Rule: protocol.raw-typing
func (c *content) untyped(text string, depth int) string {
	if literal.MatchString(text) {
		return text
	}
	if v := readDocument(text, depth); v != nil {
		own := &content{reader: c.reader}
		if input := own.value(v); own.fault == nil {
			return input
		}
	}
	return quote(text)
}
