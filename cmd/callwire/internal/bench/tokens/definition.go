package tokens

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/sig"
)

// Definition is what the tools cost as they are announced in one way.
type Definition struct {
	Form    string `json:"form"`
	Tokens  int    `json:"tokens"`
	LeftOut string `json:"leftOut,omitempty"` // of what the schemas say, in words
}

// definitions counts the tools in each way that they can be announced.
func definitions(catalog *sig.Catalog, count func(string) int) (all []Definition, err error) {
	for _, detail := range []sig.Detail{sig.Off, sig.Full} {
		o := manual.Options{Signatures: sig.SignatureOptions{Parameters: detail}}
		text, err := prompt(catalog, o)
		if err != nil {
			return nil, err
		}
		all = append(all, Definition{"wire, parameters " + detail.String(), count(text), leftOut(catalog, o)})
	}
	texts, err := announced(catalog)
	if err != nil {
		return nil, err
	}
	for _, t := range texts {
		all = append(all, Definition{t.form, count(t.text), t.leftOut})
	}
	return all, nil
}

// prompt returns the prompt of a catalog.
func prompt(catalog *sig.Catalog, o manual.Options) (string, error) {
	m, err := manual.New(catalog, &o)
	if err != nil {
		return "", err
	}
	return m.String(), nil
}

// leftOut returns what signatures leave out, in words.
func leftOut(catalog *sig.Catalog, o manual.Options) string {
	descriptions, constraints := 0, 0
	for _, t := range catalog.Tools() {
		p, _ := o.Plan.Plan(t) // fails under Refuse only
		for _, x := range o.Signatures.Omitted(p) {
			if x.Keyword == "description" {
				descriptions++
			} else {
				constraints++
			}
		}
	}
	var parts []string
	if descriptions > 0 {
		parts = append(parts, count(descriptions, "description")+", wholly or in part")
	}
	if constraints > 0 {
		parts = append(parts, count(constraints, "constraint"))
	}
	if parts == nil {
		return "nothing"
	}
	return strings.Join(parts, "; ")
}

// announcement is the tools in another notation.
type announcement struct{ form, text, leftOut string }

// announced returns the tools as JSON, as TypeScript and as YAML.
func announced(catalog *sig.Catalog) ([]announcement, error) {
	type definition struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Schema      json.RawMessage `json:"input_schema,omitempty"`
	}
	var list []definition
	var script strings.Builder
	for _, t := range catalog.Tools() {
		list = append(list, definition{t.Name, t.Description, t.Schema})
		writeTypeScript(&script, t)
	}
	text, err := writeJSON(list)
	if err != nil {
		return nil, err
	}
	yaml, err := writeYAML([]byte(text))
	if err != nil {
		return nil, err
	}
	constraints := leftOut(catalog, manual.Options{Signatures: sig.SignatureOptions{Parameters: sig.Off}})
	if _, after, ok := strings.Cut(constraints, "; "); ok {
		constraints = after
	} else if strings.Contains(constraints, "description") {
		constraints = "nothing"
	}
	return []announcement{{"JSON", text, "nothing"}, {"TypeScript", script.String(), constraints}, {"YAML", yaml, "nothing"}}, nil
}

// Catalogue is what many tools cost before any call.
type Catalogue struct {
	Form   string `json:"form"`
	Tokens int    `json:"tokens"`
}

// manyTools is how many tools there are in a large catalog.
const manyTools = 500

// large counts a large catalog: the tools of this one over and over, with numbers
// after their names.
func large(catalog *sig.Catalog, count func(string) int) (all []Catalogue, err error) {
	var tools []sig.Tool
	for i := 0; len(tools) < manyTools && catalog.Len() > 0; i++ {
		t := *catalog.Tools()[i%catalog.Len()]
		t.Name = fmt.Sprintf("%s%d", t.Name, i/catalog.Len()+1)
		tools = append(tools, t)
	}
	lazy := manual.Lazy{Tool: func(*sig.Tool) bool { return true }}
	hidden := lazy
	hidden.HideNames = true
	eager, err := sig.Compile(tools)
	if err != nil {
		return nil, err
	}
	texts, err := announced(eager)
	if err != nil {
		return nil, err
	}
	all = append(all, Catalogue{"JSON", count(texts[0].text)})
	noDescriptions := sig.SignatureOptions{Description: -1}
	for _, c := range []struct {
		form    string
		options manual.Options
	}{
		{"wire, all of them", manual.Options{}},
		{"wire, lazy: names and descriptions", manual.Options{Lazy: lazy}},
		{"wire, lazy: names only", manual.Options{Lazy: lazy, Signatures: noDescriptions}},
		{"wire, lazy: found by a search", manual.Options{Lazy: hidden}},
	} {
		text, err := prompt(eager, c.options)
		if err != nil {
			return nil, err
		}
		all = append(all, Catalogue{c.form, count(text)})
	}
	return all, nil
}
