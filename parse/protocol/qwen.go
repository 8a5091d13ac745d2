package protocol

// Qwen3Coder is the format of Qwen3-Coder, and of later Qwen models that have its
// template: parameters between tags, without quotes and without escapes.
//
//	<tool_call>
//	<function=f>
//	<parameter=k>
//	v
//	</parameter>
//	</function>
//	</tool_call>
//
// The source is the chat template of the model (Qwen/Qwen3-Coder-480B-A35B-Instruct).
// A value is what stands between its tags, less one line end on either side. Its closer
// ends it only if a parameter or the end of the function follows; a value that holds
// other tags is noted as ambiguous-text. A value is a string if the schema allows
// nothing else, and JSON if it is JSON and the schema allows it. The same parameter
// again, directly after, makes an array of both if the schema allows one; otherwise it
// is a duplicate-key. Under Salvage, what these models most often leave out is supplied
// (tags around a function, ends of parameters), and quotes around a name and the object
// of Hermes between the tags are read too.
var Qwen3Coder = Protocol{
	Name:  "qwen3-coder",
	Frame: Frame{Open: "<tool_call>", Close: "</tool_call>"},
	Body:  Parameters,
	Envelope: Envelope{
		Function:  Marks{Open: "<function=", End: ">", Close: "</function>"},
		Parameter: Marks{Open: "<parameter=", End: ">", Close: "</parameter>"},
	},
	Prompt: Prompt{
		List:   XMLList,
		Before: "# Tools\n\nYou can call these functions:\n",
		After:  "\nTo call one, write it like this, with each parameter on its own lines and nothing after the call:\n\n{call}",
	},
}
