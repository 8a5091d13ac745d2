package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/judge"
	benchlive "github.com/callwire/callwire/cmd/callwire/internal/bench/live"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/record"
)

func newBenchLive() *cobra.Command {
	o := new(liveOptions)
	cmd := &cobra.Command{
		Use:   "live --base-url URL --model NAME",
		Short: "Measure how well models call tools, natively and in text",
		Long: `live asks the models of an endpoint for single messages, with native calls
and with calls in text, and judges the calls in them: 19 of one call, 5 of several,
6 for which no tool fits, or your own. It says how many are right, with 95 %
intervals and the difference to native calls on the same cases; what was malformed
or repaired; and tokens, cost and times.

Each trial is a line in the file of --out. A run that was stopped, by Ctrl-C, a
budget or a power cut, continues where it stopped when you run the same command
again. The key is taken from the environment and never shown or stored; prompts are
kept as hashes, and so is what models write with --redact.

Settings of text modes take several values, and each combination is measured:

  --style compact,classic --examples on,off --retries 0,1

Exit codes: 0 when all is measured, 1 when some of it could not be, or it was
stopped; 2 when the command line is wrong, or the endpoint answers nothing of use.`,
		Example: `  callwire bench live --demo
  callwire bench live --base-url https://api.openai.com/v1 \
      --key-env OPENAI_API_KEY --model gpt-4.1-mini --reps 3
  callwire bench live --base-url http://127.0.0.1:11434/v1 \
      --model llama3.1 --mode native,wire --report out
  callwire bench live --base-url https://api.anthropic.com --api anthropic \
      --key-env ANTHROPIC_API_KEY --model NAME --budget 200000
  callwire bench live --base-url URL --model NAME \
      --tools tools.json --cases cases.jsonl
  callwire bench live --base-url URL --model NAME \
      --bfcl BFCL_simple.json --bfcl-answers possible_answer/BFCL_simple.json`,
		Args: nothing,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd) },
	}
	f := cmd.Flags()
	f.StringVarP(&o.tools, "tools", "t", "", "the tools of --cases, a JSON `file` in the shape of MCP, OpenAI, Anthropic or the AI SDK (default: the 13 of the benchmark)")
	f.StringVar(&o.cases, "cases", "", `cases of your own, a `+"`file`"+` of JSON Lines: {"id":"a", "prompt":"…", "want":[{"name":"…", "input":{…}}]}`)
	f.StringVar(&o.bfcl, "bfcl", "", "questions of the Berkeley Function Calling Leaderboard, a `file` that you have downloaded, of one turn")
	f.StringVar(&o.bfclAnswers, "bfcl-answers", "", "and the possible answers to them, a `file`; only questions of irrelevance need none")
	f.StringVar(&o.judge, "judge", "", "ask this `model` of the endpoint about misses; its verdicts are told apart")
	o.register(cmd)
	cmd.MarkFlagsMutuallyExclusive("cases", "bfcl")
	cmd.MarkFlagsMutuallyExclusive("judge", "redact")
	return cmd
}

// liveOptions are the flags of bench live.
type liveOptions struct {
	modelsOptions
	tools, cases, bfcl, bfclAnswers, judge string
}

func (o *liveOptions) run(cmd *cobra.Command) error {
	if err := o.check(cmd); err != nil {
		return err
	}
	if o.judge != "" {
		if err := o.needPrices(o.judge); err != nil {
			return err
		}
	}
	if o.tools != "" && o.cases == "" {
		return errors.New("--tools are those of your own cases; give them by --cases")
	}
	if o.bfclAnswers != "" && o.bfcl == "" {
		return errors.New("--bfcl-answers belong to questions; give them by --bfcl")
	}
	if o.demo && (o.judge != "" || o.cases != "" || o.bfcl != "") {
		return errors.New("--demo has its own cases, and no judge")
	}
	cases, err := o.readCases(cmd)
	if err != nil {
		return err
	}
	if o.demo {
		return o.runDemo(cmd, cases, true)
	}
	client, arms, params, err := o.setup(cmd)
	if err != nil {
		return err
	}
	trials, err := benchlive.Plan{Client: client, Models: o.models, Params: params, Arms: arms, Cases: cases, Reps: o.reps}.Trials()
	if err != nil {
		return err
	}
	if o.judge == "" {
		return o.finish(cmd, trials, nil)
	}
	return o.finish(cmd, trials, func(ctx context.Context, log *record.Log) error {
		records, err := record.ReadFile(o.outFile(cmd))
		if err != nil {
			return err
		}
		return judge.Judge{Client: client, Model: o.judge, Extra: params.Extra}.Misses(ctx, cases, records, log)
	})
}

// readCases returns the user's cases, or ours.
func (o *liveOptions) readCases(cmd *cobra.Command) ([]benchlive.Case, error) {
	suite, err := bench.Published()
	if err != nil {
		return nil, err
	}
	if o.bfcl != "" {
		return o.readBFCL()
	}
	if o.cases == "" {
		return benchlive.Cases(suite.Catalog)
	}
	catalog := suite.Catalog
	if o.tools != "" {
		lang := language{tools: o.tools}
		if catalog, err = lang.catalog(cmd, cmd.ErrOrStderr()); err != nil {
			return nil, err
		}
	}
	text, err := os.ReadFile(o.cases)
	if err != nil {
		return nil, fileError(o.cases, err)
	}
	cases, err := benchlive.ReadCases(text, catalog)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.cases, err)
	}
	return cases, nil
}

func (o *liveOptions) readBFCL() ([]benchlive.Case, error) {
	questions, err := os.ReadFile(o.bfcl)
	if err != nil {
		return nil, fileError(o.bfcl, err)
	}
	var answers []byte
	if o.bfclAnswers != "" {
		if answers, err = os.ReadFile(o.bfclAnswers); err != nil {
			return nil, fileError(o.bfclAnswers, err)
		}
	}
	cases, err := benchlive.ReadBFCL(questions, answers)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.bfcl, err)
	}
	return cases, nil
}

// outFile returns where the records go.
func (o *modelsOptions) outFile(cmd *cobra.Command) string {
	if o.out != "" {
		return o.out
	}
	return filepath.Clean("callwire-" + cmd.Name() + ".jsonl")
}
