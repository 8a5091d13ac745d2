package live

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/callwire/callwire/internal/next/public/parse"
	"github.com/callwire/callwire/internal/next/public/protocol"
	"github.com/callwire/callwire/internal/next/yaml"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/manual/chat"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/sig/constrain"
	"github.com/callwire/callwire/stream/middleware"
)

// Modes that are not formats of package protocol, and the wire format.
const (
	native   = "native"    // tools are declared and called as the API has it
	wire     = "wire"      // tools are explained and called in text
	wireJSON = "wire-json" // wire syntax=json
)

// Modes are the ways to call tools.
var Modes = modes()

func modes() []string {
	all := []string{native, wire, wireJSON}
	for _, f := range formats() {
		if f.Name != wire {
			all = append(all, f.Name)
		}
	}
	return all
}

func formats() []*parse.Format { return append(protocol.All(), yaml.XML) }

// Arm is a way to let a model call tools: a mode and settings.
type Arm struct {
	Mode    string
	Variant string // settings that are not the default

	chat      chat.Options
	silent    bool   // nothing explains the tools
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
	Usage  string

	modes scope
	open  bool // there are other values
	set   func(a *Arm, value string) error
}

// scope is the modes in which a setting means something.
type scope uint8

const (
	wireOnly scope = iota // the wire format
	inText                // all formats
	always
)

// Tags is the name of the axis whose values may contain commas.
const Tags = "delims"

// Axes are all settings, in the order in which they are written.
var Axes = []Axis{
	{Name: "manual", Values: []string{"on", "off"}, modes: inText, Usage: "explain the tools at all",
		set: func(a *Arm, v string) error { a.silent = v == "off"; return nil }},
	{Name: "placement", Values: []string{"last", "first"}, modes: inText, Usage: "where the manual is in the system text",
		set: func(a *Arm, v string) error { a.chat.Placement = manual.First; return nil }},
	{Name: "syntax", Values: []string{"wire", "json"}, Usage: "how arguments are announced",
		set: func(a *Arm, v string) error { a.chat.Plan.Syntax = sig.JSON; return nil }},
	{Name: "style", Values: []string{"compact", "classic"}, Usage: "the notation of signatures",
		set: func(a *Arm, v string) error { a.chat.Signatures.Style = sig.Classic; return nil }},
	{Name: "parameters", Values: []string{"full", "off"}, Usage: "descriptions of parameters",
		set: func(a *Arm, v string) error { a.chat.Signatures.Parameters = sig.Off; return nil }},
	{Name: "examples", Values: []string{"on", "off"}, Usage: "example calls of the tools; off shows the bare form",
		set: func(a *Arm, v string) error { a.bare = true; return nil }},
	{Name: Tags, Values: []string{protocol.Wire.Call.Open + "|" + protocol.Wire.Call.Close}, open: true,
		Usage: "the tags around a call", set: (*Arm).setTags},
	{Name: "constrain", Values: append([]string{"off"}, engines()...), modes: inText,
		Usage: "the engine that keeps the model to a grammar", set: func(a *Arm, v string) error { a.constrain = v; return nil }},
	{Name: "retries", Values: []string{"0", "1", "2", "3"}, modes: always, Usage: "how often a malformed call is answered before it counts",
		set: func(a *Arm, v string) (err error) { a.retries, err = strconv.Atoi(v); return err }},
	{Name: "strict", Values: []string{"off", "on"}, modes: always, Usage: "reject calls that don't fit their schema",
		set: func(a *Arm, v string) error { a.chat.Strict = true; return nil }},
	{Name: "repairs", Values: []string{"on", "off"}, modes: always, Usage: "accept calls that a repair can read",
		set: func(a *Arm, v string) error { a.exact = true; return nil }},
}

// engines returns the engines that take a grammar in every request.
func engines() []string {
	all := middleware.Engines()
	return all[:len(all)-1] // the last one takes it in a tool
}

func (a *Arm) setTags(value string) error {
	open, end, ok := strings.Cut(value, "|")
	if !ok {
		return fmt.Errorf("want OPEN|CLOSE, found %q", value)
	}
	a.chat.Tags = parse.Tags{Open: open, Close: end}
	_, err := parse.Message(nil, "", &parse.Options{Tags: a.chat.Tags})
	return err
}

// applies reports whether the setting means something in a mode.
func (x Axis) applies(mode string) bool {
	return mode == wire || x.modes == always || x.modes == inText && mode != native
}

// newArm returns the arm of a mode with settings, by the names of their axes.
func newArm(mode string, settings map[string]string) (Arm, error) {
	a := Arm{Mode: mode}
	a.chat.Off = true // the session merges the prompt
	if mode != native && mode != wire {
		a.chat.Format = protocol.Lookup(mode, yaml.XML)
	}
	var variant []string
	for _, x := range Axes {
		value, ok := settings[x.Name]
		if !ok || value == x.Values[0] || !x.applies(mode) {
			continue
		}
		if err := x.set(&a, value); err != nil {
			return Arm{}, fmt.Errorf("--%s: %w", x.Name, err)
		}
		variant = append(variant, x.Name+"="+value)
	}
	a.Variant = strings.Join(variant, " ")
	a.chat.Repair = !a.exact && !a.chat.Strict
	return a, nil
}

// Matrix returns the arm of each mode with each combination of settings, each arm once. An axis
// without values has its default.
func Matrix(modes []string, settings map[string][]string) ([]Arm, error) {
	for _, x := range Axes {
		for _, value := range settings[x.Name] {
			if !x.open && !slices.Contains(x.Values, value) {
				return nil, fmt.Errorf("--%s is %s, not %q", x.Name, strings.Join(x.Values, " or "), value)
			}
		}
	}
	var arms []Arm
	seen := make(map[string]bool)
	for _, mode := range modes {
		if !slices.Contains(Modes, mode) {
			return nil, fmt.Errorf("--mode is %s, not %q", strings.Join(Modes, ", "), mode)
		}
		values := settings
		if mode == wireJSON {
			values = maps.Clone(settings)
			if values == nil {
				values = map[string][]string{}
			}
			mode, values["syntax"] = wire, []string{"json"}
		}
		for _, chosen := range combinations(values) {
			a, err := newArm(mode, chosen)
			if err != nil {
				return nil, err
			}
			if !seen[a.String()] {
				seen[a.String()] = true
				arms = append(arms, a)
			}
		}
	}
	return arms, nil
}

// combinations returns all combinations of values.
func combinations(values map[string][]string) []map[string]string {
	all := []map[string]string{{}}
	for _, x := range Axes {
		if len(values[x.Name]) == 0 {
			continue
		}
		var longer []map[string]string
		for _, chosen := range all {
			for _, value := range values[x.Name] {
				with := maps.Clone(chosen)
				with[x.Name] = value
				longer = append(longer, with)
			}
		}
		all = longer
	}
	return all
}

// prompt returns the prompt of a manual. A bare one has the form of a call instead of examples.
func (a Arm) prompt(m *manual.Manual) string {
	if a.silent {
		return ""
	}
	if !a.bare {
		return m.String()
	}
	tags, arguments := a.chat.Tags, `key=value other="several words"`
	if tags == (parse.Tags{}) {
		tags = protocol.Wire.Call
	}
	if a.chat.Plan.Syntax == sig.JSON {
		arguments = `{"key":"value"}`
	}
	p := m.Parts()
	p.Examples = []string{tags.Open + "name " + arguments + tags.Close}
	return p.String()
}

// check reports what is wrong with the arm for the tools of a catalog.
func (a Arm) check(catalog *sig.Catalog) error {
	if a.Mode == native {
		return nil
	}
	if _, err := a.grammar(catalog); err != nil {
		return err
	}
	_, err := manual.New(catalog, &a.chat.Options)
	return err
}

// grammar returns the grammar of the calls that the arm lets a model write, or nil.
func (a Arm) grammar(catalog *sig.Catalog) (*constrain.Grammar, error) {
	if a.constrain == "" {
		return nil, nil
	}
	return constrain.New(catalog, constrain.Options{Format: a.chat.Format, Tags: a.chat.Tags, Plan: a.chat.Plan})
}

// constrained returns the members of a request with the grammar among them. check reports errors.
func (a Arm) constrained(extra map[string]json.RawMessage, catalog *sig.Catalog) map[string]json.RawMessage {
	g, err := a.grammar(catalog)
	if g == nil || err != nil {
		return extra
	}
	with := map[string]json.RawMessage{}
	maps.Copy(with, extra)
	member, value := middleware.GrammarMember(a.constrain, g)
	with[member] = value
	return with
}
