package live

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/manual"
)

const systemOfJudge = "You judge tool calls that an assistant made for a user. Other calls were " +
	"expected, but differences in wording that mean the same to the tools are no faults. Answer " +
	"with one word: RIGHT if the calls do what the user asked for, WRONG if not."

// judge asks a model about all misses in the log that made a call and that it did not judge yet,
// and records its verdicts beside them. It answers for the same calls once.
func (p Plan) judge(ctx context.Context, log *recordLog) error {
	made := func(r Record) string { return r.Case + string(bench.JSON(r.Calls)) }
	verdicts := make(map[string]*bool) // by the calls that were made
	for _, r := range log.records {
		if r.Judge == p.Judge {
			verdicts[made(r)] = r.Verdict
		}
	}
	for _, r := range Latest(log.records) {
		i := slices.IndexFunc(p.Cases, func(c Case) bool { return c.ID == r.Case })
		if i < 0 || r.Judge == p.Judge || !r.isJudgeable() {
			continue
		}
		r.Judge, r.JudgeUsage, r.Verdict = p.Judge, Usage{}, verdicts[made(r)]
		if r.Verdict == nil {
			a, err := p.Client.ask(ctx, p.question(&p.Cases[i], r.Calls))
			if err != nil {
				return fmt.Errorf("the judge: %w", err)
			}
			text := strings.ToUpper(a.text) // the last of the two words counts
			right := strings.LastIndex(text, "RIGHT") > strings.LastIndex(text, "WRONG")
			r.JudgeUsage, r.Verdict, verdicts[made(r)] = a.usage, &right, &right
		}
		if err := log.append(r); err != nil {
			return err
		}
	}
	return nil
}

// isJudgeable reports whether a record is a miss with calls that a judge can compare.
func (r Record) isJudgeable() bool {
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
	messages := []manual.Message{say(manual.System, systemOfJudge), say(manual.User, text)}
	return request{with(p.Params, "model", p.Judge), messages, nil}
}
