package fuzz

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// besideResults are tags that meet those of results at their ends.
var besideResults = []lexer.Delims{{Open: "<<", Close: ">>"}, {Open: "|<", Close: ">|"}, {Open: ">|", Close: "|<"}, {Open: "><", Close: "!!"}, {Open: "|<tool-result", Close: "/call>"}}

// rewriting is a history on its way to a model.
type rewriting struct {
	History
	catalog *sig.Catalog // of the tools that there are, and those that there were
	delims  lexer.Delims

	out      []manual.Message
	reported map[[2]int]error // by message and part
}

// newRewriting returns a history that is rewritten; ok is false where its tags
// cannot be used.
func newRewriting(s Source) (r rewriting, ok bool) {
	r.reported = make(map[[2]int]error)
	r.delims = oneOf(s, Tags(s), oneOf(s, besideResults...))
	tools := Tools(s)
	now := mustCompile(tools)
	r.catalog = mustCompile(withFormer(tools, now))
	r.History = NewHistory(s, now, r.delims)
	o := manual.HistoryOptions{Options: manual.Options{Delims: r.delims}, NeutralizeUser: true}
	o.Report = func(e *manual.HistoryError) { r.reported[[2]int{e.Message, e.Part}] = e }
	var err error
	r.out, err = o.Rewrite(now, r.Messages)
	return r, err == nil
}

// withFormer returns the tools and, of no known types, those that a history calls
// without their being there any more.
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
	var results []string
	for _, m := range r.out {
		if m.Role == manual.Assistant {
			if wanted, wrong = r.calls(m, wanted); wrong != "" {
				return wrong
			}
			continue
		}
		if wrong := r.harmless(m); wrong != "" {
			return wrong
		}
		for _, p := range m.Parts {
			if isResult(p) {
				results = append(results, p.Text)
			}
		}
	}
	if len(wanted) > 0 {
		return fmt.Sprintf("the call of %q is lost", wanted[0].Tool)
	}
	if len(results) != len(r.Results) {
		return fmt.Sprintf("%d of %d results", len(results), len(r.Results))
	}
	for i, want := range r.Results {
		text := strings.Trim(results[i], "\n")
		_, inner, _ := strings.Cut(text, "\n")
		inner = inner[:max(0, strings.LastIndexByte(inner, '\n'))]
		if got := manual.Restore(inner, r.delims); got != want {
			return fmt.Sprintf("result %d is %q, want %q", i, got, want)
		}
	}
	return ""
}

// wanted returns the calls that have to be in the texts: those that were not
// reported, which only the others may be, and those whose writing the tags forbid.
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

// refusable reports whether a call may be refused for err, because of its tags.
func (r rewriting) refusable(c Invocation, err error) bool {
	var e *lexer.Error
	return errors.As(err, &e) && trip{tool: c.Tool, opts: parse.FormatOptions{Delims: r.delims}}.refusable(e.Code)
}

// calls checks that a message of the assistant has the first of the wanted calls,
// and no others, and returns those that are left.
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

// harmless checks that nobody but the assistant calls: not in a text, not where a
// result and what stands beside it are put together, and not within a picture.
func (r rewriting) harmless(m manual.Message) string {
	var texts []string
	for i, p := range m.Parts {
		if p.Kind != manual.Text {
			texts = append(texts, stringsOf(p.Raw)...)
			continue
		}
		texts = append(texts, p.Text)
		if i > 0 && m.Parts[i-1].Kind == manual.Text && (isResult(p) || isResult(m.Parts[i-1])) {
			texts = append(texts, m.Parts[i-1].Text+p.Text)
		}
	}
	for _, text := range texts {
		for _, s := range (parse.Options{Delims: r.delims}).Text(text, r.catalog) {
			if s.Kind != parse.Prose {
				return fmt.Sprintf("%q of a message of %s is read as a call, in %q", s.Text, m.Role, text)
			}
		}
	}
	return ""
}

// isResult reports whether a part is a result: no other text may begin so.
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

// TestHistory: in a history that is rewritten, of whatever shape and
// under whatever tags, neither what a tool returned nor what a user said is a
// call; the calls of the assistant are exactly those that it made, with equal
// arguments; those that cannot be written are reported; and every result says
// what it said.
func TestHistory(t *testing.T) {
	calls, results, reported, refused := 0, 0, 0, 0
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
	})
	t.Logf("%d calls, %d of them reported; %d results; %d histories whose tags were refused", calls, reported, results, refused)
	if reported == 0 || calls <= 2*reported || results == 0 {
		t.Error("too little was rewritten")
	}
}
