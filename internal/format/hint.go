package format

import (
	_ "embed"
	"strings"
)

// hintsText has a paragraph for each hint: the kind of body and the codes, what is expected, and
// how to write it correctly.
//
//go:embed hints.txt
var hintsText string

type hint struct{ expected, fix string }

// hints are the hints by kind of body and code.
var hints = func() map[string]hint {
	m := map[string]hint{}
	for paragraph := range strings.SplitSeq(strings.TrimSpace(hintsText), "\n\n") {
		lines := strings.Split(paragraph, "\n")
		body, codes, _ := strings.Cut(lines[0], ": ")
		for code := range strings.FieldsSeq(codes) {
			m[body+" "+code] = hint{lines[1], lines[2]}
		}
	}
	return m
}()

var bodyNames = [...]string{
	Envelope: "envelope ", Parameters: "parameters ", Elements: "elements ", Block: "block ",
}

// Hint returns what is expected where a call has the fault or issue with that code, and how to
// write it correctly. Both are empty if the table of codes is right for this format too.
func (f *Format) Hint(code string) (expected, fix string) {
	if f == nil || f.Body == Arguments {
		return "", ""
	}
	h, ok := hints["all "+code]
	if !ok {
		h = hints[bodyNames[f.Body]+code]
	}
	member := ""
	if len(f.NameKeys) > 0 {
		member = `, the member "` + f.ArgumentKeys[0] + `"`
	}
	return h.expected, strings.NewReplacer(
		"{member}", member,
		"{form}", f.form(),
		"{name}", f.Function.Open+"name"+f.Function.End,
		"{argument}", f.argument(),
		"{close}", f.Parameter.Close,
		"{object}", "write one JSON object: double quotes around keys and strings, "+
			"controls and quotes in strings escaped, no comma after the last member",
	).Replace(h.fix)
}

// argument returns what an argument looks like.
func (f *Format) argument() string {
	m := f.Parameter
	return m.Open + "key" + m.End + m.Value + "value" + m.Close
}

// form returns what a call looks like, in one line.
func (f *Format) form() string {
	switch {
	case f.Body == Elements:
		return "<name><key>value</key></name>"
	case f.Body == Block:
		return "<name>, lines of key: value, </name>"
	case f.Body == Parameters:
		return f.Call.Open + f.Function.Open + "name" + f.Function.End + f.argument() +
			f.Function.Close + f.Call.Close
	case len(f.NameKeys) == 0:
		name := "name"
		if f.NameIsID {
			name = CallID("", name, 0)
		}
		return f.Call.Open + f.Function.Open + name + f.Function.End + "{…}" +
			f.Function.Close + f.Call.Close
	}
	return f.Call.Open + ` {"` + f.NameKeys[0] + `": "name", "` + f.ArgumentKeys[0] + `": {…}} ` +
		f.Call.Close
}
