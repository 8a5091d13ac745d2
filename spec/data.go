package spec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"

	"github.com/callwire/callwire/grammar"
	"github.com/callwire/callwire/lexer"
)

// The tables of the document as data, for programs in any language. Their members
// are part of the interface: members may be added, but never change their meaning.
type (
	statesJSON struct {
		Version string      `json:"version"`
		First   string      `json:"first"`
		States  []stateJSON `json:"states"`
	}
	stateJSON struct {
		Name   string           `json:"name"`
		Tokens []transitionJSON `json:"tokens"`          // the first that matches is read
		Close  bool             `json:"close"`           // the close tag is allowed here
		Opener string           `json:"opener"`          // the code of an opener here
		Error  string           `json:"error,omitempty"` // the code of anything else
	}
	transitionJSON struct {
		Token   string `json:"token"`          // "space" for whitespace that isn't a token
		Pattern string `json:"pattern"`        // a regular expression
		Next    string `json:"next,omitempty"` // absent: the state that the bracket left open
		Leaves  string `json:"leaves,omitempty"`
	}
	codeJSON struct {
		Code      string `json:"code"`
		At        string `json:"at"`
		Expected  string `json:"expected"`
		Malformed bool   `json:"malformed"` // without strict
		Issue     bool   `json:"issue"`
		Refusal   bool   `json:"refusal"`
	}
	ruleJSON struct {
		ID          string   `json:"id"`
		Text        string   `json:"text"` // the sentence that is normative
		Level       string   `json:"level"`
		Chapter     string   `json:"chapter"` // its id in the document
		Productions []string `json:"productions,omitempty"`
		Cases       []string `json:"cases"`
	}
	classJSON struct {
		Name string `json:"name"`
		Doc  string `json:"doc"`
		// In hexadecimal: one byte, or the first and last of a range with a hyphen.
		Bytes []string `json:"bytes"`
	}
)

// statesData is the table of the states as JSON.
func statesData(*document) ([]byte, error) {
	all := grammar.States()
	data := statesJSON{Version: Version, First: all[0].Name}
	for _, s := range all {
		state := stateJSON{
			Name: s.Name, Close: s.Close, Opener: string(s.Expects),
			Error: string(s.Expects), Tokens: []transitionJSON{},
		}
		if s.Bare {
			state.Opener = string(grammar.NestedCall)
		}
		for _, t := range s.Tokens {
			token := t.Token
			if token == "" {
				token = "space"
			}
			state.Tokens = append(state.Tokens, transitionJSON{token, t.Pattern, t.Next, t.After})
		}
		data.States = append(data.States, state)
	}
	return encode(data)
}

// codesData is the table of the codes as JSON.
func codesData(d *document) ([]byte, error) {
	var codes []codeJSON
	used := d.uses()
	for _, c := range lexer.Codes() {
		u := used[string(c.Code)]
		codes = append(codes,
			codeJSON{string(c.Code), c.At, c.Expected, u.malformed, u.issue, u.refused})
	}
	return encode(map[string]any{"version": Version, "codes": codes})
}

// rulesData are the rules as JSON, in the order of the document.
func rulesData(d *document) ([]byte, error) {
	var rules []ruleJSON
	for _, c := range d.Chapters {
		for _, p := range c.Parts {
			if p.Rule == nil {
				continue
			}
			r := ruleJSON{ID: p.Rule.ID, Text: p.Rule.Text, Level: p.Rule.Level, Chapter: c.ID}
			for _, production := range p.Rule.productions {
				r.Productions = append(r.Productions, production.Name)
			}
			for _, example := range p.Rule.cases {
				r.Cases = append(r.Cases, example.ID)
			}
			rules = append(rules, r)
		}
	}
	return encode(map[string]any{"version": Version, "rules": rules})
}

// classesData are the classes of bytes as JSON, taken from the patterns of the
// tokens.
func classesData(d *document) ([]byte, error) {
	patterns := map[string]*regexp.Regexp{}
	for _, t := range d.grammar.Tokens() {
		re, err := regexp.Compile(`^(?:` + t.Pattern + `)$`)
		if err != nil {
			return nil, fmt.Errorf("token %s: %w", t.Name, err)
		}
		patterns[t.Name] = re
	}
	in := func(token, before string) func(b byte) bool {
		return func(b byte) bool {
			if b >= 0x80 {
				return patterns[token].MatchString(before + "é") // every byte from 0x80 up is alike
			}
			return patterns[token].MatchString(before + string(rune(b)))
		}
	}
	var classes []classJSON
	for _, c := range []struct {
		name, doc string
		has       func(b byte) bool
	}{
		{"space", "whitespace", in("Space", "")},
		{"control", "controls", func(b byte) bool { return b < ' ' || b == 0x7f }},
		{"name-first", "the first byte of a name", in("Name", "")},
		{"name", "the other bytes of a name", in("Name", "a")},
		{"key", "bytes of a key", in("Key", "")},
		{"member-key", "bytes of a bare key in an object", in("MemberKey", "")},
		{"word-first", "the first byte of a bare word", in("Word", "")},
		{"word", "the other bytes of a bare word", in("Word", "a")},
		{"item-first", "the first byte of a bare item", in("Item", "")},
		{
			"escape",
			"the byte after a backslash that begins an escape; u needs four hexadecimal digits",
			one(`"\/bfnrtu'`),
		},
		{
			"before-quote", "in damage, the bytes after which a quote opens a string",
			one(" \t\r\n=[{(,:"),
		},
	} {
		class := classJSON{Name: c.name, Doc: c.doc, Bytes: []string{}}
		for first := 0; first < 0x100; first++ {
			if !c.has(byte(first)) {
				continue
			}
			last := first
			for last+1 < 0x100 && c.has(byte(last+1)) {
				last++
			}
			run := fmt.Sprintf("%02X", first)
			if last > first {
				run += fmt.Sprintf("-%02X", last)
			}
			class.Bytes = append(class.Bytes, run)
			first = last
		}
		classes = append(classes, class)
	}
	return encode(map[string]any{"version": Version, "classes": classes})
}

// one returns the class of the bytes in s.
func one(s string) func(b byte) bool {
	return func(b byte) bool { return bytes.IndexByte([]byte(s), b) >= 0 }
}

func encode(data any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(data)
	return b.Bytes(), err
}
