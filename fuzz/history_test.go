package fuzz

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/sig"
)

// medium matches the parts that APIs accept from users for pictures and files; such results of
// tools become one.
var medium = regexp.MustCompile(`"type":"(image_url|image|input_image|file|input_file|document)"`)

// notShown replaces one that an API does not accept.
var notShown = regexp.MustCompile(`\n?\(Attachment not shown: .*\)`)

// besideResults are tags that overlap those of results at their ends.
var besideResults = []protocol.Tags{
	{Open: "<<", Close: ">>"}, {Open: "|<", Close: ">|"}, {Open: ">|", Close: "|<"},
	{Open: "><", Close: "!!"}, {Open: "|<tool-result", Close: "/call>"},
}

// A rewriting is a conversation that is rewritten for a model.
type rewriting struct {
	conversation
	catalog  *sig.Catalog // current and former tools
	tags     protocol.Tags
	manual   *manual.Manual
	out      []manual.Message
	reported map[[2]int]error // by message and part
}

// newRewriting returns a rewritten history; ok is false if its tags cannot be used.
func newRewriting(s Source) (r rewriting, ok bool) {
	r.tags = cmp.Or(oneOf(s, Tags(s), oneOf(s, besideResults...)), protocol.Wire.Call)
	tools := Tools(s)
	now := mustCompile(tools)
	r.catalog = mustCompile(withFormer(tools, now))
	var err error
	if r.manual, err = newManual(now, r.tags); err != nil {
		return r, false
	}
	r.conversation = newConversation(s, now, r.tags)
	out, errs := r.manual.Rewrite(r.messages)
	r.out, r.reported = out, map[[2]int]error{}
	for _, e := range errs {
		var at [2]int
		fmt.Sscanf(e.Error(), "manual: message %d, part %d:", &at[0], &at[1])
		r.reported[at] = errors.Unwrap(e)
	}
	return r, true
}

// defaultLoader is the name of the loader that package manual adds.
const defaultLoader = "__load_tool_schema__"

// withFormer returns the tools and, untyped, those that a history calls although they no longer
// exist.
func withFormer(tools string, now *sig.Catalog) string {
	tools = strings.TrimSuffix(tools, "]")
	for _, name := range append([]string{defaultLoader}, toolNames...) {
		if now.Lookup([]byte(name)) == nil {
			tools += `,{"name":"` + name + `"}`
		}
	}
	return tools + "]"
}

// check returns what is wrong, or "".
func (r rewriting) check() string {
	wanted, wrong := r.wanted()
	if wrong != "" {
		return wrong
	}
	left := remaining{results: r.results}
	for _, o := range r.results {
		if o.kept != "" {
			left.kept = append(left.kept, o.kept)
		}
	}
	said := "" // by others than the assistant, concatenated
	for _, m := range r.out {
		if m.Role == manual.Assistant {
			said = ""
			if wanted, wrong = r.called(m, wanted); wrong != "" {
				return wrong
			}
			continue
		}
		if m.Role != manual.User {
			said = ""
		}
		for _, p := range m.Parts {
			said += p.Text
			if wrong := r.part(p, &left, wanted); wrong != "" {
				return wrong
			}
		}
		if wrong := r.harmless(m, said); wrong != "" {
			return wrong
		}
	}
	if len(wanted)+len(left.results)+len(left.kept) > 0 {
		return fmt.Sprintf("calls %v, results %+v and parts %q are lost",
			wanted, left.results, left.kept)
	}
	return ""
}

// remaining is what must still come.
type remaining struct {
	results []outcome
	kept    []string
}

// part checks a part of a message that is not the assistant's.
func (r rewriting) part(p manual.Part, left *remaining, wanted []int) string {
	picture := p.Kind != manual.Text
	switch {
	case isResult(p) && len(left.results) == 0:
		return fmt.Sprintf("unexpected result %q", p.Text)
	case isResult(p):
		o := left.results[0]
		left.results = left.results[1:]
		if wrong := r.result(p, o, wanted); wrong != "" {
			return wrong
		}
		if len(left.kept) > 0 && left.kept[0] == o.kept && r.instead(p, o.kept) != r.inner(p) {
			left.kept = left.kept[1:]
		}
	case picture && len(left.kept) > 0 && (string(p.Raw) == left.kept[0] ||
		medium.MatchString(left.kept[0]) && medium.Match(p.Raw)): // written as the API has it
		left.kept = left.kept[1:]
	case picture && !medium.Match(p.Raw):
		return fmt.Sprintf("%s is kept", p.Raw)
	}
	return ""
}

// result checks that a part is the result o, that it names its call, and that it is after that
// call, which is then no longer wanted.
func (r rewriting) result(p manual.Part, o outcome, wanted []int) string {
	text := strings.Trim(p.Text, "\n")
	head, _, _ := strings.Cut(text, "\n")
	tag, attribute, _ := strings.Cut(strings.TrimSuffix(head, ">"), " name=")
	name := ""
	if json.NewDecoder(strings.NewReader(attribute)).Decode(&name) != nil { // a number may follow
		return fmt.Sprintf("%s has no readable name", head)
	}
	want := "<tool-result"
	if o.failed {
		want = "<tool-error"
	}
	switch {
	case name != r.calls[o.call].tool:
		return fmt.Sprintf("%s, but the tool is %q", head, r.calls[o.call].tool)
	case tag != want || !strings.HasSuffix(text, "\n</"+tag[1:]+">"):
		return fmt.Sprintf("failed is %t, but not in %q", o.failed, text)
	case r.inner(p) != o.text && (!medium.MatchString(o.kept) || r.instead(p, o.kept) != o.text):
		return fmt.Sprintf("a result is %q, want %q", r.inner(p), o.text)
	case len(wanted) > 0 && o.call >= wanted[0]:
		return fmt.Sprintf("%q is before its call", text)
	}
	return ""
}

// inner returns what a result says.
func (r rewriting) inner(p manual.Part) string {
	_, inner, _ := strings.Cut(strings.Trim(p.Text, "\n"), "\n")
	return r.manual.Restore(inner[:max(0, strings.LastIndexByte(inner, '\n'))])
}

// instead returns what a result says without what replaces its picture or file: a note, or the
// JSON of one that is empty.
func (r rewriting) instead(p manual.Part, kept string) string {
	inner := r.inner(p)
	if without, found := strings.CutSuffix(inner, compacted(kept)); found {
		return strings.TrimSuffix(without, "\n")
	}
	return notShown.ReplaceAllString(inner, "")
}

// wanted returns the indexes of the calls that must be in the texts: those that were not reported.
// Only calls that cannot be written, or that the tags forbid, may be reported.
func (r rewriting) wanted() (calls []int, wrong string) {
	n := 0
	for i, m := range r.messages {
		for k, p := range m.Parts {
			if p.Kind != manual.Call {
				continue
			}
			if n == len(r.calls) || p.Name != r.calls[n].tool {
				return nil, fmt.Sprintf("call %d is read as one of %q", n, p.Name)
			}
			c := r.calls[n]
			err, reported := r.reported[[2]int{i, k}]
			switch {
			case reported && c.sound && !r.refusable(c, err):
				return nil, fmt.Sprintf("the call of %q is reported: %v", c.tool, err)
			case !reported && !c.sound:
				return nil, fmt.Sprintf("the call of %q with %s is not reported", c.tool, c.input)
			case !reported:
				calls = append(calls, n)
			}
			n++
		}
	}
	if n != len(r.calls) {
		return nil, fmt.Sprintf("%d of %d calls are read", n, len(r.calls))
	}
	return calls, ""
}

// refusable reports whether a call may be refused with err, because of the tags.
func (r rewriting) refusable(c invocation, err error) bool {
	setup := Setup{Catalog: sig.AnyTool}
	setup.Tags = r.tags
	var e *parse.Error
	return errors.As(err, &e) && Trip{Setup: setup, Tool: c.tool}.refusable(e.Code)
}

// called checks that a message of the assistant has the first of the wanted calls and no others,
// and returns the rest.
func (r rewriting) called(m manual.Message, wanted []int) (left []int, wrong string) {
	for _, p := range m.Parts {
		if p.Kind != manual.Text {
			continue
		}
		for _, s := range r.read(p.Text) {
			if s.Type == textPart {
				continue
			}
			if s.Type != callPart || len(wanted) == 0 {
				return nil, fmt.Sprintf("%+v was not called, in %q", s, p.Text)
			}
			c := r.calls[wanted[0]]
			if s.Name != c.tool || !carries(s.Input, c.input) {
				return nil, fmt.Sprintf("%+v was not called, in %q", s, p.Text)
			}
			wanted = wanted[1:]
		}
	}
	return wanted, ""
}

// read reads a text as a model's.
func (r rewriting) read(text string) []Part {
	setup := Setup{Catalog: r.catalog}
	setup.Tags, setup.AllowInCode, setup.AllowAfterMalformed = r.tags, true, true
	parts, err := setup.Whole([]byte(text))
	if err != nil {
		panic(err)
	}
	return parts
}

// harmless checks that only the assistant makes calls: there is none in any other text, in the
// concatenation of consecutive texts, or in a picture; and that no other results begin or end.
func (r rewriting) harmless(m manual.Message, said string) string {
	texts := []string{said}
	for _, p := range m.Parts {
		if p.Kind == manual.Text {
			texts = append(texts, p.Text)
		} else {
			texts = append(texts, stringsOf(p.Raw)...)
		}
	}
	for _, text := range texts {
		if parts := r.read(text); countOf(parts, textPart) < len(parts) {
			return fmt.Sprintf("%q of %s is read as %+v", text, m.Role, parts)
		}
		started := strings.Count(text, "<tool-result") + strings.Count(text, "<tool-error")
		ended := strings.Count(text, "</tool-result>") + strings.Count(text, "</tool-error>")
		if started != ended || text != said && started > 1 {
			return fmt.Sprintf("%d results start and %d end in %q", started, ended, text)
		}
	}
	return ""
}

// isResult reports whether a part is a result: no other text may begin like one.
func isResult(p manual.Part) bool {
	text := strings.TrimPrefix(p.Text, "\n")
	return p.Kind == manual.Text &&
		(strings.HasPrefix(text, "<tool-result") || strings.HasPrefix(text, "<tool-error"))
}

// stringsOf returns all strings in JSON.
func stringsOf(data []byte) (list []string) {
	d := json.NewDecoder(strings.NewReader(string(data)))
	for {
		token, err := d.Token()
		if err != nil {
			return list
		}
		if text, ok := token.(string); ok {
			list = append(list, text)
		}
	}
}

// TestHistory: in a rewritten history, of any shape and with any tags, nothing that a tool
// returned or a user said is a call; the calls of the assistant are exactly those that it made,
// with equal arguments; those that cannot be written are reported; and every result appears
// unchanged and once, after its call and with its name, as a result or an error.
func TestHistory(t *testing.T) {
	calls, results, reported := 0, 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		r, ok := newRewriting(Drawn(rt))
		if !ok {
			return
		}
		if wrong := r.check(); wrong != "" {
			rt.Fatalf("%s\ntags %q\n%+v\nbecame\n%+v", wrong, r.tags, r.messages, r.out)
		}
		calls += len(r.calls)
		results += len(r.results)
		reported += len(r.reported)
	})
	if reported == 0 || calls <= 2*reported || results == 0 {
		t.Errorf("%d calls, %d reported, and %d results are too few", calls, reported, results)
	}
}

// FuzzHistory is TestHistory for a history that the bytes choose.
func FuzzHistory(f *testing.F) {
	seedChoices(f)
	f.Fuzz(func(t *testing.T, choices []byte) {
		if len(choices) > small {
			return
		}
		r, ok := newRewriting(&Choices{choices})
		if !ok {
			return
		}
		if wrong := r.check(); wrong != "" {
			t.Fatalf("%s\ntags %q\n%+v\nbecame\n%+v", wrong, r.tags, r.messages, r.out)
		}
	})
}
