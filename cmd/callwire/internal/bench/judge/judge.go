package judge

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/endpoint"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/live"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/record"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/score"
)

// Judge is a model that judges.
type Judge struct {
	Client *endpoint.Client
	Model  string
	Extra  map[string]json.RawMessage // as of endpoint.Request
}

const system = "You judge calls of tools that an assistant made for a user. Another set of calls was expected; differences in wording that mean the same to the tools are no faults. Answer with one word: RIGHT if the calls do what the user asked for, WRONG if not."

// Misses asks about all misses in the records that have made a call, and that were
// not judged before, and adds the verdicts to the log.
func (j Judge) Misses(ctx context.Context, cases []live.Case, records []record.Record, log *record.Log) error {
	byID := make(map[string]live.Case, len(cases))
	for _, c := range cases {
		byID[c.ID] = c
	}
	known := make(map[string]bool) // verdicts, by the hash of the question
	judged := make(map[record.Key]string)
	for _, r := range records {
		if r.Kind == record.Judge && r.Verdict != nil {
			known[r.Content] = *r.Verdict
			judged[r.Key] = r.Content
		}
	}
	for _, miss := range record.Latest(records) {
		c, ok := byID[miss.Case]
		if !ok || miss.Kind != record.Live || miss.Success || miss.Failure != "" || len(miss.Calls) == 0 || miss.Wanted == 0 {
			continue
		}
		question := j.question(c, miss.Calls)
		hash, err := j.Client.Hash(question)
		if err != nil {
			return err
		}
		verdict := record.Record{Key: miss.Key, Group: miss.Kind, Judge: j.Model, Content: hash, Scripted: miss.Scripted}
		verdict.Kind = record.Judge
		if judged[verdict.Key] == hash {
			continue
		}
		right, ok := known[hash]
		if !ok {
			answer, err := j.Client.Ask(ctx, question, nil)
			if err != nil {
				return fmt.Errorf("the judge: %w", err)
			}
			right = isRight(answer.Text)
			verdict.Usage, verdict.Lost, verdict.Requests = answer.Usage, answer.Lost, 1
			verdict.Raw = []record.Raw{answer.Raw()}
			known[hash] = right
		}
		verdict.Verdict = &right
		if err := log.Append(verdict); err != nil {
			return err
		}
	}
	return nil
}

// question is what the judge is asked.
func (j Judge) question(c live.Case, calls []score.Call) endpoint.Request {
	var b strings.Builder
	b.WriteString("The tools:\n")
	for _, tool := range c.Catalog.Tools() {
		fmt.Fprintf(&b, "%s\n", tool.Signature())
	}
	b.WriteString("\nThe user:\n")
	for _, m := range c.Messages {
		fmt.Fprintf(&b, "%s\n", m.Text)
	}
	fmt.Fprintf(&b, "\nExpected calls:\n%s\nCalls of the assistant:\n%s\nRIGHT or WRONG?", list(c.Answer), list(calls))
	none := 0.0
	return endpoint.Request{Model: j.Model, System: system, MaxTokens: 1024, Temperature: &none, Extra: j.Extra,
		Messages: []endpoint.Message{{Role: "user", Text: b.String()}}}
}

func list(calls []score.Call) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for _, c := range calls {
		enc.Encode(c) // its input is JSON
	}
	return b.String()
}

// isRight reads the verdict: the last of the two words counts, and without one the
// miss is a miss.
func isRight(text string) bool {
	text = strings.ToUpper(text)
	return strings.LastIndex(text, "RIGHT") > strings.LastIndex(text, "WRONG")
}
