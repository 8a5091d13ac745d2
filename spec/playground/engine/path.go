package engine

import (
	"strings"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/spec/railroad"
)

// The kinds of tokens that are more than punctuation.
const (
	openTag    = "Open"
	closeTag   = "Close"
	toolName   = "Name"
	keyToken   = "Key"
	bareValue  = "Bare"
	stringTok  = "String"
	spaceToken = "Space"
	damage     = "Damage"
	faultToken = "Fault"
)

// punctuation are the kinds of the tokens of one byte.
var punctuation = map[byte]string{
	'.': "Dot", '=': "Equals", ',': "Comma", ':': "Colon",
	'[': "ArrayOpen", ']': "ArrayClose", '{': "ObjectOpen", '}': "ObjectClose",
}

// tokens returns the words of a call that begins at start. Closed reports whether a malformed
// call ends with a closing tag.
func tokens(text string, start int, tags parse.Tags, closed bool) []Token {
	own := *wire
	own.Call = tags
	lexemes, err := lexer.Lexemes(&own, lexer.Limits{}, []byte(text))
	if err != nil {
		return nil
	}
	w := words{text: text, start: start}
	for _, x := range lexemes {
		w.add(x, tags, closed)
	}
	return w.tokens
}

// words makes tokens from lexemes and the bytes between them.
type words struct {
	text   string
	start  int // of the text in the message
	pos    int // in the text
	depth  int // of brackets
	tokens []Token
}

// add adds a lexeme, and what is before it.
func (w *words) add(x lexer.Lexeme, tags parse.Tags, closed bool) {
	unclosed := x.Kind == "string" && !x.Closed
	if x.Kind == "end" || x.Kind == "begin" || unclosed {
		return // they are punctuation, or damage
	}
	if x.Kind != "damaged" {
		w.between(x.Start)
	}
	switch x.Kind {
	case "open":
		w.token(openTag, len(tags.Open))
	case "name":
		w.token(toolName, x.End-x.Start)
	case "path":
		for key := range strings.SplitSeq(w.text[x.Start:x.End], ".") {
			w.between(w.pos + min(1, w.pos-x.Start))
			w.token(keyToken, len(key))
		}
	case "key":
		kind := keyToken
		if x.Quoted {
			kind = stringTok
		}
		w.token(kind, x.End-x.Start)
	case "word":
		w.token(bareValue, x.End-x.Start)
	case "string":
		w.token(stringTok, x.End-x.Start)
	case "close":
		w.token(closeTag, x.End-x.Start)
	case "fault":
		w.tokens = append(w.tokens, Token{
			Kind: faultToken, Start: w.start + w.pos, End: w.start + w.pos, Text: string(x.Code),
		})
	case "damaged":
		end := x.End
		if closed {
			end -= len(tags.Close)
		}
		if end > w.pos {
			w.token(damage, end-w.pos)
		}
		if x.End > w.pos {
			w.token(closeTag, x.End-w.pos)
		}
	}
}

// token adds the next n bytes.
func (w *words) token(kind string, n int) {
	word := w.text[w.pos : w.pos+n]
	at := w.start + w.pos
	w.tokens = append(w.tokens, Token{kind, at, at + n, word, terminal(kind, word, w.depth)})
	w.pos += n
}

// between adds the punctuation and the whitespace up to an offset.
func (w *words) between(end int) {
	for w.pos < end {
		rest := w.text[w.pos:end]
		if n := len(rest) - len(strings.TrimLeft(rest, " \t\r\n")); n > 0 {
			w.token(spaceToken, n)
			continue
		}
		kind, ok := punctuation[rest[0]]
		if !ok {
			w.token(damage, len(rest))
			return
		}
		switch rest[0] {
		case '[', '{':
			w.depth++
		case ']', '}':
			w.depth--
		}
		w.token(kind, 1)
	}
}

// terminal returns the grammar's name for a word at that depth of brackets, or "" for
// words that the grammar doesn't have: whitespace between brackets, and empty or damaged
// ones.
func terminal(kind, word string, depth int) string {
	switch {
	case word == "" || kind == damage:
		return ""
	case kind == spaceToken && depth > 0:
		return ""
	case kind == keyToken && depth > 0:
		return "memberkey"
	case kind == bareValue && depth > 0:
		return "item"
	case kind == bareValue:
		return "word"
	case len(word) == 1 && punctuation[word[0]] == kind:
		return word
	}
	return strings.ToLower(kind)
}

// path leads the tokens through the grammar, up to what is wrong.
func path(g railroad.Grammar, tokens []Token) []railroad.Visit {
	var words []string
	var index []int // of the words among the tokens
	for i, t := range tokens {
		if t.Kind == faultToken {
			words, index = append(words, ""), append(index, i)
			break
		}
		if t.terminal != "" {
			words, index = append(words, t.terminal), append(index, i)
		}
	}
	visits, _ := g.Walk("Call", words)
	index = append(index, len(tokens))
	for _, v := range visits {
		for i := range v.Steps {
			v.Steps[i].Word = index[v.Steps[i].Word]
		}
	}
	return visits
}
