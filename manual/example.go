package manual

import (
	"cmp"
	"slices"
	"strings"

	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// An example is the call that a model is most likely to repeat. So its tool should not destroy,
// send or pay for anything, as far as its name shows.

// The bounds of the search for examples.
const (
	manyExamples    = 40  // tools that are tried
	goodExample     = 52  // bytes between the tags up to which no shorter example is looked for
	longestExample  = 200 // bytes of an example in the header, and of a tool's own
	mostOwnExamples = 3   // of a tool's own examples
)

// exampleOf returns a sample call of the tool: its own example, or else one with made-up arguments.
// The call reads back without an issue and fits the schema as far as this package can judge. It is
// "" if there is no such tool, or if no such arguments are found, as for some patterns.
func (m *Manual) exampleOf(tool string) string {
	plan, isKnown := m.plans[tool]
	if !isKnown {
		return ""
	}
	if m.loads(tool) {
		return m.loaderCall()
	}
	if own := m.ownExamples(plan); len(own) > 0 {
		return own[0]
	}
	return m.madeUp(plan, &maker{})
}

// madeUp returns a call with made-up arguments, or "".
func (m *Manual) madeUp(plan sig.Plan, values *maker) string {
	if plan.Tool.Args == nil {
		return ""
	}
	return m.write(plan, values.object(plan.Tool.Args)) // which refuses nil
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

// examples returns an example for each syntax that is announced.
func (m *Manual) examples() (calls []string) {
	for _, inJSON := range [...]bool{false, true} {
		if best := m.bestExample(inJSON); best != "" {
			calls = append(calls, best)
		}
	}
	return calls
}

// bestExample returns the best example, in JSON or key=value, among the tools that do the least
// harm: the first that shows enough, or the shortest of those that show most.
func (m *Manual) bestExample(inJSON bool) (best string) {
	good := goodExample + len(m.format.Call.Open) + len(m.format.Call.Close)
	var tools [loads + 1][]sig.Plan
	for _, p := range m.shown {
		if p.JSON == inJSON {
			does := m.harmOf(p.Tool.Name)
			tools[does] = append(tools[does], p)
		}
	}
	for _, group := range tools {
		for _, p := range group[:min(len(group), manyExamples)] {
			call := m.exampleOf(p.Tool.Name)
			if len(call) > good && len(p.Tool.InputExamples) == 0 {
				call = cmp.Or(m.madeUp(p, &maker{isTerse: true}), call)
			}
			_, arguments, _ := strings.Cut(call, p.Tool.Name+" ")
			isOther := !inJSON && strings.HasPrefix(arguments, "{")
			if isOther || len(call) > longestExample {
				continue
			}
			more := shows(call) - shows(best)
			isBetter := best == "" || more > 0 || more == 0 && len(call) < len(best)
			if call != "" && isBetter {
				best = call
			}
			if shows(best) == showsAll && len(best) <= good {
				break
			}
		}
		if best != "" {
			break
		}
	}
	return best
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

// fragments returns the first argument in a nested object, and the first list, that a call of a
// shown tool may have, as they are written; "" for none.
func (m *Manual) fragments() (nest, list string) {
	for _, p := range m.shown[:min(len(m.shown), manyExamples)] {
		if p.JSON || p.Tool.Args == nil || m.loads(p.Tool.Name) {
			continue
		}
		values := maker{isTerse: true} // bounded for all of them together
		for _, f := range p.Tool.Args.Fields {
			if f.Type == nil || f.Type.Free != sig.Object && f.Type.Free != sig.Array {
				continue
			}
			values.letters = 0
			value := firstMember(values.value(f.Name, f.Type))
			if value == nil {
				continue
			}
			text := m.argument(p.Tool.Name, rawjson.Make(f.Name, value))
			if strings.HasPrefix(text, f.Name+".") {
				nest = cmp.Or(nest, text)
			} else if strings.HasPrefix(text, f.Name+"=[") && !strings.Contains(text, "{}") {
				list = cmp.Or(list, text)
			}
		}
	}
	return nest, list
}

// firstMember returns an object with only its first member, at every level, and other JSON as it
// is.
func firstMember(value []byte) []byte {
	o := rawjson.ParseObject(value)
	if len(o) == 0 {
		return value
	}
	return rawjson.Make(o[0].Key, firstMember(o[0].Value)).Append(nil)
}

// argument returns arguments of a tool as a call has them, "" if they contain a tag.
func (m *Manual) argument(tool string, input rawjson.Object) string {
	call := parse.Call{Name: tool, Input: input.Append(nil)}
	text, err := m.writeCall(m.catalog, call, false, 0)
	text = strings.TrimPrefix(text, m.format.Call.Open+tool+" ")
	text = strings.TrimSuffix(text, m.format.Call.Close)
	if err != nil || m.guard.In(text) {
		return ""
	}
	return text
}

// harm is how much harm an example of a tool seems to do.
type harm uint8

const (
	reads   harm = iota // it looks something up
	changes             // it does something that can be undone
	harms               // it cannot
	loads               // it is the loader, the last resort
)

// harmOf returns the greatest harm that a word in the tool's name suggests.
func (m *Manual) harmOf(name string) harm {
	if m.loads(name) {
		return loads
	}
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
