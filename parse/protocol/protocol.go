package protocol

import (
	"bytes"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/relaxed"
	"github.com/callwire/callwire/sig"
)

// Protocol describes a call format. It is plain data, and a [parse.Protocol]; to
// describe another format, copy one and change its fields.
type Protocol struct {
	Name     string
	Frame    Frame
	Envelope Envelope
	Body     Body

	// Allow lists the deviations from JSON that are read in a JSON body; see package
	// relaxed. Each is noted once per call, as a repair of its name.
	// [parse.Options.Salvage] allows all of them, Strict none.
	Allow relaxed.Allow

	// Repair types the arguments of a JSON body as [parse.Repair] does, once they are
	// complete, so they do not stream. Without it they are exact.
	Repair bool

	// YAML reads and writes a body of YAML.
	YAML YAMLCodec

	Prompt Prompt
}

// Envelope says where the tool's name stands.
type Envelope struct {
	// NameKeys and ArgumentKeys are the members of a JSON body that hold the name
	// and the arguments. The first of each is written, all of them are read.
	NameKeys, ArgumentKeys []string

	// Function and Parameter are the marks of a body of parameters: those around the
	// arguments, which begin with the name, and around one argument, which begins with
	// its key.
	Function, Parameter Marks
}

// Marks stand around text that begins with a word: Open, the word, End, the rest,
// Close. A word holds no whitespace, no control character, no < or >, and not the first
// byte of End, which is one of these or a quote: <parameter=k> has the marks
// "<parameter=" and ">", <parameter name="k"> has `<parameter name="` and `">`. Only
// the schema types what stands between the marks: a second attribute, such as
// string="true" in DSML, works only if it is the same for every value. A frame holds
// one call.
type Marks struct {
	Open, End, Close string
}

// Body says what stands in the frame.
type Body uint8

// The bodies.
const (
	JSON       Body = iota // an object that holds the name and the arguments
	Parameters             // arguments without quotes, between marks
	Elements               // XML elements, in one named after the tool: the frame is not used
	YAML                   // a block of YAML, in an element named after the tool
)

// AppendCall appends the call of a tool; see [parse.Protocol]. The error comes from
// [parse.FormatOptions.Arguments], or is a [*FrameError], or a [*lexer.Error] with the
// code UnwritableValue if the call would not read back.
func (p Protocol) AppendCall(dst []byte, catalog *sig.Catalog, name string, input []byte, o parse.FormatOptions) ([]byte, error) {
	if err := p.validate(); err != nil {
		return dst, err
	}
	args, err := o.Arguments(catalog, name, input)
	if err != nil {
		return dst, err
	}
	w := writer{p: &p, visible: o.Visible}
	text := w.call(name, args)
	if p.tagged() && !p.readsBack(text, catalog, name, args, o.Limits) {
		w.flat = true
		text = w.call(name, args)
	}
	refuse := func(code lexer.Code, of []byte, at int) error {
		e := &lexer.Error{Code: code, Offset: at, Tool: name, Found: lexer.Excerpt(of[at:])}
		e.Expected, e.Fix = p.Hint(code)
		return e
	}
	switch limits := o.Limits.OrDefault(); {
	case len(name) > limits.Name:
		return dst, refuse(lexer.NameTooLong, []byte(name), 0)
	case len(text) > limits.Bytes:
		return dst, refuse(lexer.CallTooLong, input, len(input))
	case p.readsBack(text, catalog, name, args, limits):
		return append(dst, text...), nil
	case p.tagged() && catalog.Lookup([]byte(name)) == nil:
		return dst, refuse(lexer.UnknownTool, []byte(name), 0)
	case !p.readsBack(w.call(name, []byte("{}")), catalog, name, []byte("{}"), limits):
		return dst, refuse(lexer.BadName, []byte(name), 0)
	}
	return dst, refuse(lexer.UnwritableValue, input, p.unwritable(catalog, name, input, o.Limits))
}

// readsBack reports whether text is read as the call of name with args.
func (p Protocol) readsBack(text []byte, catalog *sig.Catalog, name string, args []byte, limits lexer.Limits) bool {
	segs := parse.Options{Protocol: p, Limits: limits}.Text(string(text), catalog)
	return len(segs) == 1 && segs[0].Kind == parse.Call && segs[0].Name == name && bytes.Equal(segs[0].Input, args)
}

// unwritable returns the offset of the first value in input that does not read back
// alone, or 0. The arguments as a whole do not read back.
func (p Protocol) unwritable(catalog *sig.Catalog, name string, input []byte, limits lexer.Limits) int {
	s := relaxed.Scanner{Depth: len(input), Last: true}
	key, value := 0, 0
	for t, i := s.Next(input, 0); t.Kind != 0; t, i = s.Next(input, i) {
		switch {
		case s.Nesting() == 1 && t.Kind == 'k':
			key, value = t.Start-1, 0
			continue
		case value == 0 && key > 0:
			value = t.Start
			if t.Kind == 's' {
				value--
			}
		}
		if s.Nesting() > 1 || key == 0 {
			continue
		}
		o := parse.FormatOptions{Limits: limits}
		args, err := o.Arguments(catalog, name, append(append([]byte{'{'}, input[key:i]...), '}'))
		w := writer{p: &p, flat: true}
		if err != nil || !p.readsBack(w.call(name, args), catalog, name, args, limits) {
			return value
		}
		key = 0
	}
	return 0
}

// NewReader returns a Reader of calls under o. The error is a [*FrameError].
func (p Protocol) NewReader(catalog *sig.Catalog, o parse.Options) (parse.Reader, error) {
	return p.newReader(catalog, o, true)
}

// newReader is NewReader, except that near makes a body of another protocol in this
// frame a call too: malformed, or repaired under Salvage.
func (p Protocol) newReader(catalog *sig.Catalog, o parse.Options, near bool) (parse.Reader, error) {
	if err := p.validate(); err != nil {
		return nil, err
	}
	o.Protocol = p
	if p.tagged() {
		f := newToolTags(catalog)
		if p.Body == YAML {
			return newReader(f, &yamlBody{tags: f, codec: p.YAML}, catalog, o), nil
		}
		return newReader(f, &elements{tags: f}, catalog, o), nil
	}
	f := &tags{open: p.Frame.Open, close: p.Frame.Close, bodies: []string{p.begins()}}
	object, values := &jsonBody{keys: p.Envelope, repair: p.Repair}, &parameters{name: p.Envelope.Function, value: p.Envelope.Parameter}
	switch {
	case o.Strict:
	case o.Salvage:
		object.scan.Allow = relaxed.All
	default:
		object.scan.Allow = p.Allow
	}
	var r *reader
	var others []body // bodies of other protocols in this frame
	var begin []string
	if p.Body == Parameters {
		r = newReader(f, values, catalog, o)
		others, begin = []body{object}, []string{"{", "["}
		object.keys = hermesKeys
		if r.salvages() {
			values.drift = newDrift(&p, catalog)
			r.drift = values.drift
		}
	} else {
		r = newReader(f, object, catalog, o)
		f.bodies = append(f.bodies, "[") // malformed, but its strings are quoted
		f.fenced = r.salvages() && p.Frame.Open[0] != '`'
	}
	for _, e := range [...]*Envelope{&Qwen3Coder.Envelope, &attributes} {
		if e.Function.Open != p.begins() {
			others = append(others, &parameters{name: e.Function, value: e.Parameter})
			begin = append(begin, e.Function.Open)
		}
	}
	if near {
		f.bodies = append(f.bodies, begin...)
	}
	if near && r.salvages() {
		r.others = others
	}
	return r, nil
}

// attributes are the marks of Qwen3Coder, as written by models that prefer proper XML.
var attributes = Envelope{
	Function:  Marks{Open: `<function name="`, End: `">`, Close: "</function>"},
	Parameter: Marks{Open: `<parameter name="`, End: `">`, Close: "</parameter>"},
}

// validate says why the protocol can neither be read nor written. The error is a
// [*FrameError].
func (p Protocol) validate() error {
	e := &p.Envelope
	switch p.Body {
	case Elements:
		return nil
	case YAML:
		if p.YAML == nil {
			return &FrameError{p.Frame, "", "want a codec for YAML"}
		}
		return nil
	case Parameters:
		for _, m := range [...]Marks{e.Function, e.Parameter} {
			if m.Open == "" || m.End == "" || m.Close == "" {
				return &FrameError{p.Frame, m.Open, "want three marks around names, keys and values, none of them empty"}
			}
			if c := m.End[0]; !breaksWord(c) && c != '"' && c != '\'' {
				return &FrameError{p.Frame, m.End, "want first a quote, < or >, whitespace or a control"}
			}
		}
	default:
		if len(e.NameKeys) == 0 || len(e.ArgumentKeys) == 0 {
			return &FrameError{p.Frame, p.Frame.Open, "want the keys of name and arguments"}
		}
	}
	return p.Frame.validate(p.begins())
}

// tagged reports whether calls are elements named after their tool.
func (p Protocol) tagged() bool { return p.Body == Elements || p.Body == YAML }

// begins returns what the body begins with.
func (p Protocol) begins() string {
	if p.Body == Parameters {
		return p.Envelope.Function.Open
	}
	return "{"
}

// String returns the protocol's name.
func (p Protocol) String() string { return p.Name }
