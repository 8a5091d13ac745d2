package format

import "strings"

// Opener is a tag that begins a call of another format than the wire format.
type Opener struct {
	Tags
	Mentioned bool      // prose mentions it, so it counts only where a call seems to follow
	OwnLine   bool      // it counts only at the beginning of a line
	Formats   []*Format // of calls that begin with this tag and can be read
}

// Foreign are the openers that a reader of the wire format takes for the beginning of a call, if
// it repairs. Models fall back to the format that they were trained on.
var Foreign = []Opener{
	word("<tool_call>", "</tool_call>"),
	named("tool_call", Format{Body: Envelope}),
	{Tags: Tags{"<tool_call id=", "</tool_call>"}},
	{Tags: Tags{"<tool_call:", "</tool_call>"}},
	word("<tool_calls>", "</tool_calls>"),
	word("<toolcall>", "</toolcall>"),
	word("<TOOLCALL>", "</TOOLCALL>"),
	word("<function_call>", "</function_call>"),
	named("function_call", Format{Body: Envelope}),
	word("<function_calls>", "</function_calls>"),
	{Tags: Tags{"<function=", "</function>"}, Formats: []*Format{{
		Body: Parameters, Call: Tags{"<function=", "</function>"}, Function: Marks{End: ">"},
		Parameter: Qwen3Coder.Parameter, Lines: true,
	}}},
	named("function", Format{Body: Parameters, Parameter: attribute, Lines: true}),
	named("invoke", Format{Body: Parameters, Parameter: attribute, Lines: true}),
	named("tool", Format{Body: Envelope}),
	word("<tool_use>", "</tool_use>"),
	named("tool_use", Format{Body: Envelope}),
	word("<tool_code>", "</tool_code>"),
	word("<start_function_call>", "<end_function_call>"),
	word("<minimax:tool_call>", "</minimax:tool_call>"),
	word("<seed:tool_call>", "</seed:tool_call>"),
	{Tags: Tags{"<|tool_call|>", "<|/tool_call|>"}},
	{Tags: Tags{"<|python_tag|>", "<|eom_id|>"}},
	{Tags: Tags{"<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"}},
	{Tags: Tags{"<|tool_call_begin|>", "<|tool_call_end|>"}},
	{Tags: Tags{"<|tool_call_start|>", "<|tool_call_end|>"}},
	{Tags: Tags{"<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"}},
	{Tags: Tags{"<|tool▁calls▁begin|>", "<|tool▁calls▁end|>"}},
	{Tags: Tags{"<｜DSML｜function_calls>", "</｜DSML｜function_calls>"}},
	{Tags: Tags{"<｜DSML｜tool_calls>", "</｜DSML｜tool_calls>"}},
	{Tags: Tags{"<｜DSML｜invoke name=", "</｜DSML｜invoke>"}},
	{Tags: Tags{"<|channel|>commentary to=", "<|call|>"}},
	{Tags: Tags{"<|channel|>analysis to=", "<|call|>"}},
	{Tags: Tags{"<|start|>assistant to=", "<|call|>"}},
	{Tags: Tags{"[TOOL_CALLS]", ""}, Mentioned: true},
	{Tags: Tags{"```tool_code\n", "\n```"}, OwnLine: true},
	{
		Tags: Tags{"```tool_call\n", "\n```"}, OwnLine: true,
		Formats: Bodies(Tags{"```tool_call\n", "```"}),
	},
}

// Openers returns the strings that untrusted text must not contain under these tags, in upper or
// lower case: the opener, other spellings of it, and the openers of other formats. A repairing
// reader may take each for the beginning of a call.
func (t Tags) Openers() []string {
	openers := []string{t.Open}
	if stem, ok := strings.CutSuffix(t.Open, ">"); ok && t.Open[0] == '<' {
		for _, c := range " \t\n\r:=" {
			openers = append(openers, stem+string(c))
		}
	}
	for _, o := range Foreign {
		openers = append(openers, o.Open)
	}
	return openers
}

// word returns an opener that consists of a word.
func word(open, close string) Opener {
	tags := Tags{open, close}
	return Opener{Tags: tags, Mentioned: true, Formats: Bodies(tags)}
}

// named returns an opener that is an element with the name as its attribute.
func named(element string, f Format) Opener {
	open, close := "<"+element+" name=", "</"+element+">"
	f.Call, f.Function = Tags{open + `"`, close}, Marks{End: `">`}
	return Opener{Tags: Tags{open, close}, Formats: []*Format{&f}}
}

// attribute has the key of a parameter as an attribute.
var attribute = Marks{Open: `<parameter name="`, End: `">`, Close: "</parameter>"}

// Bodies returns the formats with these tags around a call that can be distinguished by what
// follows the opener.
func Bodies(tags Tags) []*Format {
	envelope := *Hermes
	functions := *Qwen3Coder
	attributes, invokes := *Qwen3Coder, *Qwen3Coder
	attributes.Function = Marks{Open: `<function name="`, End: `">`, Close: "</function>"}
	invokes.Function = Marks{Open: `<invoke name="`, End: `">`, Close: "</invoke>"}
	attributes.Parameter, invokes.Parameter = attribute, attribute
	list := []*Format{&envelope, &functions, &attributes, &invokes}
	for _, f := range list {
		f.Call = tags
	}
	return list
}
