package protocol

// Hermes is the format of the Hermes models of Nous Research, and of Qwen 2.5 and
// Qwen 3 after them: an object in tags.
//
//	<tool_call>
//	{"name": "f", "arguments": {"k": "v"}}
//	</tool_call>
//
// The source is the chat template of those models (tokenizer_config.json of
// NousResearch/Hermes-3-Llama-3.1-8B and Qwen/Qwen2.5-7B-Instruct). Name and arguments
// may come in any order; arguments may be an object, or a string that holds one, and
// default to an empty object. Other members mean nothing. A closer in a string closes
// nothing. Under Salvage the last brace may be missing or doubled, and the object may
// be alone in an array, or in a Markdown fence; a name may differ from a tool's in
// case, - and _, or have functions. before it; and the body may be that of Qwen3-Coder.
var Hermes = Protocol{
	Name:     "hermes",
	Frame:    Frame{Open: "<tool_call>", Close: "</tool_call>"},
	Envelope: hermesKeys,
	Prompt: Prompt{
		Before: "# Tools\n\nYou can call functions to help with what the user asks. Their signatures, as JSON:",
		After: "\nTo call one, write a JSON object with its name and its arguments between {open} and {close}, for each call:\n" +
			"{open}\n{\"name\": <function-name>, \"arguments\": <arguments-object>}\n{close}",
	},
}

// GemmaFence is the same object in a Markdown fence, as the Gemma models write it when
// asked to.
var GemmaFence = Protocol{
	Name:     "gemma-fence",
	Frame:    Frame{Open: "```tool_call", Close: "```"},
	Envelope: hermesKeys,
	Prompt: Prompt{
		Before: "You can call functions to help with what the user asks. Their signatures, as JSON:",
		After: "\nTo call one, write a JSON object with its name and its arguments in a Markdown fence, for each call:\n" +
			"{open}\n{\"name\": <function-name>, \"arguments\": <arguments-object>}\n{close}",
		Result: Frame{"```tool_output", "```"},
	},
}

var hermesKeys = Envelope{NameKeys: []string{"name"}, ArgumentKeys: []string{"arguments", "parameters"}}
