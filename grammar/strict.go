package grammar

import "regexp"

// This file is the lexical grammar of JSON as RFC 8259 has it, which the other formats
// share. Its productions are those of the wire format ([Value], [Array], [Object]): no
// state here has a bare key, a single quote, or a closing bracket after a comma, so what
// they accept is JSON. An escape that is not a Unicode scalar value is literal text.

// The patterns of JSON.
const (
	patJSONUnit     = `[^"\\\x00-\x1F]|\\["\\/bfnrt]|\\u[0-9A-Fa-f]{4}`
	patJSONString   = `"(?:` + patJSONUnit + `)*"`
	patJSONUnclosed = `"(?:` + patJSONUnit + `)*`
	patLiteral      = `[0-9A-Za-z_+.\-]+`
)

// The codes and issues that the wire format does not have.
const (
	InvalidJSON   Code = "invalid-json"   // in a string, the byte or escape that is not allowed
	NotAnObject   Code = "not-an-object"  // the arguments
	Coerced       Code = "coerced"        // the value that was written as another
	AmbiguousText Code = "ambiguous-text" // the raw text that contains a tag
)

// tight returns a state without whitespace before its tokens.
func tight(name string, expects Code, tokens ...Transition) State {
	return State{Name: name, Expects: expects, Tokens: tokens}
}

// spaced returns a state with optional whitespace before its tokens.
func spaced(name string, expects Code, tokens ...Transition) State {
	return tight(name, expects, append([]Transition{on("", patSpace, name)}, tokens...)...)
}

// jsonString returns the transitions for a string, under the given name.
func jsonString(name, next string) []Transition {
	return []Transition{on(name, patJSONString, next), on(tokUnclosed, patJSONUnclosed, atEnd)}
}

// jsonValue returns the transitions for a value.
func jsonValue(after string) []Transition {
	return append(jsonString(tokString, after),
		opens(`\{`, "first-key", after), opens(`\[`, "first-item", after),
		on(tokItem, patLiteral, after))
}

// jsonStates are the states inside arrays and objects.
var jsonStates = []State{
	spaced("first-key", ExpectedKey,
		append(jsonString(tokString, "after-key"), on(tokPunct, `\}`, ""))...),
	spaced("key", ExpectedKey, jsonString(tokString, "after-key")...),
	spaced("after-key", ExpectedColon, on(tokPunct, `:`, "value")),
	spaced("value", ExpectedValue, jsonValue("after-member")...),
	spaced("after-member", ExpectedComma, on(tokPunct, `,`, "key"), on(tokPunct, `\}`, "")),
	spaced("first-item", ExpectedValue, append(jsonValue("after-item"), on(tokPunct, `\]`, ""))...),
	spaced("item", ExpectedValue, jsonValue("after-item")...),
	spaced("after-item", ExpectedComma, on(tokPunct, `,`, "item"), on(tokPunct, `\]`, "")),
}

// judgeWord is a judge by which a word in JSON must be a number, true, false or null.
func judgeWord(t *token) (name, next string) {
	if t.name == tokItem && !literal.MatchString(t.Value) {
		return tokOther, ""
	}
	return "", ""
}

// badString returns the error of a string that is not closed. It is where the string
// stops being JSON, unless more text could still complete it.
func (r *reader) badString(t *token) *fault {
	rest := r.text[t.end():]
	if rest == "" || cutEscape.FindString(rest) == rest {
		return &fault{code: UnterminatedCall, at: len(r.text)}
	}
	seen := r.text[min(t.end(), r.bound):r.bound]
	if seen != "" && cutEscape.FindString(seen) == seen {
		return &fault{code: CallTooLong, at: r.bound}
	}
	return &fault{code: InvalidJSON, at: t.end()}
}

// cutEscape matches an escape that may not be complete.
var cutEscape = regexp.MustCompile(`^\\(?:u[0-9A-Fa-f]{0,3})?`)

// documents reads whole JSON texts: an object or an array.
var documents = &Grammar{states: compile(append([]State{
	spaced("body", ExpectedValue,
		opens(`\{`, "first-key", "end"), opens(`\[`, "first-item", "end")),
	spaced("end", ExpectedClose),
}, jsonStates...))}

// readDocument reads a text that is one object or array, with brackets nested no deeper
// than depth; input is nil if it is not. duplicate reports whether a key is repeated in it.
func readDocument(text string, depth int) (input []byte, tokens []token, duplicate bool) {
	s := &scanner{g: documents, text: text, state: "body", judge: judgeWord}
	keys := keySets{}
	t := s.next()
	for ; t.name != ""; t = s.next() {
		tokens = append(tokens, t)
		if t.isOneOf(tokOther, tokUnclosed) {
			return nil, nil, false
		}
		duplicate = keys.readJSON(&t) || duplicate
		if len(keys) > depth {
			return nil, nil, false
		}
		if t.name == tokString {
			input = Quote(input, Unquote(t.Value))
		} else {
			input = append(input, t.Value...)
		}
	}
	if t.state != "end" {
		return nil, nil, false
	}
	return input, tokens, duplicate
}

// untyped returns text as JSON, read without a schema: a literal, array or object as
// what it is, anything else as a string.
//
// Rule: protocol.raw-typing
func untyped(text string, depth int) []byte {
	if literal.MatchString(text) {
		return []byte(text)
	}
	if input, _, duplicate := readDocument(text, depth); input != nil && !duplicate {
		return input
	}
	return Quote(nil, text)
}

// keySets are the keys of every open object; nil for an array.
type keySets []map[string]bool

func (k *keySets) open(object bool) {
	if object {
		*k = append(*k, map[string]bool{})
	} else {
		*k = append(*k, nil)
	}
}

func (k *keySets) close() { *k = (*k)[:len(*k)-1] }

// add adds a key to the innermost object. It reports whether the object has it already.
func (k keySets) add(key string) (duplicate bool) {
	keys := k[len(k)-1]
	duplicate = keys[key]
	keys[key] = true
	return duplicate
}

// isKey reports whether t is a key in JSON.
func (t *token) isKey() bool {
	return t.name == tokString && (t.state == "first-key" || t.state == "key")
}

// readJSON reads a token of JSON. It reports whether that is a key that its object has
// already.
func (k *keySets) readJSON(t *token) (duplicate bool) {
	switch {
	case t.is("{"), t.is("["):
		k.open(t.is("{"))
	case t.is("}"), t.is("]"):
		k.close()
	case t.isKey():
		return k.add(Unquote(t.Value))
	}
	return false
}
