package format

// Region is a region of reasoning: text in which no call is read.
type Region struct {
	Tags
}

// think is the region of most models.
var think = []Region{{Tags{"<think>", "</think>"}}}

// Regions are the known regions of reasoning, of whatever format.
var Regions = []Region{
	think[0],
	{Tags{"<thinking>", "</thinking>"}},
	{Tags{"<thought>", "</thought>"}},
	{Tags{"<reasoning>", "</reasoning>"}},
	{Tags{"<seed:think>", "</seed:think>"}},
	{Tags{"[THINK]", "[/THINK]"}},
	{Tags{"◁think▷", "◁/think▷"}},
}
