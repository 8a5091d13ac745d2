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
// adds the verdicts. They change no other record.
func (p Plan) judge(ctx context.Context, log *recordLog) error {
	cases := make(map[string]*Case)
	for i := range p.Cases {
		cases[p.Cases[i].ID] = &p.Cases[i]
	}
	known := make(map[string]Record) // verdicts, by the hash of the question
	judged := make(map[Key]string)   // hashes
	for _, r := range log.records {
		if r.Kind == KindJudge {
			known[r.Content], judged[r.Key] = r, r.Content
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
		verdict := Record{Key: miss.Key, Group: miss.Kind, Judge: p.Judge, Content: hash}
		verdict.Kind, verdict.Scripted = KindJudge, miss.Scripted
		if judged[verdict.Key] == hash {
			continue
		}
		verdict.Verdict = known[hash].Verdict
		if verdict.Verdict == nil {
			a, tries, err := p.Client.ask(ctx, question)
			if err != nil {
				return fmt.Errorf("the judge: %w", err)
			}
			right := isRight(a.raw.Text)
			verdict.Verdict, verdict.Raw = &right, []Raw{a.raw}
			verdict.Usage, verdict.Tries, verdict.Requests = a.usage, tries, 1
		}
		known[hash] = verdict
		if err := log.append(verdict); err != nil {
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
func (p Plan) question(c *Case, calls []Call) request {
	var b strings.Builder
	b.WriteString("The tools:\n")
	for _, tool := range c.Catalog.Tools() {
		b.WriteString(tool.Signature() + "\n")
	}
	fmt.Fprintf(&b, "\nThe user:\n%s\n\nExpected calls:\n", c.Prompt)
	list(&b, c.Solution[0])
	b.WriteString("\nCalls of the assistant:\n")
	list(&b, calls)
	b.WriteString("\nRIGHT or WRONG?")
	params := Params{
		Model: p.Judge, MaxTokens: 1024, Temperature: new(float64), Extra: p.Params.Extra,
	}
	messages := []manual.Message{say(manual.System, systemOfJudge), say(manual.User, b.String())}
	return request{params, messages, nil}
}

func list(b *strings.Builder, calls []Call) {
	for _, c := range calls {
		text, err := bench.JSON(c)
		if err != nil {
			continue // its input was read as JSON
		}
		b.Write(append(text, '\n'))
	}
}

// isRight reads the verdict: the last of the two words counts.
func isRight(text string) bool {
	text = strings.ToUpper(text)
	return strings.LastIndex(text, "RIGHT") > strings.LastIndex(text, "WRONG")
}
