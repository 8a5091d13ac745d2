package spec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"regexp/syntax"

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
func (d *document) statesData() []byte {
	all := d.grammar.States()
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
	var classes []classJSON
	for _, c := range []struct {
		name, doc, pattern string
		index              int // of the class in the pattern
	}{
		{"space", "whitespace", patterns["Space"], 0},
		{"control", "controls", `[\x00-\x1F\x7F]`, 0},
		{"name-first", "the first byte of a name", patterns["Name"], 0},
		{"name", "the other bytes of a name", patterns["Name"], 1},
		{"key", "bytes of a key", patterns["Key"], 0},
		{"member-key", "bytes of a bare key in an object", patterns["MemberKey"], 0},
		{"word-first", "the first byte of a bare word", patterns["Word"], 0},
		{"word", "the other bytes of a bare word", patterns["Word"], 1},
		{"item-first", "the first byte of a bare item", patterns["Item"], 0},
		{
			"escape",
			"the byte after a backslash that begins an escape; u needs four hexadecimal digits",
			`["\\/bfnrtu']`, 0,
		},
		{
			"before-quote", "in damage, the bytes after which a quote opens a string",
			`[ \t\r\n=\[{(,:]`, 0,
		},
	} {
		class := classPattern.FindAllString(c.pattern, -1)[c.index]
		classes = append(classes, classJSON{c.name, c.doc, bytesOf(class)})
	}
	return encode(map[string]any{"version": Version, "classes": classes})
}

// classPattern matches a class of a regular expression.
var classPattern = regexp.MustCompile(`\[(?:\\.|[^\]])+\]`)

// bytesOf returns the bytes in a class, which has all or none of the non-ASCII characters.
func bytesOf(class string) (all []string) {
	ranges := must(syntax.Parse(class, syntax.Perl)).Rune
	for i := 0; i < len(ranges); i += 2 {
		first, last := ranges[i], min(ranges[i+1], 0xFF)
		run := fmt.Sprintf("%02X", first)
		if last > first {
			run += fmt.Sprintf("-%02X", last)
		}
		all = append(all, run)
	}
	return all
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
