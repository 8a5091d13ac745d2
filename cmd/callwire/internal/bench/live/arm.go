package live

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	formats "github.com/callwire/callwire/cmd/callwire/internal/protocol"
	grammars "github.com/callwire/callwire/internal/engines"
	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/manual/chat"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/parse/protocol/yaml"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/sig/constrain"
)

// Modes that are not formats of package protocol, and the wire format.
const (
	native   = "native"    // tools are declared and called as the API has it
	wire     = "wire"      // tools are explained and called in text
	wireJSON = "wire-json" // wire syntax=json
)

// Modes are the ways to call tools.
var Modes = slices.Concat([]string{native, wire, wireJSON}, formats.Formats()[1:])

// Arm is a way to let a model call tools: a mode and settings.
type Arm struct {
	Mode    string
	Variant string // settings that are not the default

	chat      chat.Options
	bare      bool   // the prompt has no example of the tools
	retries   int    // how often a malformed call is answered before it counts
	constrain string // the engine that keeps the model to a grammar
	exact     bool   // a call that must be repaired is malformed
}

// String returns the mode and the variant.
func (a Arm) String() string { return strings.TrimSpace(a.Mode + " " + a.Variant) }

// Axis is a setting.
type Axis struct {
	Name   string
	Values []string // the default first

	modes string                     // in which it means something
	set   func(a *Arm, value string) // to a value that is not the default
}

// The modes in which a setting means something.
const (
	wireOnly = "wire"
	inText   = "all modes but native"
	always   = "all modes"
)

// Tags is the name of the axis that has other values too. They may contain commas.
const Tags = "delims"

var wireTags = protocol.Wire.Call.Open + "|" + protocol.Wire.Call.Close

// engines are off, and those that take a grammar in every request; the last of all takes it in a
// tool.
var engines = append([]string{"off"}, grammars.Names[:len(grammars.Names)-1]...)

// Axes are all settings, in the order in which they are written.
var Axes = []Axis{
	{"manual", []string{"on", "off"}, inText, func(a *Arm, _ string) { a.chat.Manual.Off = true }},
	{"placement", []string{"last", "first"}, inText,
		func(a *Arm, _ string) { a.chat.Manual.PromptFirst = true }},
	{"syntax", []string{"wire", "json"}, wireOnly,
		func(a *Arm, _ string) { a.chat.Manual.Form = sig.JSON }},
	{"style", []string{"compact", "classic"}, wireOnly,
		func(a *Arm, _ string) { a.chat.Manual.Signatures.Classic = true }},
	{"parameters", []string{"full", "off"}, wireOnly,
		func(a *Arm, _ string) { a.chat.Manual.Signatures.HideParameters = true }},
	{"examples", []string{"on", "off"}, wireOnly, func(a *Arm, _ string) { a.bare = true }},
	{Tags, []string{wireTags}, wireOnly,
		func(a *Arm, v string) {
			open, end, _ := strings.Cut(v, "|")
			a.chat.Manual.Tags = parse.Tags{Open: open, Close: end}
		}},
	{"constrain", engines, inText, func(a *Arm, v string) { a.constrain = v }},
	{"retries", []string{"0", "1", "2", "3"}, always,
		func(a *Arm, v string) { a.retries, _ = strconv.Atoi(v) }},
	{"strict", []string{"off", "on"}, always,
		func(a *Arm, _ string) { a.chat.Strict, a.chat.Repair = true, false }},
	{"repairs", []string{"on", "off"}, always,
		func(a *Arm, _ string) { a.exact, a.chat.Repair = true, false }},
}

// newArm returns the arm of a mode with default settings.
func newArm(mode string) Arm {
	a := Arm{Mode: mode}
	a.chat.Repair = true
	switch mode {
	case native:
		a.chat.Manual.Off = true
	case wire:
	case wireJSON:
		a.Mode = wire // with syntax=json
	default:
		a.chat.Manual.Format = protocol.Lookup(mode, yaml.XML)
	}
	return a
}

// has reports whether a setting means something in the mode of the arm.
func (a Arm) has(x Axis) bool {
	return a.Mode == wire || x.modes == always || x.modes == inText && a.Mode != native
}

// with returns the arm with a setting, if that means something in its mode.
func (a Arm) with(x Axis, value string) Arm {
	if a.has(x) && value != x.Values[0] {
		x.set(&a, value)
		a.Variant = strings.TrimSpace(a.Variant + " " + x.Name + "=" + value)
	}
	return a
}

// Matrix returns the arm of each mode with each combination of settings, each arm once. An axis
// without values has its default. Values are those of Modes and Axes, but tags may be others.
func Matrix(modes []string, settings map[string][]string) ([]Arm, error) {
	for _, value := range settings[Tags] {
		open, end, ok := strings.Cut(value, "|")
		_, err := formats.Format(wire, parse.Tags{Open: open, Close: end})
		if !ok {
			return nil, fmt.Errorf("--%s is two tags with | between, as in %s, not %q", Tags,
				wireTags, value)
		}
		if err != nil {
			return nil, fmt.Errorf("--%s: %w", Tags, err)
		}
	}
	for _, x := range Axes {
		applies := func(mode string) bool { return newArm(mode).has(x) }
		if len(settings[x.Name]) > 0 && !slices.ContainsFunc(modes, applies) {
			return nil, fmt.Errorf("--%s has no effect with --mode %s", x.Name,
				strings.Join(modes, ","))
		}
	}
	var arms []Arm
	for _, mode := range modes {
		combined := []Arm{newArm(mode)}
		for _, x := range Axes {
			values := settings[x.Name]
			if mode == wireJSON && x.Name == "syntax" {
				values = []string{"json"}
			} else if len(values) == 0 {
				continue
			}
			var longer []Arm
			for _, a := range combined {
				for _, value := range values {
					longer = append(longer, a.with(x, value))
				}
			}
			combined = longer
		}
		for _, a := range combined {
			isSame := func(b Arm) bool { return a.String() == b.String() }
			if !slices.ContainsFunc(arms, isSame) {
				arms = append(arms, a)
			}
		}
	}
	return arms, nil
}

// open begins a conversation about a case.
func (a Arm) open(c *Case) (*chat.Chat, error) {
	o := a.chat
	messages := []manual.Message{say(manual.System, c.System), say(manual.User, c.Prompt)}
	if a.bare {
		m, err := manual.New(c.Catalog, &o.Manual)
		if err != nil {
			return nil, err
		}
		prompt := withForm(m.String(), &o.Manual)
		messages = manual.AddPrompt(messages, prompt, o.Manual.PromptFirst)
		o.Manual.Off = true
	}
	return chat.New(c.Catalog, messages, &o)
}

// withForm returns a prompt of the wire format with the form of a call instead of examples. These
// follow the first line, and the rules follow them.
func withForm(prompt string, o *manual.Options) string {
	intro, examples, _ := strings.Cut(prompt, "\n")
	_, rules, hasRules := strings.Cut(examples, "\n- ")
	if !hasRules {
		return prompt
	}
	arguments := `key=value other="several words"`
	if o.Form == sig.JSON {
		arguments = `{"key":"value"}`
	}
	tags := cmp.Or(o.Tags, protocol.Wire.Call)
	return intro + "\n" + tags.Open + "name " + arguments + tags.Close + "\n- " + rules
}

// constrained returns the parameters with the grammar among them, if the arm has one.
func (a Arm) constrained(params rawjson.Object, catalog *sig.Catalog) (rawjson.Object, error) {
	if a.constrain == "" {
		return params, nil
	}
	m := &a.chat.Manual
	o := constrain.Options{Format: m.Format, Tags: m.Tags, Form: m.Form}
	g, err := constrain.New(catalog, o)
	if err != nil {
		return nil, err
	}
	member, value := grammars.Member(a.constrain, g)
	return with(params, member, []byte(value)), nil
}
