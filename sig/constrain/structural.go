package constrain

import (
	"bytes"
	"encoding/json"
	"strings"
)

// StructuralTag returns the grammar as a structural tag of xgrammar, in JSON: the
// model writes freely until it has written an opener, and from there to the close
// tag what the grammar derives. Free text then costs nothing.
//
// It allows no text that the grammar does not derive and, if a call is required, only
// texts that begin with one.
func (g *Grammar) StructuralTag() []byte {
	type content struct {
		Type    string `json:"type"`
		Grammar string `json:"grammar"`
	}
	type tag struct {
		Type    string  `json:"type"`
		Begin   string  `json:"begin"`
		Content content `json:"content"`
		End     string  `json:"end"`
	}
	type triggered struct {
		Type       string   `json:"type"`
		Triggers   []string `json:"triggers"`
		Tags       []tag    `json:"tags"`
		AtLeastOne bool     `json:"at_least_one"`
		StopAfter  bool     `json:"stop_after_first"`
	}
	type structuralTag struct {
		Type   string `json:"type"`
		Format any    `json:"format"`
	}
	g = g.orProse()
	// xgrammar misses an opener such as Gemma's fence after a copy of its first byte.
	if fence := strings.HasPrefix(g.delims.Open, g.delims.Close); !g.calls || g.bare || fence {
		return encode(structuralTag{"structural_tag", content{"grammar", g.EBNF()}})
	}
	return encode(structuralTag{"structural_tag", triggered{
		"triggered_tags", []string{g.delims.Open},
		[]tag{{"tag", g.delims.Open, content{"grammar", string(g.appendRules(nil, g.call))}, g.delims.Close}},
		g.mode == Required, g.last,
	}})
}

// CustomTool returns the format of a custom tool for OpenAI's chat completions, in
// JSON, whose input is a message of the grammar.
func (g *Grammar) CustomTool() []byte {
	type grammar struct {
		Syntax     string `json:"syntax"`
		Definition string `json:"definition"`
	}
	return encode(struct {
		Type    string  `json:"type"`
		Grammar grammar `json:"grammar"`
	}{"grammar", grammar{"lark", g.Lark()}})
}

func encode(v any) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return nil // not reached: strings and booleans can always be encoded
	}
	return bytes.TrimSuffix(out.Bytes(), []byte{'\n'})
}
