package actor

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/score"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// Model is a model of known quality.
type Model struct {
	Name, About string

	native func(c stage, call score.Call) (arguments string, ok bool) // how it writes the arguments of a native call
	text   func(c stage, calls []score.Call) string                   // how it writes calls in text
}

// stage is where a model plays: what it knows of a request.
type stage struct {
	catalog  *sig.Catalog
	delims   lexer.Delims
	protocol parse.Protocol // nil: the wire format
	json     bool           // calls are announced in JSON
	turn     int            // number of the scene plus the seed of the request
	again    bool           // its last message was malformed
	calls    int            // of the message to write
}

// Models are all models there are.
var Models = []Model{
	{"scripted-perfect", "calls what is right, in native calls and in text", wellNative, wellText},
	{"scripted-forgets-quotes", "forgets the quotes around a string in one message of ten", forgetsNative, forgetsText},
	{"scripted-native-only", "calls what is right natively; in text it writes bare JSON", wellNative, bareJSON},
	{"scripted-prose-only", "never calls anything", proseNative, proseText},
	drifting("no-close", "leaves the close tag out", func(c stage, call string) string {
		return strings.TrimSuffix(call, c.delims.Close)
	}),
	drifting("spaces", "writes spaces around =", func(c stage, call string) string { return strings.Replace(call, "=", " = ", 1) }),
	drifting("colon", "writes : for =", func(c stage, call string) string { return strings.Replace(call, "=", ": ", 1) }),
	drifting("parentheses", "writes f(a=1)", func(c stage, call string) string {
		inner := strings.TrimSuffix(strings.TrimPrefix(call, c.delims.Open), c.delims.Close)
		name, arguments, _ := strings.Cut(inner, " ")
		return c.delims.Open + name + "(" + arguments + ")" + c.delims.Close
	}),
	drifting("fence", "puts calls into a Markdown fence", func(c stage, call string) string { return "```\n" + call + "\n```" }),
	{"scripted-drifts-envelope", "writes the JSON of native calls between the tags", wellNative, func(c stage, calls []score.Call) string {
		return each(calls, func(call score.Call) string { return c.delims.Open + envelope(call) + c.delims.Close })
	}},
	{"scripted-drifts-hermes", "writes calls in the tags of another format", wellNative, func(c stage, calls []score.Call) string {
		return each(calls, func(call score.Call) string { return "<tool_call>\n" + envelope(call) + "\n</tool_call>" })
	}},
	{"scripted-drifts-strings", "writes numbers and booleans as strings", stringsNative, func(c stage, calls []score.Call) string {
		return each(calls, func(call score.Call) string {
			call.Input = stringified(call.Input)
			c.catalog = nil // where nothing is known of types, strings are quoted
			return c.write(call)
		})
	}},
}

// Lookup returns the model of a name.
func Lookup(name string) (Model, bool) {
	for _, m := range Models {
		if m.Name == name {
			return m, true
		}
	}
	return Model{}, false
}

// drifting returns a model that spoils the text of each call, and makes no mistake
// in native calls.
func drifting(form, about string, spoil func(c stage, call string) string) Model {
	return Model{"scripted-drifts-" + form, about, wellNative, func(c stage, calls []score.Call) string {
		return each(calls, func(call score.Call) string { return spoil(c, c.write(call)) })
	}}
}

func each(calls []score.Call, write func(score.Call) string) string {
	parts := make([]string, len(calls))
	for i, c := range calls {
		parts[i] = write(c)
	}
	return "I use a tool for that.\n" + strings.Join(parts, "\n")
}

// write writes a call as the manual says.
func (c stage) write(call score.Call) string {
	text, err := parse.FormatOptions{Protocol: c.protocol, Delims: c.delims, JSON: c.json}.Format(c.catalog, call.Name, call.Input)
	if err != nil {
		return err.Error() // the scene is wrong, and whoever reads that will see it
	}
	return text
}

func envelope(call score.Call) string {
	return fmt.Sprintf(`{"name": %q, "arguments": %s}`, call.Name, call.Input)
}

func wellNative(_ stage, call score.Call) (string, bool) { return string(call.Input), true }

func wellText(c stage, calls []score.Call) string { return each(calls, c.write) }

func proseNative(stage, score.Call) (string, bool) { return "", false }

func proseText(stage, []score.Call) string { return "I would gladly do that for you, but I only talk." }

func bareJSON(_ stage, calls []score.Call) string { return each(calls, envelope) }

// forgets reports whether the model forgets in this message: one of ten scenes,
// and another one with each seed. What it was told of, it writes right.
func (c stage) forgets() bool { return c.turn%10 == 0 && !c.again && c.calls == 1 }

// quoted are strings in quotes with white space in them, in either quotes; the
// groups are what is before the quote, and the words.
var quoted = []*regexp.Regexp{
	regexp.MustCompile(`([=:] ?)"((?:[^"\\]|\\.)*\s(?:[^"\\]|\\.)*)"`),
	regexp.MustCompile(`(=)'((?:[^'\\]|\\.)*\s(?:[^'\\]|\\.)*)'`),
}

// forget leaves the quotes around the first such string out.
func forget(text string) string {
	for _, form := range quoted {
		if at := form.FindStringSubmatchIndex(text); at != nil {
			return text[:at[3]] + text[at[4]:at[5]] + text[at[1]:]
		}
	}
	return text
}

func forgetsNative(c stage, call score.Call) (string, bool) {
	if c.forgets() {
		return forget(string(call.Input)), true
	}
	return string(call.Input), true
}

func forgetsText(c stage, calls []score.Call) string {
	if c.forgets() {
		return each(calls, func(call score.Call) string { return forget(c.write(call)) })
	}
	return wellText(c, calls)
}

func stringsNative(_ stage, call score.Call) (string, bool) {
	return string(stringified(call.Input)), true
}

// scalar is a member's value that is a number or a boolean, or a string, which is left as
// it is.
var scalar = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|:(-?[0-9][-+.eE0-9]*|true|false)`)

// stringified returns compact JSON with the numbers and booleans of its members in quotes.
func stringified(input []byte) json.RawMessage {
	return scalar.ReplaceAllFunc(input, func(token []byte) []byte {
		if token[0] == '"' {
			return token
		}
		return fmt.Appendf(nil, `:"%s"`, token[1:])
	})
}
