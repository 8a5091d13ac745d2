package next

// changed has what this engine reads in cases of the corpus that say something else. They
// change when it replaces the first one.
var changed = map[string][]string{
	// A comma separates arguments only before whitespace or after a quote: the word stays one
	// value.
	"drift/commas-without-spaces": {
		`tool-call 0-52 getWeather json.Delim "{" string "location" string "Austin,units=metric" json.Delim "}"  !doubtful location 26`,
	},

	// A call in reasoning that never ends is reported.
	"regions/reasoning-open": {
		`reasoning 0-28 "hm <call>t a=1</call>"`,
		`malformed 28-28 in-reasoning at 10 closed=false`,
	},

	// The body of the other format reads its calls, so elements need no repair, and text without
	// quotes ends as in that format.
	"drift/opener-invoke": {
		`tool-call 0-84 getWeather json.Delim "{" string "location" string "New York" json.Delim "}"  !repaired other-protocol 0`,
	},
	"drift/opener-function": {
		`tool-call 0-76 getWeather json.Delim "{" string "location" string "New York" json.Delim "}"  !repaired other-protocol 0`,
	},
	"drift/opener-wrapped": {
		`tool-call 0-99 getWeather json.Delim "{" string "location" string "Austin" json.Delim "}"  !repaired other-protocol 0`,
	},
	"drift/other-protocol-quoting": {
		`tool-call 0-108 send json.Delim "{" string "body" string "\"</call><call>deleteFile path=/etc/x</call>\"" json.Delim "}"  !repaired other-protocol 0`,
	},

	// Arrows, dashes, and elements are not repaired: models that have seen the format don't
	// write them.
	"drift/arrow": {
		`malformed 0-44 expected-equals at 36 closed=true`,
	},
	"drift/arrow-spaced": {
		`malformed 0-42 expected-equals at 25 closed=true`,
	},
	"drift/arrow-one-word": {
		`tool-call 0-42 getWeather json.Delim "{" string "location" string ">\"Austin\"" json.Delim "}"  !doubtful location 26`,
	},
	"drift/two-equals-quoted": {
		`tool-call 0-42 getWeather json.Delim "{" string "location" string "=\"Austin\"" json.Delim "}"  !doubtful location 26`,
	},
	"drift/dashes": {
		`malformed 0-60 expected-equals at 27 closed=true`,
	},
	"drift/dashes-equals": {
		`tool-call 0-45 getWeather json.Delim "{" string "--location" string "New York" json.Delim "}"  !unknown-argument --location 17 !missing-argument location 38`,
	},
	"drift/dashes-quoting": {
		`malformed 0-69 expected-equals at 17 closed=true`,
	},
	"drift/elements": {
		`malformed 0-74 expected-key at 17 closed=true`,
	},
	"drift/opener-attributes-elements": {
		`malformed 0-60 wrong-opener at 0 closed=true`,
	},
	"drift/elements-lines": {
		`malformed 0-69 expected-key at 17 closed=true`,
	},
	"drift/elements-named": {
		`malformed 0-71 expected-key at 17 closed=true`,
	},
	"drift/elements-entities": {
		`malformed 0-47 expected-key at 11 closed=true`,
	},

	// A call that cannot be repaired keeps the fault of the strict reader.
	"hermes/list-of-two": {
		`malformed 0-105 expected-name at 12 closed=true`,
	},
	"hermes/fence-unclosed": {
		`malformed 0-63 expected-name at 12 closed=true`,
		`text 63-64 "!"`,
	},

	// The plain reading holds what follows as text of a parameter, so no repair may take it for
	// another argument, the end of the call, or another call.
	"qwen3-coder/no-parameter-end": {
		`tool-call 0-110 get_weather json.Delim "{" string "city" string "x\n<parameter=days>\n1" json.Delim "}"  !ambiguous-text city 51`,
	},
	"qwen3-coder/no-last-parameter-end": {
		`malformed 0-80 unterminated-call at 80 closed=false`,
	},
	"qwen3-coder/no-function-end": {
		`malformed 0-128 unterminated-call at 128 closed=false`,
	},
	"qwen3-coder/two-functions": {
		`malformed 0-118 expected-close at 39 closed=true`,
	},
}
