package sig

import (
	"errors"
	"fmt"
	"strings"

	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/internal/unseen"
)

// Fallback is what to do with a tool whose arguments key=value cannot express.
type Fallback uint8

// What to do with such tools.
const (
	Complex Fallback = iota // announce it in JSON
	Refuse                  // fail
	Force                   // announce it as key=value, though some arguments cannot be passed
)

// PlanOptions control how each tool is announced. The zero value chooses key=value
// wherever it can express every argument.
type PlanOptions struct {
	JSON     bool // announce every tool in JSON
	Fallback Fallback
}

// Plan is how one tool is announced to the model, and why. Readers accept both forms for
// every tool.
type Plan struct {
	Tool *Tool
	JSON bool // arguments are one JSON object, name {"key":value}, rather than name key=value

	// Reasons are why key=value cannot express the arguments, with the path of a property as
	// names joined by dots. The code is name if the tool cannot be called at all, key for a
	// property whose name cannot be written as a key, dots for one whose name contains a dot
	// and is ambiguous, and options if the options ask for JSON.
	Reasons []Problem
}

const (
	maxReasons   = 20         // for one tool
	maxPathDepth = maxNesting // of the search for reasons
)

// Plan chooses the form of the tool. It fails under Refuse only.
//
// Key=value can express every value: nested objects are dotted paths, and arrays
// and the objects in them are JSON anyway. So the only reasons are properties
// whose names a path cannot contain, in the arguments or in objects nested in them
// without an array between.
//
// A nil tool is planned as a tool without a name.
func (o PlanOptions) Plan(t *Tool) (Plan, error) {
	if t == nil {
		t = new(Tool)
	}
	p := Plan{Tool: t, JSON: o.JSON}
	if !t.Callable() {
		p.reason(nil, "name", "no call can have this name: rename the tool")
	}
	before := len(p.Reasons) // with which JSON does not help
	p.object(t.Args, nil, make(map[*Type]bool))
	p.JSON = p.JSON || len(p.Reasons) > before && o.Fallback == Complex
	if len(p.Reasons) > 0 && o.Fallback == Refuse {
		why, at := p.Reasons[0], t.Name
		if why.Path != "" {
			at += ", " + why.Path
		}
		return p, errors.New(unseen.Escape("sig: " + at + ": " + why.Message))
	}
	if len(p.Reasons) == 0 && o.JSON {
		p.reason(nil, "options", "the options ask for JSON")
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
	if t == nil || len(t.Fields) == 0 || seen[t] || len(path) > maxPathDepth {
		return
	}
	seen[t] = true
	for i := range t.Fields {
		f := &t.Fields[i]
		path := append(path, f.Name)
		switch {
		case !lexeme.IsPath(f.Name):
			p.reason(path, "key",
				fmt.Sprintf("the name %q cannot be written before an equals sign", f.Name))
		case t.dotted && t.splits(f.Name):
			p.reason(path, "dots",
				fmt.Sprintf("%s can mean this property or one nested in another", f.Name))
		default:
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
