package fuzz

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// medium matches the parts that APIs accept from users for pictures and files; such
// results of tools become one.
var medium = regexp.MustCompile(`"type":"(image_url|image|input_image|file|input_file|document)"`)

// notShown replaces one that an API does not accept.
var notShown = regexp.MustCompile(`\n?\(Attachment not shown: .*\)`)

// besideResults are tags that overlap those of results at their ends.
var besideResults = []lexer.Delims{{Open: "<<", Close: ">>"}, {Open: "|<", Close: ">|"}, {Open: ">|", Close: "|<"}, {Open: "><", Close: "!!"}, {Open: "|<tool-result", Close: "/call>"}}

// rewriting is a history that is rewritten for a model.
type rewriting struct {
	History
	catalog *sig.Catalog // current and former tools
	delims  lexer.Delims

	manual   *manual.Manual
	out      []manual.Message
	reported map[[2]int]error // by message and part
}

// newRewriting returns a rewritten history; ok is false if its tags cannot be used.
func newRewriting(s Source) (r rewriting, ok bool) {
	r.reported = make(map[[2]int]error)
	r.delims = oneOf(s, Tags(s), oneOf(s, besideResults...))
	tools := Tools(s)
	now := mustCompile(tools)
	r.catalog = mustCompile(withFormer(tools, now))
	r.History = NewHistory(s, now, r.delims)
	var err error
	r.manual, err = manual.New(now, &manual.Options{Tags: r.delims})
	if err != nil {
		return r, false
	}
	out, errs := r.manual.Rewrite(r.Messages)
	for _, e := range errs {
		r.reported[[2]int{e.Message, e.Part}] = e
	}
	r.out = out
	return r, true
}

// withFormer returns the tools and, untyped, those that a history calls although they no
// longer exist.
func withFormer(tools string, now *sig.Catalog) string {
	tools = strings.TrimSuffix(tools, "]")
	for _, name := range append([]string{manual.DefaultLoader}, toolNames...) {
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
	results, kept := r.Results, r.kept()
	said := "" // by others than the assistant, concatenated
	for _, m := range r.out {
		if m.Role == manual.Assistant {
			said = ""
			if wanted, wrong = r.calls(m, wanted); wrong != "" {
				return wrong
			}
			continue
		}
		if m.Role != manual.User {
			said = ""
		}
		for _, p := range m.Parts {
			switch said += p.Text; {
			case isResult(p) && len(results) == 0:
				return fmt.Sprintf("unexpected result %q", p.Text)
			case isResult(p):
				if wrong := r.result(p, results[0], wanted); wrong != "" {
					return wrong
				}
				if len(kept) > 0 && kept[0] == results[0].Kept && r.instead(p, kept[0]) != r.inner(p) {
					kept = kept[1:]
				}
				results = results[1:]
			case p.Kind != manual.Text && len(kept) > 0 && string(p.Raw) == kept[0]:
				kept = kept[1:]
			case p.Kind != manual.Text && len(kept) > 0 && medium.MatchString(kept[0]) && medium.Match(p.Raw): // written as the API has it
				kept = kept[1:]
			case p.Kind != manual.Text && !medium.Match(p.Raw):
				return fmt.Sprintf("%s is kept", p.Raw)
			}
		}
		if wrong := r.harmless(m, said); wrong != "" {
			return wrong
		}
	}
	switch {
	case len(wanted) > 0:
		return fmt.Sprintf("the call of %q is lost", wanted[0].Tool)
	case len(results) > 0:
		return fmt.Sprintf("the result %+v is lost", results[0])
	case len(kept) > 0:
		return kept[0] + " is lost"
	}
	return ""
}

// kept returns the parts of results that must not change.
func (r rewriting) kept() (list []string) {
	for _, o := range r.Results {
		if o.Kept != "" {
			list = append(list, o.Kept)
		}
	}
	return list
}

// result checks that a part is the result o, that it names its call, and that it is after
// that call, which is then no longer wanted.
func (r rewriting) result(p manual.Part, o Outcome, wanted []Invocation) string {
	text := strings.Trim(p.Text, "\n")
	head, _, _ := strings.Cut(text, "\n")
	tag, attribute, _ := strings.Cut(strings.TrimSuffix(head, ">"), " name=")
	name := ""
	if attribute != "" && json.NewDecoder(strings.NewReader(attribute)).Decode(&name) != nil { // a number may follow
		return fmt.Sprintf("%s has no readable name", head)
	}
	switch {
	case name != o.Tool:
		return fmt.Sprintf("%s, but the tool is %q", head, o.Tool)
	case tag != map[bool]string{false: "<tool-result", true: "<tool-error"}[o.Failed] || !strings.HasSuffix(text, "\n</"+tag[1:]+">"):
		return fmt.Sprintf("failed is %t, but not in %q", o.Failed, text)
	case r.inner(p) != o.Text && (!medium.MatchString(o.Kept) || r.instead(p, o.Kept) != o.Text):
		return fmt.Sprintf("a result is %q, want %q", r.inner(p), o.Text)
	case len(wanted) > 0 && o.Call >= wanted[0].Index:
		return fmt.Sprintf("%q is before its call", text)
	}
	return ""
}

// inner returns what a result says.
func (r rewriting) inner(p manual.Part) string {
	_, inner, _ := strings.Cut(strings.Trim(p.Text, "\n"), "\n")
	return r.manual.Restore(inner[:max(0, strings.LastIndexByte(inner, '\n'))])
}

// instead returns what a result says without what replaces its picture or file: a note, or
// the JSON of one that is empty.
func (r rewriting) instead(p manual.Part, kept string) string {
	inner := r.inner(p)
	if without, found := strings.CutSuffix(inner, compacted(kept)); found {
		return strings.TrimSuffix(without, "\n")
	}
	return notShown.ReplaceAllString(inner, "")
}

// wanted returns the calls that must be in the texts: those that were not reported. Only
// calls that cannot be written, or that the tags forbid, may be reported.
func (r rewriting) wanted() (calls []Invocation, wrong string) {
	n := 0
	for i, m := range r.Messages {
		for k, p := range m.Parts {
			if p.Kind != manual.Call {
				continue
			}
			if n == len(r.Calls) || p.Name != r.Calls[n].Tool {
				return nil, fmt.Sprintf("call %d is read as one of %q", n, p.Name)
			}
			c := r.Calls[n]
			n++
			err, reported := r.reported[[2]int{i, k}]
			switch {
			case !reported:
				calls = append(calls, c)
			case c.Sound && !r.refusable(c, err):
				return nil, fmt.Sprintf("the call of %q is reported: %v", c.Tool, err)
			}
			if !reported && !c.Sound {
				return nil, fmt.Sprintf("the call of %q with %s is not reported", c.Tool, c.Input)
			}
		}
	}
	if n != len(r.Calls) {
		return nil, fmt.Sprintf("%d of %d calls are read", n, len(r.Calls))
	}
	return calls, ""
}

// refusable reports whether a call may be refused with err, because of the tags.
func (r rewriting) refusable(c Invocation, err error) bool {
	var e *lexer.Error
	return errors.As(err, &e) && trip{tool: c.Tool, opts: parse.FormatOptions{Delims: r.delims}}.refusable(e.Code)
}

// calls checks that a message of the assistant has the first of the wanted calls and no
// others, and returns the rest.
func (r rewriting) calls(m manual.Message, wanted []Invocation) (left []Invocation, wrong string) {
	for _, p := range m.Parts {
		if p.Kind != manual.Text {
			continue
		}
		for _, s := range (parse.Options{Delims: r.delims}).Text(p.Text, r.catalog) {
			switch {
			case s.Kind == parse.Prose:
			case s.Kind != parse.Call || len(wanted) == 0 || s.Name != wanted[0].Tool || !sameJSON(s.Input, []byte(wanted[0].Input)):
				return nil, fmt.Sprintf("%q was not called, in %q", s.Text, p.Text)
			default:
				wanted = wanted[1:]
			}
		}
	}
	return wanted, ""
}

// harmless checks that only the assistant makes calls: there is none in any other text, in
// the concatenation of consecutive texts, or in a picture; and that no other results begin
// or end.
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
		for _, s := range (parse.Options{Delims: r.delims}).Text(text, r.catalog) {
			if s.Kind != parse.Prose {
				return fmt.Sprintf("%q of a message of %s is read as a call, in %q", s.Text, m.Role, text)
			}
		}
		begun, ended := strings.Count(text, "<tool-result")+strings.Count(text, "<tool-error"), strings.Count(text, "</tool-result>")+strings.Count(text, "</tool-error>")
		if begun != ended || text != said && begun > 1 {
			return fmt.Sprintf("%d results begin and %d end in %q", begun, ended, text)
		}
	}
	return ""
}

// isResult reports whether a part is a result: no other text may begin like one.
func isResult(p manual.Part) bool {
	text := strings.TrimPrefix(p.Text, "\n")
	return p.Kind == manual.Text && (strings.HasPrefix(text, "<tool-result") || strings.HasPrefix(text, "<tool-error"))
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
// returned or a user said is a call; the calls of the assistant are exactly those that it
// made, with equal arguments; those that cannot be written are reported; and every result
// appears unchanged and once, after its call and with its name, as a result or an error.
func TestHistory(t *testing.T) {
	calls, results, failed, reported, refused := 0, 0, 0, 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		r, ok := newRewriting(Drawn(rt))
		if !ok {
			refused++
			return
		}
		if wrong := r.check(); wrong != "" {
			rt.Fatalf("%s\ntags %q\n%+v\nbecame\n%+v", wrong, r.delims, r.Messages, r.out)
		}
		calls, results, reported = calls+len(r.Calls), results+len(r.Results), reported+len(r.reported)
		for _, o := range r.Results {
			if o.Failed {
				failed++
			}
		}
	})
	t.Logf("%d calls, %d of them reported; %d results, %d of them errors; %d histories whose tags were refused", calls, reported, results, failed, refused)
	if reported == 0 || calls <= 2*reported || failed == 0 || results <= failed {
		t.Error("too little was rewritten")
	}
}
