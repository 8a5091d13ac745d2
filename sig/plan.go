package sig

import (
	"errors"
	"fmt"
	"strings"

	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/internal/unseen"
)

// Form is how tools are announced to the model: as name key=value, or as name {"key":value}.
type Form uint8

// The forms. Key=value can express every argument of nearly every tool.
const (
	Auto     Form = iota // key=value, or JSON if that cannot express some arguments
	JSON                 // JSON
	KeyValue             // key=value, though some arguments cannot be passed
	Refuse               // key=value, or an error if that cannot express some arguments
)

// Plan is how one tool is announced to the model, and why. Readers accept both forms for
// every tool.
type Plan struct {
	Tool *Tool
	JSON bool // arguments are one JSON object, name {"key":value}, rather than name key=value

	// Reasons are why key=value cannot express the arguments, with the path of a property as
	// names joined by dots. The code is name if the tool cannot be called at all, key for a
	// property whose name cannot be written as a key, dots for one whose name contains a dot
	// and is ambiguous, and options for the form JSON.
	Reasons []Problem
}

const (
	maxReasons   = 20         // for one tool
	maxPathDepth = maxNesting // of the search for reasons
)

// Plan decides how the tool is announced. It fails for Refuse only.
//
// Key=value can express every value: nested objects are dotted paths, and arrays
// and the objects in them are JSON anyway. So the only reasons against it are properties
// whose names a path cannot contain, in the arguments or in objects nested in them
// without an array between.
//
// A nil tool is planned as a tool without a name.
func (t *Tool) Plan(f Form) (Plan, error) {
	if t == nil {
		t = new(Tool)
	}
	p := Plan{Tool: t, JSON: f == JSON}
	if !t.Callable() {
		p.reason(nil, "name", "no call can have this name: rename the tool")
	}
	before := len(p.Reasons) // with which JSON does not help
	p.object(t.Args, nil, make(map[*Type]bool))
	switch {
	case f == Auto:
		p.JSON = len(p.Reasons) > before
	case f == JSON && len(p.Reasons) == 0:
		p.reason(nil, "options", "JSON was requested")
	case f == Refuse && len(p.Reasons) > 0:
		why, at := p.Reasons[0], t.Name
		if why.Path != "" {
			at += ", " + why.Path
		}
		return p, errors.New(unseen.Escape("sig: " + at + ": " + why.Message))
	}
	return p, nil
}

// object adds the reasons in an object at a path.
func (p *Plan) object(t *Type, path []string, seen map[*Type]bool) {
	t = t.Shape()
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
		case t.splits(f.Name):
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
