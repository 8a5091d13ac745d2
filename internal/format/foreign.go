package format

// Opener is a tag that begins a call of another format than the wire format.
type Opener struct {
	Tags
	Mentioned bool // prose mentions it, so it counts only where a call seems to follow
	OwnLine   bool // it counts only at the beginning of a line
}

// Foreign are the openers that a reader of the wire format takes for the beginning of a call, if
// it repairs. Models fall back to the format that they were trained on.
var Foreign = []Opener{
	{Tags: Tags{"<tool_call>", "</tool_call>"}, Mentioned: true},
	{Tags: Tags{"<tool_call name=", "</tool_call>"}},
	{Tags: Tags{"<tool_call id=", "</tool_call>"}},
	{Tags: Tags{"<tool_call:", "</tool_call>"}},
	{Tags: Tags{"<tool_calls>", "</tool_calls>"}, Mentioned: true},
	{Tags: Tags{"<toolcall>", "</toolcall>"}, Mentioned: true},
	{Tags: Tags{"<TOOLCALL>", "</TOOLCALL>"}, Mentioned: true},
	{Tags: Tags{"<function_call>", "</function_call>"}, Mentioned: true},
	{Tags: Tags{"<function_call name=", "</function_call>"}},
	{Tags: Tags{"<function_calls>", "</function_calls>"}, Mentioned: true},
	{Tags: Tags{"<function=", "</function>"}},
	{Tags: Tags{"<function name=", "</function>"}},
	{Tags: Tags{"<invoke name=", "</invoke>"}},
	{Tags: Tags{"<tool name=", "</tool>"}},
	{Tags: Tags{"<tool_use>", "</tool_use>"}, Mentioned: true},
	{Tags: Tags{"<tool_use name=", "</tool_use>"}},
	{Tags: Tags{"<tool_code>", "</tool_code>"}, Mentioned: true},
	{Tags: Tags{"<start_function_call>", "<end_function_call>"}, Mentioned: true},
	{Tags: Tags{"<minimax:tool_call>", "</minimax:tool_call>"}, Mentioned: true},
	{Tags: Tags{"<seed:tool_call>", "</seed:tool_call>"}, Mentioned: true},
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
	{Tags: Tags{"```tool_call\n", "\n```"}, OwnLine: true},
}
