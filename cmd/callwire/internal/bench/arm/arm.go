package arm

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/callwire/callwire/internal/bridge"
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/parse/protocol/yaml"
	"github.com/callwire/callwire/sig"
)

// The modes.
const (
	Native = "native" // tools are declared and called as the API has it
	Wire   = "wire"   // tools are explained and called in text
)

// Modes are the names that stand for modes. One is short for a mode with a
// setting; those after it are the names of other protocols.
var Modes = append([]string{Native, Wire, "wire-json"}, protocolModes()...)

// Arm is a way to let a model call tools.
type Arm struct {
	Mode    string
	Variant string // settings that are not as by default

	manual    manual.Options
	protocol  parse.Protocol // of manual
	silent    bool           // nothing explains the tools
	bare      bool           // no example is of the tools
	retries   int            // how often a malformed call is answered before it counts
	constrain string         // what keeps the model to a grammar
	strict    bool           // a call with an issue is malformed
	exact     bool           // a call that has to be repaired is malformed
}

// String returns the mode and the variant.
func (a Arm) String() string { return strings.TrimSpace(a.Mode + " " + a.Variant) }

// Retries is how often a malformed call is answered before it counts.
func (a Arm) Retries() int { return a.retries }

// Axis is a setting.
type Axis struct {
	Name   string
	Values string // for people
	Usage  string

	usual  string
	native bool // it means something in native mode
	set    func(a *Arm, value string) error
}

// Axes are all settings, in the order in which they are written.
var Axes = []Axis{
	{"manual", "on,off", "whether the tools are explained at all", "on", false, func(a *Arm, v string) error {
		return choose(v, map[string]func(){"on": func() {}, "off": func() { a.silent = true }})
	}},
	{"placement", "first,last", "where the manual stands in the system text", "last", false, func(a *Arm, v string) error {
		return choose(v, map[string]func(){"first": func() { a.manual.Placement = manual.First }, "last": func() {}})
	}},
	{"syntax", "wire,json", "how arguments are announced", "wire", false, func(a *Arm, v string) error {
		return choose(v, map[string]func(){"wire": func() {}, "json": func() { a.manual.Plan.Syntax = sig.JSON }})
	}},
	{"style", "compact,classic", "the notation of signatures", "compact", false, func(a *Arm, v string) error {
		return choose(v, map[string]func(){"compact": func() {}, "classic": func() { a.manual.Signatures.Style = sig.Classic }})
	}},
	{"parameters", "off,full", "descriptions of parameters", "full", false, func(a *Arm, v string) error {
		return choose(v, map[string]func(){
			"off":  func() { a.manual.Signatures.Parameters = sig.Off },
			"full": func() {}})
	}},
	{"examples", "on,off", "examples of calls of the tools; off shows the bare form", "on", false, func(a *Arm, v string) error {
		return choose(v, map[string]func(){"on": func() {}, "off": func() { a.bare = true }})
	}},
	{"delims", "'<call>|</call>','((|))'", "the tags around a call", lexer.DefaultDelims.Open + "|" + lexer.DefaultDelims.Close, false, func(a *Arm, v string) error {
		open, end, ok := strings.Cut(v, "|")
		d := lexer.Delims{Open: open, Close: end}
		if !ok {
			return fmt.Errorf("want OPEN|CLOSE, found %q", v)
		}
		if !d.IsDefault() {
			a.manual.Tags = format.Tags(d)
		}
		return d.Validate()
	}},
	{"constrain", "off," + strings.Join(engines(), ","), "whether the engine keeps the model to a grammar of the format, and which engine it is", "off", false, setEngine},
	{"retries", "0,1,2", "how often a malformed call is answered before it counts", "0", true, func(a *Arm, v string) error {
		n, err := strconv.Atoi(v)
		if err != nil || n < 0 || n > 10 || strconv.Itoa(n) != v {
			return fmt.Errorf("want a number from 0 to 10, found %q", v)
		}
		a.retries = n
		return nil
	}},
	{"strict", "off,on", "whether a call that does not fit its schema is malformed", "off", true, func(a *Arm, v string) error {
		return choose(v, map[string]func(){"off": func() {}, "on": func() { a.strict = true }})
	}},
	{"repairs", "on,off", "whether a call that a named repair can read, or a value of another type that means the right one, counts as what it means", "on", true, func(a *Arm, v string) error {
		return choose(v, map[string]func(){"on": func() {}, "off": func() { a.exact = true }})
	}},
}

// choose runs what stands for a value.
func choose(value string, values map[string]func()) error {
	run, ok := values[value]
	if !ok {
		names := make([]string, 0, len(values))
		for name := range values {
			names = append(names, name)
		}
		slices.Sort(names)
		return fmt.Errorf("want %s, found %q", strings.Join(names, " or "), value)
	}
	run()
	return nil
}

// prompt returns the prompt of a manual; a bare one has the form of a call instead of examples.
func (a Arm) prompt(m *manual.Manual) string {
	if !a.bare {
		return m.String()
	}
	d, arguments := lexer.Delims(a.manual.Tags).OrDefault(), `key=value other="several words"`
	if a.manual.Plan.Syntax == sig.JSON {
		arguments = `{"key":"value"}`
	}
	p := m.Parts()
	p.Examples = []string{d.Open + "name " + arguments + d.Close}
	return p.String()
}

// New returns the arm of a mode with settings, by the names of their axes.
func New(mode string, settings map[string]string) (Arm, error) {
	if mode == "wire-json" {
		with := map[string]string{"syntax": "json"}
		for name, value := range settings {
			if name != "syntax" {
				with[name] = value
			}
		}
		mode, settings = Wire, with
	}
	a := Arm{Mode: mode}
	if mode != Native && mode != Wire {
		if a.protocol = protocol.ByName(mode, yaml.XML); a.protocol == nil {
			return Arm{}, fmt.Errorf("a mode is %s, not %q", strings.Join(Modes, ", "), mode)
		}
		a.manual.Format = bridge.Format(a.protocol)
	}
	var variant []string
	for _, axis := range Axes {
		value, ok := settings[axis.Name]
		if !ok || value == axis.usual {
			continue
		}
		if err := axis.set(&a, value); err != nil {
			return Arm{}, fmt.Errorf("%s: %w", axis.Name, err)
		}
		if mode != Wire && !axis.native && !(a.protocol != nil && inProtocols[axis.Name]) {
			return New(mode, without(settings, axis.Name)) // it changes nothing there
		}
		variant = append(variant, axis.Name+"="+value)
	}
	a.Variant = strings.Join(variant, " ")
	return a, nil
}

func without(settings map[string]string, name string) map[string]string {
	rest := make(map[string]string, len(settings))
	for n, v := range settings {
		if n != name {
			rest[n] = v
		}
	}
	return rest
}

// Matrix returns the arm of each mode with each combination of settings, each arm
// once. Of an axis that is not given the default is meant.
func Matrix(modes []string, settings map[string][]string) ([]Arm, error) {
	var arms []Arm
	seen := make(map[string]bool)
	var add func(mode string, axes []Axis, chosen map[string]string) error
	add = func(mode string, axes []Axis, chosen map[string]string) error {
		if len(axes) == 0 {
			a, err := New(mode, chosen)
			if err == nil && !seen[a.String()] {
				seen[a.String()] = true
				arms = append(arms, a)
			}
			return err
		}
		values := settings[axes[0].Name]
		if len(values) == 0 {
			return add(mode, axes[1:], chosen)
		}
		for _, value := range values {
			chosen[axes[0].Name] = value
			if err := add(mode, axes[1:], chosen); err != nil {
				return err
			}
		}
		delete(chosen, axes[0].Name)
		return nil
	}
	for _, mode := range modes {
		if err := add(mode, Axes, make(map[string]string)); err != nil {
			return nil, err
		}
	}
	return arms, nil
}
