package manual

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// An example is the call that a model is most likely to repeat. So its tool should not destroy,
// send or pay for anything, as far as its name shows.

// The bounds of the search for examples.
const (
	manyExamples    = 40  // tools that are tried
	goodExample     = 80  // bytes up to which no shorter example is looked for
	longestExample  = 200 // bytes of a tool's own example
	mostOwnExamples = 3   // of a tool's own examples
)

// exampleOf returns a sample call of the tool: with its required arguments, and an optional one if
// that shows more. The call reads back without an issue and fits the schema as far as this package
// can judge. It is "" if there is no such tool, or if no such arguments are found, as for some
// patterns.
//
// The tool's own examples come first, if they fit. Otherwise values are those the schema gives, in
// examples, default, enum or const, or else made up from names and formats.
func (m *Manual) exampleOf(tool string) string {
	plan, isKnown := m.plans[tool]
	if !isKnown {
		return ""
	}
	if own := m.ownExamples(plan); len(own) > 0 {
		return own[0]
	}
	input := (&maker{}).arguments(plan.Tool.Args)
	if input == nil {
		return ""
	}
	return m.write(plan, input)
}

// ownExamples returns calls with the examples that the tool has itself, if they fit.
func (m *Manual) ownExamples(plan sig.Plan) (calls []string) {
	for _, given := range plan.Tool.InputExamples {
		call := m.write(plan, rawjson.Compact(given))
		if call != "" && len(call) <= longestExample && len(calls) < mostOwnExamples {
			calls = append(calls, call)
		}
	}
	return calls
}

// examples returns an example for each syntax that is announced: the first that shows enough, or
// the shortest of those that show most. It calls a tool that only reads, if there is one, otherwise
// one whose effect can be undone.
func (m *Manual) examples() (calls []string) {
	for _, inJSON := range [...]bool{false, true} {
		if best := m.bestExample(inJSON); best != "" {
			calls = append(calls, best)
		}
	}
	return calls
}

// bestExample returns the best example, in JSON or key=value, among the tools that do the least
// harm; the loader is the last resort.
func (m *Manual) bestExample(inJSON bool) string {
	var best [harms + 1]string
	var tried [harms + 1]int
	for _, p := range m.shown {
		does := harmOf(p.Tool.Name)
		if m.loads(p.Tool.Name) {
			does = harms
		}
		found := best[does]
		isEnough := shows(found) == showsAll && len(found) <= goodExample
		if p.JSON != inJSON || tried[does] == manyExamples || isEnough {
			continue
		}
		tried[does]++
		call := m.shownExample(p)
		more := shows(call) - shows(found)
		isShorter := more == 0 && len(call) < len(found)
		if call != "" && (found == "" || more > 0 || isShorter) {
			best[does] = call
		}
	}
	return cmp.Or(best[:]...)
}

// shownExample returns an example of a tool in the syntax that it is announced in, or "".
func (m *Manual) shownExample(p sig.Plan) string {
	if m.loads(p.Tool.Name) {
		return m.loaderCall()
	}
	call := m.exampleOf(p.Tool.Name)
	_, arguments, _ := strings.Cut(call, p.Tool.Name+" ")
	if !p.JSON && strings.HasPrefix(arguments, "{") {
		return ""
	}
	return call
}

// loads reports whether the tool is the loader of lazy ones.
func (m *Manual) loads(name string) bool {
	return len(m.lazy) > 0 && name == m.opts.Lazy.Loader
}

// showsAll is the value of shows for a call with quoted and bare values.
const showsAll = 3

// shows returns how much of the syntax an example shows: quoted and bare values.
func shows(call string) (n int) {
	quoted, all := strings.Count(call, `="`), strings.Count(call, "=")
	if quoted > 0 {
		n += 2
	}
	if all > quoted {
		n++
	}
	return n
}

// fragment returns arguments of a shown tool as they are written, for a rule, or nothing: those
// that make returns for the first tool for which it doesn't return nil.
func (m *Manual) fragment(input func(mk *maker, t *sig.Type) rawjson.Object) string {
	for _, p := range m.shown[:min(len(m.shown), manyExamples)] {
		if p.JSON || p.Tool.Args == nil || m.loads(p.Tool.Name) {
			continue
		}
		made := input(&maker{terse: true}, p.Tool.Args)
		if made == nil {
			continue
		}
		call := parse.Call{Name: p.Tool.Name, Input: made.Append(nil)}
		text, err := m.writeCall(m.catalog, call, false, 0)
		arguments, ok := strings.CutPrefix(text, m.format.Call.Open+p.Tool.Name+" ")
		if err == nil && ok && !strings.HasPrefix(arguments, "{") {
			return strings.TrimSuffix(arguments, m.format.Call.Close)
		}
	}
	return ""
}

// nested returns arguments with one value in a nested object.
func nested(m *maker, t *sig.Type) rawjson.Object {
	for _, f := range t.Fields {
		if f.Type == nil || f.Type.Free != sig.Object || !lexeme.IsPath(f.Name) {
			continue
		}
		for _, g := range f.Type.Fields {
			if g.Type == nil || g.Type.Kinds&(sig.Array|sig.Object) != 0 {
				continue
			}
			if v := m.value(g.Name, g.Type); v != nil {
				return rawjson.Make(f.Name, rawjson.Make(g.Name, v).Append(nil))
			}
		}
	}
	return nil
}

// listed returns arguments with one list, of strings if possible.
func listed(m *maker, t *sig.Type) (other rawjson.Object) {
	for _, f := range t.Fields {
		if f.Type == nil || f.Type.Free != sig.Array {
			continue
		}
		v := m.value(f.Name, f.Type)
		if v == nil || bytes.Contains(v, []byte("{}")) {
			continue
		}
		list := rawjson.Make(f.Name, v)
		if e := f.Type.Item(0); e != nil && e.Kinds == sig.String {
			return list
		}
		if other == nil {
			other = list
		}
	}
	return other
}

// harm is how much harm a tool seems to do.
type harm uint8

const (
	reads   harm = iota // it looks something up
	changes             // it does something that can be undone
	harms               // it cannot
)

// harmOf returns the greatest harm that a word in the tool's name suggests.
func harmOf(name string) harm {
	does := changes
	for _, word := range splitWords(name) {
		switch {
		case slices.Contains(wordsThatHarm, word):
			return harms
		case slices.Contains(wordsThatRead, word):
			does = reads
		}
	}
	return does
}

var wordsThatRead = strings.Fields(`browse check compare count describe fetch find get list lookup
	query read search show view weather`)

var wordsThatHarm = strings.Fields(`abort approve archive ban block buy cancel charge checkout
	clear close decline delete deploy destroy disable dismiss drop email erase execute exec fire
	forget kill mail merge notify overwrite pay payment post publish purchase purge push reboot
	refund reject release remove reply reset restart revoke rm run send share shutdown sms stop
	submit terminate transfer tweet uninstall unsubscribe wipe withdraw write`)
