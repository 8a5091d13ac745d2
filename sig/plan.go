package sig

import (
	"fmt"
	"strings"

	"github.com/callwire/callwire/lexer/lexeme"
)

// Syntax is the form in which a tool is announced to the model. Readers accept
// both for every tool.
type Syntax uint8

// The two forms of the body of a call.
const (
	Wire Syntax = iota // arguments: name key=value
	JSON               // one JSON object: name {"key":value}
)

// String returns "wire" or "json".
func (s Syntax) String() string { return nameOf("Syntax", uint8(s), "wire", "json") }

// Fallback says what to do with a tool whose arguments key=value cannot carry.
type Fallback uint8

// What to do with such tools.
const (
	Complex Fallback = iota // announce these in JSON
	Refuse                  // fail with a *PlanError
	Force                   // announce these in wire syntax too; what it cannot carry, no call can pass
)

// String returns "complex", "error" or "force".
func (f Fallback) String() string { return nameOf("Fallback", uint8(f), "complex", "error", "force") }

// PlanOptions say how the form of each tool is chosen. The zero value chooses
// wire syntax wherever it can carry every argument.
type PlanOptions struct {
	Syntax   Syntax // JSON: announce every tool in JSON
	Fallback Fallback
}

// Plan is what was chosen for one tool, and why.
type Plan struct {
	Tool    *Tool
	Syntax  Syntax
	Reasons []Reason // why key=value cannot carry the tool; none where it can
}

// Reason is a place in a schema that key=value cannot carry.
type Reason struct {
	Path    string // of the property, as the names on the way joined by dots
	Code    string // one of the codes below
	Message string // for people
}

// The codes of reasons.
const (
	ReasonName    = "name"     // the tool cannot be called at all
	ReasonKey     = "key"      // a property whose name cannot be written as a key
	ReasonDots    = "dots"     // a property whose name holds a dot and means two things
	ReasonOptions = "options"  // the options ask for JSON
	maxReasons    = 20         // of one tool
	maxPathDepth  = maxNesting // of places that reasons are looked for at
)

// PlanError says that a tool cannot be announced under Refuse.
type PlanError struct {
	Tool   string
	Reason Reason // the first one
}

func (e *PlanError) Error() string {
	at := e.Tool
	if e.Reason.Path != "" {
		at += ", " + e.Reason.Path
	}
	return fmt.Sprintf("sig: %s: %s", at, e.Reason.Message)
}

// Plan chooses the form of the tool. The error, under Refuse only, is a
// [*PlanError].
//
// Key=value carries everything but names: nested objects are dotted paths, and
// arrays and the objects in them are JSON anyway. So the reasons are properties
// whose names no path can hold, in the arguments or in an object directly below.
func (o PlanOptions) Plan(t *Tool) (Plan, error) {
	p := Plan{Tool: t, Syntax: o.Syntax}
	if !callable(t.Name) {
		p.Reasons = append(p.Reasons, Reason{Code: ReasonName, Message: "no call can have this name: rename the tool"})
	}
	w := planner{reasons: p.Reasons, seen: make(map[*Type]bool)}
	w.object(t.Args, 0)
	inJSON := len(w.reasons) > len(p.Reasons) // the name stays as it is in JSON
	p.Reasons = w.reasons
	switch {
	case len(p.Reasons) == 0 && o.Syntax == JSON:
		p.Reasons = []Reason{{Code: ReasonOptions, Message: "JSON was asked for"}}
	case len(p.Reasons) == 0:
	case o.Fallback == Refuse:
		return p, &PlanError{Tool: t.Name, Reason: p.Reasons[0]}
	case o.Fallback == Complex && inJSON:
		p.Syntax = JSON
	}
	return p, nil
}

// Plans chooses the form of every tool, in the order of the catalogue. On a
// [*PlanError] it returns the plans before it.
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

// planner looks for reasons.
type planner struct {
	reasons []Reason
	path    []string
	seen    map[*Type]bool
}

func (p *planner) object(t *Type, depth int) {
	if t == nil || len(t.Fields) == 0 || p.seen[t] || depth > maxPathDepth {
		return
	}
	p.seen[t] = true
	for i := range t.Fields {
		f := &t.Fields[i]
		p.path = append(p.path, f.Name)
		switch {
		case !IsPathKey(f.Name):
			p.reason(ReasonKey, fmt.Sprintf("the name %q cannot be written before an equals sign", f.Name))
		case t.Dotted && t.splits(f.Name):
			p.reason(ReasonDots, fmt.Sprintf("%s can mean this property and one nested in another", f.Name))
		default:
			p.object(f.Type, depth+1)
		}
		p.path = p.path[:len(p.path)-1]
	}
}

func (p *planner) reason(code, message string) {
	if len(p.reasons) < maxReasons {
		p.reasons = append(p.reasons, Reason{Path: strings.Join(p.path, "."), Code: code, Message: message})
	}
}

// splits reports whether the dotted name is also that of a declared property
// and something below it.
func (t *Type) splits(name string) bool {
	for i := range len(name) {
		if name[i] == '.' && t.Field([]byte(name[:i])) != nil {
			return true
		}
	}
	return false
}

// IsPathKey reports whether a property of that name can be written as key=value:
// whether it is one key, or several with dots between them.
func IsPathKey(name string) bool { return lexeme.IsPath(name) }

// Callable reports whether a call can have the tool's name.
func (p Plan) Callable() bool { return callable(p.Tool.Name) }
