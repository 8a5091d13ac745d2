package format

import "slices"

// Wire is the format that this project specifies.
var Wire = &Format{
	Name:   "wire",
	Body:   Arguments,
	Call:   Tags{"<call>", "</call>"},
	Layout: Layout{Join: "\n"},
}

// Hermes is the format of the Hermes models of Nous Research, and of Qwen 2.5 and Qwen 3 after
// them. The source is their chat template (NousResearch/Hermes-3-Llama-3.1-8B,
// Qwen/Qwen2.5-7B-Instruct).
//
//	<tool_call>
//	{"name": "f", "arguments": {"k": "v"}}
//	</tool_call>
var Hermes = &Format{
	Name:         "hermes",
	Body:         Envelope,
	Call:         Tags{"<tool_call>", "</tool_call>"},
	NameKeys:     []string{"name"},
	ArgumentKeys: []string{"arguments", "parameters"},
	IDKeys:       []string{"id"},
	Layout:       Layout{Lead: "\n", Line: "\n", Join: "\n"},
	Reasoning:    think,
	Prompt: Prompt{
		Before: "# Tools\n\n" + listIntro,
		After: "\nTo call one, write a JSON object with its name and its arguments " +
			"between {open} and {close}, for each call:\n" + envelopeForm,
		Result: toolResponse,
	},
}

// GemmaFence is the same object in a Markdown fence, as the Gemma models write it when asked
// to.
var GemmaFence = &Format{
	Name:         "gemma-fence",
	Body:         Envelope,
	Call:         Tags{"```tool_call", "```"},
	NameKeys:     Hermes.NameKeys,
	ArgumentKeys: Hermes.ArgumentKeys,
	IDKeys:       Hermes.IDKeys,
	Layout:       Hermes.Layout,
	Prompt: Prompt{
		Before: listIntro,
		After: "\nTo call one, write a JSON object with its name and its arguments " +
			"in a Markdown fence, for each call:\n" + envelopeForm,
		Result: Tags{"```tool_output\n", "\n```"},
	},
}

// Qwen3Coder is the format of Qwen3-Coder, and of later Qwen models that have its template. The
// source is the chat template of Qwen/Qwen3-Coder-480B-A35B-Instruct, which prints True, False
// and None.
//
//	<tool_call>
//	<function=f>
//	<parameter=k>
//	v
//	</parameter>
//	</function>
//	</tool_call>
var Qwen3Coder = &Format{
	Name:      "qwen3-coder",
	Body:      Parameters,
	Call:      Tags{"<tool_call>", "</tool_call>"},
	Function:  Marks{Open: "<function=", End: ">", Close: "</function>"},
	Parameter: Marks{Open: "<parameter=", End: ">", Close: "</parameter>"},
	Lines:     true,
	Python:    true,
	Layout:    Layout{Lead: "\n", Line: "\n", Join: "\n"},
	Reasoning: think,
	Prompt: Prompt{
		List:   XMLList,
		Before: "# Tools\n\nYou can call these functions:\n",
		After: "\nTo call one, write it like this, with each parameter on its own lines " +
			"and nothing after the call:\n\n{call}",
		Result: toolResponse,
	},
}

// GLM45 is the format of GLM 4.5 and 4.6. GLM 4.7 and later write the same without line ends,
// which is read too. The source is the chat template of zai-org/GLM-4.5. A value is everything
// between its tags: a string as it is, anything else as JSON.
//
//	<tool_call>f
//	<arg_key>k</arg_key>
//	<arg_value>v</arg_value>
//	</tool_call>
var GLM45 = &Format{
	Name: "glm-4.5",
	Body: Parameters,
	Call: Tags{"<tool_call>", "</tool_call>"},
	Parameter: Marks{Open: "<arg_key>", End: "</arg_key>", Value: "<arg_value>",
		Close: "</arg_value>"},
	Layout:    Layout{Line: "\n", Join: "\n"},
	Reasoning: think,
	Prompt: Prompt{
		Before: "# Tools\n\n" + listIntro,
		After: "\nTo call one, write its name and then each argument like this, " +
			"without quotes around text:\n\n{call}",
		Result: toolResponse,
	},
}

// KimiK2 is the format of Kimi K2, K2 Thinking and K2.5. The source is the chat template of
// moonshotai/Kimi-K2-Instruct. The name is an ID that counts the calls of the conversation.
//
//	<|tool_calls_section_begin|><|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>
//	{"k": "v"}<|tool_call_end|><|tool_calls_section_end|>      (in one line)
var KimiK2 = &Format{
	Name:      "kimi-k2",
	Body:      Envelope,
	Call:      Tags{"<|tool_call_begin|>", "<|tool_call_end|>"},
	Section:   Tags{"<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"},
	Function:  Marks{End: "<|tool_call_argument_begin|>"},
	NameIsID:  true,
	Reasoning: think,
	Prompt: Prompt{
		Before: "# Tools\n\n" + listIntro,
		After: "\nTo call one, write the index of the call after its name, " +
			"then its arguments as a JSON object:\n\n{call}",
		Result: Tags{"## Return of {id}\n", ""},
	},
}

// DeepSeekV31 is the format of DeepSeek V3.1 and V3.2-Exp. The source is the chat template of
// deepseek-ai/DeepSeek-V3.1.
//
//	<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>{"k": "v"}
//	<｜tool▁call▁end｜><｜tool▁calls▁end｜>
//
// without the line break.
var DeepSeekV31 = &Format{
	Name:      "deepseek-v3.1",
	Body:      Envelope,
	Call:      Tags{"<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>"},
	Section:   Tags{"<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"},
	Function:  Marks{End: "<｜tool▁sep｜>"},
	Reasoning: think,
	Prompt: Prompt{
		Before: "## Tools\n\n" + listIntro,
		After:  "\nTo call one, write its name, and its arguments as a JSON object:\n\n{call}",
		Result: Tags{"<｜tool▁output▁begin｜>", "<｜tool▁output▁end｜>"},
	},
}

// MorphXML is XML: an element named after the tool, with an element for each argument. Models
// that have no format of their own write it well.
//
//	<f>
//	<k>v</k>
//	</f>
var MorphXML = &Format{
	Name:   "morph-xml",
	Body:   Elements,
	Layout: Layout{Lead: "\n", Line: "\n", Join: "\n"},
	Prompt: Prompt{
		Before: "# Tools\n\n" + listIntro,
		After: "\nTo call one, write an XML element of its name, " +
			"with an element for each argument; repeat the element for a list. " +
			"Write &lt; and &amp; for < and & in values. " +
			"Write the element as it is, without a fence:\n" +
			"<function-name>\n<argument>value</argument>\n</function-name>",
		Result: toolResponse,
	},
}

// Text that several prompts share.
const (
	listIntro = "You can call functions to help with what the user asks. " +
		"Their signatures, as JSON:"
	envelopeForm = "{open}\n{\"name\": <function-name>, \"arguments\": <arguments-object>}\n{close}"
)

// toolResponse is around the results of most formats.
var toolResponse = Tags{"<tool_response>\n", "\n</tool_response>"}

// all are the formats of this table, the wire format first. Package yaml has another one.
var all = []*Format{Wire, Hermes, GemmaFence, Qwen3Coder, GLM45, KimiK2, DeepSeekV31, MorphXML}

// All returns the formats of this table, the wire format first.
func All() []*Format { return slices.Clone(all) }

// Names returns the names of formats.
func Names(formats []*Format) []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.Name
	}
	return names
}

// Lookup returns the format with that name, among those of this table and more; nil if there is
// none.
func Lookup(name string, more ...*Format) *Format {
	for _, f := range slices.Concat(all, more) {
		if f != nil && f.Name == name {
			return f
		}
	}
	return nil
}

// IsKnown reports whether a format of this table has these tags, so that they are no secret.
func (t Tags) IsKnown() bool {
	return slices.ContainsFunc(all, func(f *Format) bool { return f.Call == t })
}
