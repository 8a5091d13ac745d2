package format

import (
	"strings"
	"unicode"
)

// Reasoning selects the text that is read as reasoning. Calls in reasoning are not read.
type Reasoning uint8

// What is reasoning.
const (
	NoReasoning      Reasoning = iota // nothing: tags around reasoning are text
	TaggedReasoning                   // what is between tags, those of any known format
	StartedReasoning                  // also what comes before the first closing tag
)

// Region is a region of reasoning: text in which calls are not read. Tags such as <think> are also
// read in another case, with whitespace before the >, and in the opener with attributes:
//
//	<Think fast effort="high">…</THINK >
//
// Other tags are read exactly as they are, because [think](url) is a link.
type Region struct {
	Tags
	First bool // the region counts only if it opens the message
}

// Tolerant reports whether the tags are read in other spellings.
func (r *Region) Tolerant() bool {
	name, ok := strings.CutPrefix(r.Open, "<")
	if !ok || !strings.HasSuffix(name, ">") || r.Close != "</"+name {
		return false
	}
	isOther := func(c rune) bool { return c != ':' && !unicode.IsLetter(c) }
	return strings.IndexFunc(name[:len(name)-1], isOther) < 0
}

// think is the region of most models.
var think = []Region{{Tags: Tags{"<think>", "</think>"}}}

// Regions are the known regions of reasoning of all formats.
var Regions = []Region{
	think[0],
	{Tags: Tags{"<thinking>", "</thinking>"}},
	{Tags: Tags{"<thought>", "</thought>"}},
	{Tags: Tags{"<reasoning>", "</reasoning>"}},
	{Tags: Tags{"<antThinking>", "</antThinking>"}},
	{Tags: Tags{"<seed:think>", "</seed:think>"}},
	{Tags: Tags{"[THINK]", "[/THINK]"}},
	{Tags: Tags{"◁think▷", "◁/think▷"}},
	{Tags: Tags{"<|START_THINKING|>", "<|END_THINKING|>"}},
	{Tags: Tags{"<|channel|>analysis<|message|>", "<|end|>"}},
	{Tags: Tags{"<|start|>assistant<|channel|>analysis<|message|>", "<|end|>"}},
	{Tags: Tags{"<reflection>", "</reflection>"}, First: true},
	{Tags: Tags{"<scratchpad>", "</scratchpad>"}, First: true},
}
