package sig

import (
	"errors"
	"fmt"
	"strings"

	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/internal/unseen"
)

// Syntax is the form in which a tool is announced to the model. Readers accept
// both forms for every tool.
type Syntax uint8

// The two forms of the body of a call.
const (
	Wire Syntax = iota // arguments: name key=value
	JSON               // one JSON object: name {"key":value}
)

// String returns "wire" or "json".
func (s Syntax) String() string {
	if s == JSON {
		return "json"
	}
	return "wire"
}

// Fallback is what to do with a tool whose arguments key=value cannot express.
type Fallback uint8

// What to do with such tools.
const (
	Complex Fallback = iota // announce it in JSON
	Refuse                  // fail
	Force                   // announce it in wire syntax, though some arguments cannot be passed
)

// PlanOptions control how the form of each tool is chosen. The zero value chooses
// wire syntax wherever it can express every argument.
type PlanOptions struct {
	Syntax   Syntax // JSON: announce every tool in JSON
	Fallback Fallback
}

// Plan is the form chosen for one tool, and why.
type Plan struct {
	Tool   *Tool
	Syntax Syntax

	// Reasons are why key=value cannot express the arguments, with the path of a property as
	// names joined by dots. The codes are name, key, dots and options.
	Reasons []Problem
}

// The codes of reasons.
const (
	reasonName    = "name"    // the tool cannot be called at all
	reasonKey     = "key"     // a property whose name cannot be written as a key
	reasonDots    = "dots"    // a property whose name contains a dot and is ambiguous
	reasonOptions = "options" // the options ask for JSON
)

const (
	maxReasons   = 20         // for one tool
	maxPathDepth = maxNesting // of the search for reasons
)

// Plan chooses the form of the tool. It fails under Refuse
// only.
//
// Key=value can express every value: nested objects are dotted paths, and arrays
// and the objects in them are JSON anyway. So the only reasons are properties
// whose names a path cannot contain, in the arguments or in objects nested in them
// without an array between.
//
// A nil tool is planned as a tool without a name.
func (o PlanOptions) Plan(t *Tool) (Plan, error) {
	p := Plan{Tool: t, Syntax: o.Syntax}
	p.Tool = p.tool()
	if !p.Callable() {
		p.reason(nil, reasonName, "no call can have this name: rename the tool")
	}
	before := len(p.Reasons)
	p.object(p.Tool.Args, nil, make(map[*Type]bool))
	inJSON := len(p.Reasons) > before // JSON does not help with the tool's name
	switch {
	case len(p.Reasons) == 0 && o.Syntax == JSON:
		p.reason(nil, reasonOptions, "the options ask for JSON")
	case len(p.Reasons) > 0 && o.Fallback == Refuse:
		why, at := p.Reasons[0], p.Tool.Name
		if why.Path != "" {
			at += ", " + why.Path
		}
		return p, errors.New(unseen.Escape("sig: " + at + ": " + why.Message))
	case inJSON && o.Fallback == Complex:
		p.Syntax = JSON
	}
	return p, nil
}

// Plans chooses the form of every tool, in catalog order. With an error it returns the
// plans of the tools before the one that is refused.
func (c *Catalog) Plans(o PlanOptions) ([]Plan, error) {
	plans := make([]Plan, 0, c.Len())
	for _, t := range c.Tools() {
		p, err := o.Plan(t)
		if err != nil {
			return plans, err
		}
		plans = append(plans, p)
	}
	return plans, nil
}

// object adds the reasons in an object at a path.
func (p *Plan) object(t *Type, path []string, seen map[*Type]bool) {
	if t == nil || seen[t] || len(path) > maxPathDepth {
		return
	}
	seen[t] = true
	for i := range t.Fields {
		f := &t.Fields[i]
		path := append(path, f.Name)
		switch {
		case !lexeme.IsPath(f.Name):
			p.reason(path, reasonKey,
				fmt.Sprintf("the name %q cannot be written before an equals sign", f.Name))
		case t.Dotted && t.splits(f.Name):
			p.reason(path, reasonDots,
				fmt.Sprintf("%s can mean this property or one nested in another", f.Name))
		case f.Type != nil && len(f.Type.Fields) > 0:
			p.object(f.Type, path, seen)
		}
	}
}

func (p *Plan) reason(path []string, code, message string) {
	if len(p.Reasons) < maxReasons {
		p.Reasons = append(p.Reasons, Problem{p.Tool.Name, strings.Join(path, "."), code, message})
	}
}

// splits reports whether the dotted name can also be read as a declared property
// and a path below it.
func (t *Type) splits(name string) bool {
	for i := range len(name) {
		if name[i] == '.' && t.Field([]byte(name[:i])) != nil {
			return true
		}
	}
	return false
}

// tool returns the planned tool, one without a name where there is none.
func (p Plan) tool() *Tool {
	if p.Tool == nil {
		return new(Tool)
	}
	return p.Tool
}

// Callable reports whether a call can have the tool's name.
func (p Plan) Callable() bool { return callable(p.tool().Name) }
