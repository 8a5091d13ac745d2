package constrain

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/callwire/callwire/sig/constrain/internal/bnf"
)

// ErrNotFlat is the error for a grammar without a regular expression: a value is
// nested in values of its own kind, or the expression would be too long.
var ErrNotFlat = bnf.ErrNotFlat

// GBNF returns the grammar in the format of llama.cpp and of programs that embed it, such
// as LocalAI and Fireworks. Its first rule is root.
//
// A rule is one line. The output avoids what readers of the format disagree on: escapes
// are \u with four digits, classes contain only ASCII characters, and nothing that may be
// empty is repeated.
func (g *Grammar) GBNF() string { return g.orProse().rules.GBNF(nil) }

// EBNF returns the grammar in the format of xgrammar, used by vLLM, SGLang and WebLLM,
// which is the same.
func (g *Grammar) EBNF() string { return g.GBNF() }

// Regex returns an anchored regular expression that matches what the grammar derives,
// in the syntax that RE2, Rust, Python and ECMAScript share. The error is ErrNotFlat.
func (g *Grammar) Regex() (string, error) {
	text, err := g.orProse().rules.Regex(nil)
	if err != nil {
		return "", err
	}
	return "^(?:" + text + ")$", nil
}

// Lark returns the grammar in the Lark format of llguidance, which OpenAI's custom
// tools use; Python's Lark reads it too. Its first rule is start.
//
// Words, strings, numbers and prose up to a call are terminals.
func (g *Grammar) Lark() string {
	g = g.orProse()
	call, rules := g.rules.Lark()
	start := g.larkStart(call)
	lines := []string{"start: " + start}
	terminal := func(name string, s search) {
		machine := searchFor(bnf.NewBuilder(), g.o.Tags.Open, s)
		text, _ := bnf.MachineRegex(machine) // a tag of 32 bytes needs less than the limit
		lines = append(lines, name+": /"+text+"/")
	}
	// Prose and the opener at its end are one lexeme, since no lexer could know where to
	// stop before the opener.
	if strings.Contains(start, "OPEN") {
		terminal("OPEN", search{then: bnf.Empty})
	}
	if strings.Contains(start, "TEXT") {
		terminal("TEXT", search{ends: true, some: true, then: bnf.Never})
	}
	return strings.Join(append(lines, rules...), "\n") + "\n"
}

// larkStart returns the start rule; call is the name of the rule of a call.
func (g *Grammar) larkStart(call string) string {
	if call == "" {
		if g.o.Bare {
			return ""
		}
		return "TEXT?"
	}
	opener, text := "OPEN", " TEXT?"
	if g.o.Bare {
		opener, text = bnf.LarkString(g.o.Tags.Open), ""
	}
	call = opener + " " + call + " " + bnf.LarkString(g.o.Tags.Close)
	switch {
	case g.o.Last && g.o.Required:
		return call
	case g.o.Last && g.o.Bare:
		return "(" + call + ")?"
	case g.o.Last:
		return "(" + call + " | TEXT)?"
	case g.o.Required:
		return "(" + call + ")+" + text
	}
	return "(" + call + ")*" + text
}

// StructuralTag returns the grammar as a structural tag of xgrammar, in JSON: the
// model writes freely until it has written an opener, and from there to the close
// tag what the grammar derives. Free text then costs nothing.
//
// It allows no text that the grammar does not derive and, if a call is required, only
// texts that begin with one.
func (g *Grammar) StructuralTag() []byte {
	g = g.orProse()
	tags := g.o.Tags
	root := tagNode{Type: "structural_tag"}
	// xgrammar misses an opener such as Gemma's fence after a copy of its first byte.
	fence := strings.HasPrefix(tags.Open, tags.Close)
	if g.rules.Call == nil || g.o.Bare || fence {
		root.Format = &tagNode{Type: "grammar", Grammar: g.EBNF()}
		return encode(root)
	}
	call := &tagNode{Type: "grammar", Grammar: g.rules.GBNF(g.rules.Call)}
	root.Format = &tagNode{
		Type:       "triggered_tags",
		Triggers:   []string{tags.Open},
		Tags:       []tagNode{{Type: "tag", Begin: tags.Open, Content: call, End: tags.Close}},
		AtLeastOne: &g.o.Required, StopAfter: &g.o.Last,
	}
	return encode(root)
}

// tagNode is a node of a structural tag.
type tagNode struct {
	Type       string    `json:"type"`
	Format     *tagNode  `json:"format,omitempty"`
	Grammar    string    `json:"grammar,omitempty"`
	Begin      string    `json:"begin,omitempty"`
	Content    *tagNode  `json:"content,omitempty"`
	End        string    `json:"end,omitempty"`
	Triggers   []string  `json:"triggers,omitempty"`
	Tags       []tagNode `json:"tags,omitempty"`
	AtLeastOne *bool     `json:"at_least_one,omitempty"`
	StopAfter  *bool     `json:"stop_after_first,omitempty"`
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
