package spec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"

	"github.com/callwire/callwire/grammar"
	"github.com/callwire/callwire/internal/rawjson"
)

// The tables of the document as data, for programs in any language. Their members
// are part of the interface: members may be added, but never change their meaning.
type (
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
func statesData() []byte {
	all := grammar.States()
	return encode(struct {
		Version string          `json:"version"`
		First   string          `json:"first"`
		States  []grammar.State `json:"states"`
	}{Version, all[0].Name, all})
}

// codesData is the table of the codes as JSON.
func (d *document) codesData() []byte {
	var codes []codeJSON
	for _, c := range d.Codes {
		codes = append(codes, codeJSON{string(c.Code), c.At, c.Expected,
			c.uses["malformed"], c.uses["issue"], c.uses["refusal"]})
	}
	return encode(map[string]any{"version": Version, "codes": codes})
}

// rulesData are the rules as JSON, in the order of the document.
func (d *document) rulesData() []byte {
	var rules []ruleJSON
	for _, c := range d.Chapters {
		for _, p := range c.Parts {
			if p.Rule != nil {
				rules = append(rules, p.Rule.data(c))
			}
		}
	}
	return encode(map[string]any{"version": Version, "rules": rules})
}

// data returns the rule in a chapter as JSON has it.
func (r *rule) data(c *chapter) ruleJSON {
	data := ruleJSON{
		ID: r.ID, Text: r.Text, Level: r.Level, Chapter: c.ID, Cases: idsOf(r.cases),
	}
	for _, p := range r.productions {
		data.Productions = append(data.Productions, p.Name)
	}
	return data
}

// classesData are the classes of bytes as JSON, taken from the patterns of the
// tokens.
func (d *document) classesData() []byte {
	patterns := map[string]string{}
	for _, t := range d.grammar.Tokens() {
		patterns[t.Name] = t.Pattern
	}
	const (
		control = `[\x00-\x1F\x7F]`
		escape  = `["\\/bfnrtu']`
		before  = `[ \t\r\n=\[{(,:]`
	)
	var classes []classJSON
	for _, c := range []struct{ name, doc, pattern, start string }{
		{"space", "whitespace", patterns["Space"], ""},
		{"control", "controls", control, ""},
		{"name-first", "the first byte of a name", patterns["Name"], ""},
		{"name", "the other bytes of a name", patterns["Name"], "a"},
		{"key", "bytes of a key", patterns["Key"], ""},
		{"member-key", "bytes of a bare key in an object", patterns["MemberKey"], ""},
		{"word-first", "the first byte of a bare word", patterns["Word"], ""},
		{"word", "the other bytes of a bare word", patterns["Word"], "a"},
		{"item-first", "the first byte of a bare item", patterns["Item"], ""},
		{
			"escape",
			"the byte after a backslash that begins an escape; u needs four hexadecimal digits",
			escape, "",
		},
		{"before-quote", "in damage, the bytes after which a quote opens a string", before, ""},
	} {
		class := classJSON{Name: c.name, Doc: c.doc, Bytes: []string{}}
		re := regexp.MustCompile(`^(?:` + c.pattern + `)$`)
		// Every byte from 0x80 up is alike, so the character 0x80 is an example of them all.
		has := func(b int) bool {
			return b < 0x100 && re.MatchString(c.start+string(rune(min(b, 0x80))))
		}
		for first := 0; first < 0x100; first++ {
			if !has(first) {
				continue
			}
			last := first
			for has(last + 1) {
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

// encode returns JSON that shows < and > as they are.
func encode(data any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	e.Encode(data) // strings, numbers and booleans always can
	return b.Bytes()
}

// compact returns JSON in one line, which shows < and > as they are.
func compact(data any) string {
	return string(rawjson.Compact(encode(data)))
}
