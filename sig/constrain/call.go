package constrain

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/limits"
	"github.com/callwire/callwire/sig"
)

// call returns what follows the opener of a call: its name, and the rest with its rule. ok is
// false if no call can have its name or all of its required arguments.
func (m *mapper) call(p sig.Plan) (head string, rest *node, ok bool) {
	f, name, args := m.o.Format, p.Tool.Name, typeOf(p.Tool.Args)
	switch {
	case !m.canHaveName(p.Tool):
		m.note(leftOut, "name", "no call can have this name")
		return "", nil, false
	case requiredIn(args) > maxLeaves:
		m.note(leftOut, "required", "a call has no more than "+strconv.Itoa(maxLeaves)+" arguments")
		return "", nil, false
	}
	m.noteType(args)
	line, key := f.Layout.Line, func(name string) string { return m.quoteText(name, asJSON) + ": " }
	head = f.Layout.Lead + f.Function.Open
	begin, end := empty, f.Function.Close
	if end != "" {
		end += line
	}
	switch {
	case len(f.NameKeys) > 0:
		head += "{" + key(f.NameKeys[0]) + m.quoteText(name, asJSON) + ", " + key(f.ArgumentKeys[0])
		end = "}" + line
	case f.NameIsID:
		head += "functions." + name + ":"
		begin = m.seq(m.digits(1, 4), m.literal(f.Function.End+line))
	default:
		head += name + f.Function.End + line
	}
	switch f.Body {
	case format.Arguments:
		rest = m.wireArguments(p)
	case format.Parameters:
		rest = m.seq(begin, m.parameters(args), m.literal(end))
	default:
		rest = m.seq(begin, m.object(args), m.literal(end))
	}
	return head, m.define("call-"+notInRule.ReplaceAllString(name, "-"), rest), true
}

// notInRule matches what the names of rules cannot contain in some syntax.
var notInRule = regexp.MustCompile(`[^A-Za-z0-9]+`)

// canHaveName reports whether a call can have the name of a tool.
func (m *mapper) canHaveName(t *sig.Tool) bool {
	switch f := m.o.Format; {
	case f.Body == format.Arguments:
		whole := t.Name + m.o.Tags.Close
		return strings.Index(whole, m.o.Tags.Close) == len(t.Name) &&
			!strings.Contains(whole, m.o.Tags.Open) && t.Callable()
	case len(f.NameKeys) > 0:
		return true
	default:
		return betweenMarks(t.Name, f.Function)
	}
}

// wireArguments returns the arguments of a call in the wire format, as key=value, as a JSON
// object, or both where the writer may write either.
func (m *mapper) wireArguments(p sig.Plan) *node {
	args, wire := typeOf(p.Tool.Args), never
	// Objects that several places share are written out at each, so the number of arguments
	// is bounded by a few times the size of the schema.
	m.leaves = min(maxLeaves, 64+len(p.Tool.Schema)/12)
	if !p.JSON {
		required, optional := m.paths(args, " ")
		wire = m.inOrder(required, optional, empty)
	}
	if wire != never && !m.inJSON {
		return wire
	}
	object := m.seq(m.literal(" "), m.object(args))
	if requiredIn(args) == 0 {
		object = m.opt(object)
	}
	return m.alt(wire, object)
}

// paths returns the arguments for the properties of t, as key=value. Their names follow prefix.
func (m *mapper) paths(t *sig.Type, prefix string) (required, optional []*node) {
	m.inJSON = m.inJSON || isMap(t)
	return m.members(t, empty, func(name string, t *sig.Type) *node {
		switch {
		case name == freeName:
			return m.seq(m.literal(prefix), m.freePath(t))
		case strings.ContainsFunc(name, m.tagFirst.has):
			m.inJSON = true // a path cannot contain the name with these tags
			return never
		}
		return m.argument(t, prefix+name)
	})
}

// argument returns what a call has for the property of type t at a path: one
// argument, or for an object one for each of its properties.
func (m *mapper) argument(t *sig.Type, path string) *node {
	if len(m.path) > maxNesting || m.leaves == 0 {
		return never
	}
	m.leaves--
	begin := m.literal(path + "=")
	plain := m.seq(begin, m.value(t, inWire))
	switch {
	case t.Free&sig.Object == 0:
		return plain
	case slices.Contains(m.entered, t) || m.leaves < len(t.Fields):
		// Paths into a recursive object have no end, and a rule cannot repeat
		// their prefix; JSON nests by reference.
		m.note(narrowed, "$ref", "the object is written as JSON, not as paths")
		return m.alt(plain, m.seq(begin, m.object(t)))
	}
	m.entered = append(m.entered, t)
	required, optional := m.paths(t, path+".")
	m.entered = m.entered[:len(m.entered)-1]
	if len(required) > 0 {
		return m.alt(plain, m.inOrder(required, optional, empty))
	}
	m.inJSON = true // the writer writes an empty object as JSON
	whole := m.literal("{}")
	if isMap(t) {
		whole = m.object(t)
	}
	return m.alt(plain, m.some(optional, empty), m.seq(begin, whole))
}

// freePath returns a free name and its value. A map goes on with the path; other objects are
// JSON, since no grammar can repeat a free name.
func (m *mapper) freePath(t *sig.Type) *node {
	return m.rule(ruleOf{"path", t, inWire}, func() *node {
		key := m.class(anything.without(noKey + m.tagFirst))
		value, below := m.value(t, inWire), never
		if t.Free&sig.Object != 0 {
			value = m.alt(value, m.object(t))
			if isMap(t) {
				free := m.at("*", func() *node { return m.freePath(typeOf(t.Extra)) })
				below = m.seq(m.literal("."), free)
			} else {
				m.note(narrowed, "additionalProperties",
					"objects below free names are written as JSON, not as paths")
			}
		}
		value = m.alt(m.seq(m.literal("="), value), below)
		return m.seq(m.repeat(key, 1, limits.Unbounded), value)
	})
}

// requiredIn returns how many properties of t are required.
func requiredIn(t *sig.Type) (n int) {
	for i := range t.Fields {
		if t.Fields[i].Required {
			n++
		}
	}
	return n
}

// Some formats put values between marks, strings without quotes and escapes. Text that
// looks like a mark could be one, so a grammar does not derive it in strings.

// markPattern returns a pattern of what looks like a mark of the format, "" if it has none,
// and the characters that marks begin with.
func markPattern(f *format.Format) (pattern string, first charset) {
	if f.Body != format.Parameters {
		return "", first
	}
	for _, mark := range []string{
		f.Parameter.Open, f.Parameter.End, f.Parameter.Value, f.Parameter.Close,
		f.Function.Open, f.Function.End, f.Function.Close,
	} {
		if len(mark) < 2 {
			continue // one character cannot be kept out
		}
		first = first.union(chars(mark[:1]))
		if name := element.FindStringSubmatch(mark); name != nil {
			pattern = join(pattern, "</?"+name[1]+"[=>]")
		} else {
			pattern = join(pattern, regexp.QuoteMeta(mark))
		}
	}
	return pattern, first
}

// element matches a mark that looks like a tag of XML.
var element = regexp.MustCompile(`^</?([a-z_]+)[=>]$`)

// betweenMarks reports whether a mark can contain the name.
func betweenMarks(name string, m format.Marks) bool {
	return name != "" && !strings.ContainsFunc(name, notInMark(m).has)
}

// notInMark returns the characters that end the word of a mark.
func notInMark(m format.Marks) charset {
	return controls.union(chars(` <>`)).union(chars(m.End[:min(1, len(m.End))]))
}

// parameters returns the arguments, each between its marks.
func (m *mapper) parameters(t *sig.Type) *node {
	f := m.o.Format
	begin, middle := m.literal(f.Parameter.Open), f.Parameter.End
	if f.Parameter.Value != "" {
		middle += f.Layout.Line + f.Parameter.Value
	}
	if f.Lines {
		middle += "\n"
	}
	required, optional := m.members(t, empty, func(name string, t *sig.Type) *node {
		key := m.literal(name)
		switch {
		case name == freeName:
			inside := m.class(anything.without(notInMark(f.Parameter)))
			key = m.repeat(inside, 1, limits.Unbounded)
		case !betweenMarks(name, f.Parameter):
			return never
		}
		return m.seq(begin, key, m.literal(middle), m.value(t, inMarks))
	})
	return m.inOrder(required, optional, empty)
}

// valueEnd returns what follows a value.
func (m *mapper) valueEnd() string {
	f := m.o.Format
	end := f.Parameter.Close + f.Layout.Line
	if f.Lines {
		end = "\n" + end
	}
	return end
}

// overlap returns patterns of the texts before which the end would be found too early: a }
// before }}.
func overlap(end string) (patterns string) {
	for i := 1; i < len(end); i++ {
		if strings.Index(end[:i]+end, end) < i {
			patterns = join(patterns, regexp.QuoteMeta(end[:i])+"$")
		}
	}
	return patterns
}
