package engine

import (
	"bytes"
	"cmp"
	"math/bits"
	"slices"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/repair"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/sig"
)

// Repairs, under Options.Repair.
//
// A call that is malformed, or well formed with an issue that another reading could resolve, is
// read again from its source when it ends, by package repair. What that finds goes through the
// same builder as every other call. The call is delivered if nothing misfits and if what is
// final is a prefix of it; otherwise it stays what it was.
//
// What was emitted is never retracted. While nothing odd was seen, everything before an argument
// is final at its equals sign, and a string is final up to its last byte. From the first issue
// on that a repair could change, output waits for the end of the call. See commitTo.
//
// Two repairs need no second reading and serve every format: the name of a tool, and a null for an
// argument that should be absent.

// wait stops the output of the call until it ends.
func (d *draft) wait() {
	if !d.waits {
		d.waits = true
		d.uncertain++
	}
}

// finalFaults are those of calls that stay malformed: a call exceeds a limit, isn't valid UTF-8,
// has keys that conflict, or is where no call is executed.
var finalFaults = []lexer.Code{
	lexer.CallTooLong, lexer.NameTooLong, lexer.TooDeep, lexer.TooManyArguments,
	lexer.InvalidUTF8, lexer.DuplicateKey, lexer.PathConflict, lexer.AfterMalformed,
	lexer.InCode, lexer.InReasoning,
}

// isMisfit reports whether an issue means that a reading doesn't fit the schema, or that
// something else may be meant.
func isMisfit(i Issue) bool {
	return i.Code != lexer.Coerced && i.Code != lexer.AmbiguousText && i.Code != lexer.Repaired
}

// repaired records a repair. A guess takes something for a quote or a tag that isn't one, so
// later calls come after a malformed span.
func (d *draft) repaired(name string, at int) {
	d.report(lexer.Repaired, name, at, nil)
	d.guessed = d.guessed || repair.Guesses(name)
}

// meantTool returns the plan of the tool that an unknown name can only mean, or nil. The call
// waits: if its arguments misfit, another tool may be meant.
func (d *draft) meantTool(name []byte, at int) *plan {
	tools := d.config.repair
	if tools == nil {
		return nil
	}
	tool := tools.Meant(string(name))
	if tool == nil {
		return nil
	}
	d.wait()
	d.written, d.nameAt = string(name), at
	d.repaired("name", at)
	return d.config.tools.find([]byte(tool.Name))
}

// undoRepairs gives a malformed call the fault that it has without the repairs that were made as it
// arrived: its tool is unknown, and so may be its format.
func (d *draft) undoRepairs() {
	if d.written != "" {
		d.fail(lexer.UnknownTool, d.nameAt)
		d.name = d.written
	}
	if d.code != "" {
		d.fault, d.faultAt = d.code, d.fixAt
	}
}

// dropNull removes the current member or argument, which has one key and the value null, if that
// means that it is absent. With repairs and for Coerce it does.
func (d *draft) dropNull(at int) bool {
	if d.config.repair == nil && !d.coerces {
		return false
	}
	field, key := d.field, d.key
	f := d.top()
	if f != nil {
		if !f.object {
			return false
		}
		key = f.key
	}
	if !repair.IsDroppable(field) || f == nil && (d.level > 0 || field.Index >= 64) {
		return false // beyond 64, keys refers to the output that would go
	}
	if d.config.repair != nil {
		d.repaired("null", at)
	} else {
		d.issue(lexer.Coerced, field.Type, at)
	}
	if f == nil {
		d.groups[0].sep = d.out[key-1]
		d.out = d.out[:key-1]
		d.key, d.keyEnd = 0, 0
		return true
	}
	if f.n--; f.n > 0 {
		key-- // the comma
	}
	if field.Index >= 64 {
		d.keys.truncate(len(d.keys.keys) - 1)
	}
	d.out = d.out[:key]
	f.key, f.keyEnd = 0, 0
	return true
}

// doubt records an issue if a bare word looks like something else. It is beyond doubt if the
// schema lists it.
func (d *draft) doubt(t *sig.Type, word []byte, at int) {
	if d.config.repair == nil || !d.isDoubtful(d.field, t, word) {
		return
	}
	d.issue(lexer.Doubtful, nil, at)
	opened, closed := repair.LooksQuoted(word)
	d.lostQuote = d.lostQuote || opened && !closed
}

// isDoubtful reports whether a bare word ends with a separator, begins like a string in other
// quotes or after an arrow, looks like two arguments, or is a null that should be absent.
func (d *draft) isDoubtful(field *sig.Field, t *sig.Type, word []byte) bool {
	switch {
	case len(word) == 0 || t != nil && t.Member(sig.String, word) != nil:
		return false
	case string(word) == "null":
		return repair.IsDroppable(field)
	case looksMistaken(word):
		return true
	}
	args := d.argumentsType()
	return (args != nil || d.count == 1) && repair.JoinsArguments(args, word)
}

// looksMistaken reports whether a word ends with a separator, or begins like a string in other
// quotes or after an arrow.
func looksMistaken(word []byte) bool {
	last := word[len(word)-1]
	opened, _ := repair.LooksQuoted(word)
	return last == ',' || last == ';' || opened || isArrow(word)
}

// isArrow reports whether a word is what follows the equals sign of a=>"x" or a=="x".
func isArrow(word []byte) bool {
	n := len(word) - 1
	if n < 3 || word[0] != '>' && word[0] != '=' {
		return false
	}
	return word[1] == word[n] && (word[n] == '"' || word[n] == '\'')
}

// rawJSON writes text under t if it is an array or object with the usual deviations from JSON,
// and fits.
func (d *draft) rawJSON(t *sig.Type, text []byte, at int) bool {
	if d.config.repair == nil || !t.Restricts() || t.Kinds&sig.String != 0 {
		return false
	}
	v, notes, ok := repair.JSON(text, d.room())
	if !ok {
		return false
	}
	n := len(d.issues.list)
	return d.try(func() {
		d.typ = t
		d.writeBegun(v, at, text)
		if slices.ContainsFunc(d.issues.list[n:], isMisfit) {
			d.fail(lexer.TypeMismatch, at)
		}
		for _, n := range notes {
			d.repaired(n.Name, at)
		}
	}) == ""
}

// reread reads the call, which ends at offset end, again from its source. It reports whether
// the draft now contains the call that was meant.
func (a *Assembler) reread(end int, closed bool, source []byte) bool {
	d, c := a.draft, a.config
	if c.repair == nil || d.mustFail || a.refused() || slices.Contains(finalFaults, d.fault) {
		return false
	}
	f := d.syntax.Format()
	isReadable := f.Body == format.Arguments || f.Body == format.Envelope
	if !isReadable || d.start+len(source) < end {
		return false
	}
	call, steps, ok := repair.Read(c.repair, repair.Span{
		Text: source, Format: f, Name: cmp.Or(d.written, d.name), NameAt: d.nameAt - d.start,
		MaxDepth: c.limits.Depth, MaxArguments: c.limits.Arguments,
		Closed: closed, Last: a.over, Cut: a.aborted,
	})
	a.work += steps
	switch {
	case !ok, d.identified && call.Name != d.name, call.Near && !c.AllowAfterMalformed:
		return false
	}
	final := d.out[d.base:d.final]
	return d.try(func() {
		a.rebuild(call, source)
		isRepair := func(i Issue) bool { return i.Code == lexer.Repaired }
		isRepaired := slices.ContainsFunc(d.issues.list, isRepair)
		if !isRepaired || d.misfits() || !bytes.HasPrefix(d.out[d.base:], final) {
			d.fail(lexer.TypeMismatch, d.start)
		}
	}) == ""
}

// acceptUnclosed accepts a call whose body is complete, and followed by the next call or the end
// of the message where its closing tag should be. A message that ends in a part of that tag was
// cut off. If the closing tag is there, that of the last argument or of the function is missing.
func (a *Assembler) acceptUnclosed(end int, closed bool, source []byte) bool {
	d := a.draft
	isMissing := d.fault == lexer.ExpectedClose || d.fault == lexer.Unterminated
	isLast := isMissing && d.ended && d.faultAt == end && !closed
	lacksInner := d.ended && d.fault == lexer.Unterminated && closed
	if a.config.repair == nil || !isLast && !lacksInner || a.aborted {
		return false
	}
	if a.refused() || d.misfits() {
		return false
	}
	f := d.syntax.Format()
	closer := f.Call.Close
	if f.ToolTags() {
		closer = "</" + cmp.Or(d.written, d.name) + ">"
	}
	mayGoOn := d.fault == lexer.Unterminated && f.Body == format.Parameters &&
		f.Function.Close == "" && !d.hasAll()
	if isLast && (mayGoOn || endsInPart(source, closer)) {
		return false
	}
	d.repaired("missing-close", d.faultAt)
	d.fault = ""
	return true
}

// hasAll reports whether the call contains all arguments that its tool has.
func (d *draft) hasAll() bool {
	args := d.groups[0].typ
	return args != nil && args.Closed && bits.OnesCount64(d.groups[0].present) == len(args.Fields)
}

// endsInPart reports whether text ends in a proper prefix of tag.
func endsInPart(text []byte, tag string) bool {
	for n := min(len(tag)-1, len(text)); n > 0; n-- {
		if string(text[len(text)-n:]) == tag[:n] {
			return true
		}
	}
	return false
}

// refused reports whether calls are refused because a malformed one came before them.
func (a *Assembler) refused() bool { return a.afterMalformed && !a.config.AllowAfterMalformed }

// misfits reports whether the arguments don't fit the schema.
func (d *draft) misfits() bool { return slices.ContainsFunc(d.issues.list, isMisfit) }

// rebuild writes the input of a call after that of the call it replaces.
func (a *Assembler) rebuild(c *repair.Call, source []byte) {
	d := a.draft
	base := len(d.out)
	emitted := base + d.emitted - d.base
	d.call = call{
		start: d.start, formatID: d.formatID, reading: true, started: d.started,
		identified: d.identified, nameAt: d.nameAt, foreign: d.foreign,
		base: base, final: emitted, emitted: emitted, uncertain: 1,
	}
	d.issues.list = nil
	d.resetBuilder()
	if c.ID != "" {
		d.formatID = c.ID
	}
	d.setTool([]byte(c.Name), d.start)
	if d.isForeign {
		d.repaired(d.fix, d.fixAt)
	}
	for _, n := range c.Notes {
		d.repaired(n.Name, d.start+n.At)
	}
	if o := c.Object; o != nil {
		if len(o.Members) > a.config.limits.Arguments {
			d.fail(lexer.TooManyArguments, d.start+o.At)
		}
		if o.At == o.End && d.syntax.Format().Body == format.Envelope { // from a string
			d.report(lexer.Coerced, "", d.start+o.At, nil)
		}
		d.exact, d.coerces = true, true
		d.level = -1 // the arguments object does not count as a level
		d.typ = d.argumentsType()
		d.writeTree(o, d.start, source)
	}
	for _, m := range c.Args {
		if d.fault == "" {
			d.argument(m.Key, d.start+m.At, bytes.Count(m.Key, []byte{'.'}))
			d.writeTree(m.Value, d.start, source)
		}
	}
	if d.fault == "" {
		a.endArguments(d.start + c.End)
	}
}

// writeTree writes one value. Its offsets are relative to base, and so are those in source.
func (d *draft) writeTree(v *repair.Value, base int, source []byte) {
	d.beginValue()
	d.writeBegun(v, base, source)
}

// writeBegun is writeTree after beginValue.
func (d *draft) writeBegun(v *repair.Value, base int, source []byte) {
	at := base + v.At
	switch v.Kind {
	case repair.Word:
		if !v.IsNull() || !d.dropNull(at) {
			d.scalar(d.typ, v.Text, false, at)
		}
		return
	case repair.String:
		d.scalar(d.typ, v.Text, true, at)
		return
	}
	if d.room() < 1 {
		d.fail(lexer.TooDeep, at)
	}
	if d.fault != "" {
		return
	}
	src := v.At
	if v.At == v.End { // in a string, so there is no source text
		src = none
	}
	d.begin(d.typ, v.Kind == repair.Object, at, src)
	for i := range v.Members {
		m := &v.Members[i]
		if v.Kind == repair.Object {
			d.member(m.Key, 0, base+m.At)
		}
		d.writeTree(m.Value, base, source)
	}
	d.end(max(base+v.End-1, at), source[v.At:v.End])
}

// foreign is what is known about a call in another format than that of the text.
type foreign struct {
	isForeign bool
	mustFail  bool       // it is malformed, even if it could be read
	fix       string     // the repair that reading it is
	fixAt     int        // its offset
	code      lexer.Code // its fault if it turns out to be malformed, or "" for its own
}

// Foreign implements [lex.Handler]. Where calls after a malformed span are refused, so are
// those between tags of other formats, except at the beginning of a line: within one, the text
// may be about them.
func (a *Assembler) Foreign(code lexer.Code, at int, lineStart bool) {
	d := a.draft
	d.foreign = foreign{isForeign: true, fix: "other-protocol", fixAt: at, code: code}
	if code == "" {
		d.fix = "missing-open"
	}
	d.wait()
	d.repaired(d.fix, at)
	doubtful := a.afterMalformed || !lineStart
	if code == lexer.WrongOpener && doubtful && !a.config.AllowAfterMalformed {
		d.mustFail = true
		d.fail(code, at)
	}
}
