package conversation

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/parse"
)

// ReadText makes parts of the calls and results in text.
// Results belong to the calls before them, in their order.
func (t *Transcript) ReadText() error {
	tools, err := manual.New(t.Catalog, &manual.Options{Format: t.Options.Format})
	if err != nil {
		return err
	}
	r := reader{Transcript: t, manual: tools, block: resultBlock}
	if f := t.Options.Format; f != nil && f.Prompt.Result != (parse.Tags{}) {
		r.block = resultOf(f.Prompt.Result)
	}
	var all []manual.Message
	for _, m := range t.Messages {
		read := map[string]func(manual.Part) []manual.Part{
			manual.System: r.withoutPrompt, manual.Assistant: r.calls,
			manual.User: r.results, manual.ToolRole: r.results,
		}[m.Role]
		parts := m.Parts
		m.Parts = nil
		for _, p := range parts {
			if p.Kind == manual.Text && read != nil {
				m.Parts = append(m.Parts, read(p)...)
			} else {
				m.Parts = append(m.Parts, p)
			}
		}
		if m.Role == manual.Assistant {
			r.open = nil
			for i := range m.Parts {
				if m.Parts[i].Kind == manual.Call {
					r.open = append(r.open, &m.Parts[i])
				}
			}
			if len(parts) == 1 && parts[0].Kind == manual.Text {
				m.Source = parts[0].Text
			}
		}
		if m.Role != manual.System || len(m.Parts) > 0 {
			all = append(all, m)
		}
	}
	t.Messages = all
	return r.err
}

// reader reads the text of one conversation.
type reader struct {
	*Transcript
	manual *manual.Manual
	block  *regexp.Regexp // a result
	count  int            // of calls
	open   []*manual.Part // calls of the step; nil where one has its result
	err    error
}

// withoutPrompt returns a system text without the prompt, or nothing if no more is in it.
func (r *reader) withoutPrompt(p manual.Part) []manual.Part {
	if prompt := r.manual.String(); prompt != "" && strings.Contains(p.Text, prompt) {
		p.Text = strings.TrimSpace(strings.Replace(p.Text, prompt, "", 1))
	}
	if p.Text == "" {
		return nil
	}
	return []manual.Part{p}
}

// calls returns a text with the calls in it as parts, or as it is if it has none. Malformed calls
// stay text.
func (r *reader) calls(p manual.Part) (all []manual.Part) {
	before := r.count
	text := "" // without tags around several calls
	flush := func() {
		text = strings.TrimSpace(text)
		if text != "" {
			all = append(all, manual.Part{Kind: manual.Text, Text: text})
		}
		text = ""
	}
	tools := protocol.Tools(r.Options.Format, r.Catalog)
	segments, err := parse.Message(tools, p.Text, &r.Options)
	if err != nil {
		r.err = err
	}
	for _, s := range segments {
		if s.Call == nil {
			text += s.Text
			continue
		}
		flush()
		r.count++
		all = append(all, manual.Part{
			Kind: manual.Call, ID: fmt.Sprintf("call_%d", r.count), Name: s.Call.Name,
			Input: s.Call.Input,
		})
	}
	flush()
	if r.count == before {
		return []manual.Part{p}
	}
	return all
}

// resultBlock is a result as package manual writes it. Nothing in it can end it.
var resultBlock = regexp.MustCompile(
	`(?s)<tool-(result|error)(?: name=("(?:[^"\\]|\\.)*"))?(?: call="([0-9]{1,9})")?>\n` +
		`(.*?)\n?</tool-(?:result|error)>\n?`)

// resultOf returns the pattern of a result between tags, in the groups of [resultBlock]. Without a
// closing tag it goes to the end of the text.
func resultOf(tags parse.Tags) *regexp.Regexp {
	open := regexp.QuoteMeta(tags.Open)
	for _, field := range []string{"{name}", "{id}"} {
		open = strings.Replace(open, regexp.QuoteMeta(field), "[^\n]*?", 1)
	}
	end := `\z`
	if tags.Close != "" {
		end = strings.Replace(regexp.QuoteMeta(tags.Close), "\n", "\n?", 1) + `\n?`
	}
	return regexp.MustCompile(`(?s)` + open + `()()()(.*?)` + end)
}

// results returns a text with the results in it as parts, before the rest of the text. A result
// without a call stays text.
func (r *reader) results(p manual.Part) (all []manual.Part) {
	var rest strings.Builder
	at := 0
	for _, m := range r.block.FindAllStringSubmatchIndex(p.Text, -1) {
		group := func(n int) string { return p.Text[max(m[2*n], 0):max(m[2*n+1], 0)] }
		var name string
		json.Unmarshal([]byte(group(2)), &name) // "" if there is none
		number, _ := strconv.Atoi(group(3))     // 0 if there is none
		call := r.take(name, number)
		if call == nil {
			continue
		}
		rest.WriteString(p.Text[at:m[0]])
		at = m[1]
		all = append(all, manual.Part{
			Kind: manual.Result, ID: call.ID, Name: call.Name,
			Failed: group(1) == "error", Text: r.manual.Restore(group(4)),
		})
	}
	rest.WriteString(p.Text[at:])
	if strings.TrimSpace(rest.String()) != "" || len(all) == 0 {
		p.Text = rest.String()
		all = append(all, p)
	}
	return all
}

// take removes a call from the open ones and returns it: the call with that number, or for number
// 0 the first one with that name. An empty name matches any call.
func (r *reader) take(name string, number int) *manual.Part {
	for i, call := range r.open {
		isNamed := call != nil && (name == "" || call.Name == name)
		if isNamed && (number == 0 || number == i+1) {
			r.open[i] = nil
			return call
		}
	}
	return nil
}
