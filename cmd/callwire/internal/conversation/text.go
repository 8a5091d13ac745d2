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
	prompt, results := tools.String(), resultBlock
	if f := t.Options.Format; f != nil && f.Prompt.Result != (parse.Tags{}) {
		results = resultOf(f.Prompt.Result)
	}
	calls := 0
	var open []*manual.Part // calls of the step; nil where one has its result
	var all []manual.Message
	for _, m := range t.Messages {
		m.Parts = append([]manual.Part(nil), m.Parts...)
		switch m.Role {
		case manual.System:
			for i := range m.Parts {
				if text := m.Parts[i].Text; prompt != "" && strings.Contains(text, prompt) {
					m.Parts[i].Text = strings.TrimSpace(strings.Replace(text, prompt, "", 1))
				}
			}
			if len(m.Parts) == 1 && m.Parts[0].Kind == manual.Text && m.Parts[0].Text == "" {
				continue
			}
		case manual.Assistant:
			m.Parts, err = t.splitCalls(m.Parts, &calls)
			if err != nil {
				return err
			}
			open = nil
			for i := range m.Parts {
				if m.Parts[i].Kind == manual.Call {
					open = append(open, &m.Parts[i])
				}
			}
		case manual.User, manual.ToolRole:
			m.Parts = readResults(m.Parts, open, results, tools.Restore)
		}
		all = append(all, m)
	}
	t.Messages = all
	return nil
}

// splitCalls returns parts with the calls in text as parts. Malformed calls stay text.
func (t *Transcript) splitCalls(parts []manual.Part, calls *int) (all []manual.Part, err error) {
	for _, p := range parts {
		if p.Kind != manual.Text {
			all = append(all, p)
			continue
		}
		var text strings.Builder
		flush := func() {
			said := text.String()
			if !t.Exact {
				said = strings.TrimSpace(said)
			}
			if said != "" {
				all = append(all, manual.Part{Kind: manual.Text, Text: said})
			}
			text.Reset()
		}
		tools := protocol.Tools(t.Options.Format, t.Catalog)
		segments, err := parse.Message(tools, p.Text, &t.Options)
		if err != nil {
			return nil, err
		}
		for _, s := range segments {
			if s.Call == nil {
				text.WriteString(s.Text)
				continue
			}
			flush()
			*calls++
			all = append(all, manual.Part{
				Kind: manual.Call, ID: fmt.Sprintf("call_%d", *calls), Name: s.Call.Name,
				Input: s.Call.Input, Text: s.Text,
			})
		}
		flush()
	}
	return all, nil
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

// readResults returns parts with the results in text as parts. A result gets the id of the open
// call with its number, or else of the first one with its name. Without such a call it stays text.
func readResults(
	parts []manual.Part, open []*manual.Part, block *regexp.Regexp, restore func(string) string,
) (all []manual.Part) {
	for _, p := range parts {
		if p.Kind != manual.Text {
			all = append(all, p)
			continue
		}
		rest, at := strings.Builder{}, 0
		var results []manual.Part
		for _, m := range block.FindAllStringSubmatchIndex(p.Text, -1) {
			name := ""
			if m[5] > m[4] {
				json.Unmarshal([]byte(p.Text[m[4]:m[5]]), &name)
			}
			number := 0
			if m[7] > m[6] {
				number, _ = strconv.Atoi(p.Text[m[6]:m[7]]) // they are digits
			}
			call := take(open, name, number)
			if call == nil {
				continue
			}
			rest.WriteString(p.Text[at:m[0]])
			at = m[1]
			results = append(results, manual.Part{
				Kind: manual.Result, ID: call.ID, Name: call.Name,
				Failed: p.Text[m[2]:m[3]] == "error", Text: restore(p.Text[m[8]:m[9]]),
			})
		}
		rest.WriteString(p.Text[at:])
		all = append(all, results...)
		if strings.TrimSpace(rest.String()) != "" || len(results) == 0 {
			p.Text = rest.String()
			all = append(all, p)
		}
	}
	return all
}

// take removes a call from open and returns it: the call with that number, or for number 0 the
// first one with that name. An empty name matches any call.
func take(open []*manual.Part, name string, number int) *manual.Part {
	for i, call := range open {
		if call == nil {
			continue
		}
		isNamed := name == "" || call.Name == name
		isNumbered := number == 0 || number == i+1
		if isNamed && isNumbered {
			open[i] = nil
			return call
		}
	}
	return nil
}
