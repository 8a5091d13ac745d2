package live

import (
	"context"
	"fmt"
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/manual"
)

const systemOfJudge = "You judge tool calls that an assistant made for a user. Other calls were " +
	"expected, but differences in wording that mean the same to the tools are no faults. Answer " +
	"with one word: RIGHT if the calls do what the user asked for, WRONG if not."

// judge asks a model about all misses in the log that made a call and were not judged before, and
// adds the verdicts. They change no other record. The same question is asked once.
func (p Plan) judge(ctx context.Context, log *recordLog) error {
	cases := make(map[string]*Case)
	for i := range p.Cases {
		cases[p.Cases[i].ID] = &p.Cases[i]
	}
	verdicts := make(map[string]*bool) // by the hash of the question
	judged := make(map[Key]string)     // hashes
	for _, r := range log.records {
		if r.Kind == KindJudge {
			verdicts[r.Content], judged[r.Key] = r.Verdict, r.Content
		}
	}
	for _, miss := range Latest(log.records) {
		c := cases[miss.Case]
		if c == nil || !miss.judgeable() {
			continue
		}
		question := p.question(c, miss.Calls)
		hash, err := p.Client.hash(question)
		if err != nil {
			return err
		}
		r := Record{Key: miss.Key, Group: miss.Kind, Judge: p.Judge, Content: hash}
		r.Kind, r.Scripted, r.Verdict = KindJudge, miss.Scripted, verdicts[hash]
		if judged[r.Key] == hash {
			continue
		}
		if r.Verdict == nil {
			a, tries, err := p.Client.ask(ctx, question)
			if err != nil {
				return fmt.Errorf("the judge: %w", err)
			}
			right := isRight(a.raw.Text)
			r.Verdict, verdicts[hash] = &right, &right
			r.Raw, r.Usage, r.Tries, r.Requests = []Raw{a.raw}, a.usage, tries, 1
		}
		if err := log.append(r); err != nil {
			return err
		}
	}
	return nil
}

// judgeable reports whether a record is a miss with calls that a judge can compare.
func (r Record) judgeable() bool {
	isMiss := r.Kind == KindLive && r.Failure == "" && !r.Success
	return isMiss && len(r.Calls) > 0 && r.Group != "irrelevant"
}

// question is what the judge is asked.
func (p Plan) question(c *Case, calls []bench.Call) request {
	tools := ""
	for _, tool := range c.Catalog.Tools() {
		tools += tool.Signature() + "\n"
	}
	text := fmt.Sprintf("The tools:\n%s\nThe user:\n%s\n\nExpected calls:\n%s\n\n"+
		"Calls of the assistant:\n%s\n\nRIGHT or WRONG?", tools, c.Prompt,
		bench.JSON(c.Solution[0]), bench.JSON(calls))
	params := Params{
		Model: p.Judge, MaxTokens: 1024, Temperature: new(float64), Extra: p.Params.Extra,
	}
	messages := []manual.Message{say(manual.System, systemOfJudge), say(manual.User, text)}
	return request{params, messages, nil}
}

// isRight reads the verdict: the last of the two words counts.
func isRight(text string) bool {
	text = strings.ToUpper(text)
	return strings.LastIndex(text, "RIGHT") > strings.LastIndex(text, "WRONG")
}
