package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/live"
	"github.com/callwire/callwire/cmd/callwire/internal/loopback"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
)

func newBenchLive() *cobra.Command {
	var o liveOptions
	cmd := &cobra.Command{
		Use:     "live --base-url URL --model NAME",
		Aliases: []string{"agent"}, // live --turns 20
		Args:    nothing,
		RunE:    func(cmd *cobra.Command, args []string) error { return o.run(cmd) },
	}
	o.register(cmd)
	return cmd
}

// liveOptions are the flags of bench live.
type liveOptions struct {
	baseURL, keyEnv     string
	api                 live.API
	models, modes       []string
	axes                map[string]*[]string
	tools, cases, tasks string
	turns               int
	judge               string
	reps                int
	temperature         float64
	seed                int64
	maxTokens           int
	extra               string
	concurrency, tries  int
	wait                time.Duration
	budget              int
	out, report, chart  string
	demo, asJSON        bool
}

// usualTurns is the default limit on messages in a task.
const usualTurns = 20

func (o *liveOptions) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.baseURL, "base-url", "",
		"the `URL` of the endpoint, as in http://127.0.0.1:11434/v1")
	enumVar(f, &o.api, "api", string(live.OpenAI), "the API that it speaks",
		string(live.OpenAI), string(live.Anthropic))
	f.StringVar(&o.keyEnv, "key-env", "", "the environment `variable` with the key")
	f.StringSliceVar(&o.models, "model", nil, "the `models` to ask")
	listVar(f, &o.modes, "mode", live.Modes[:2], "how they call", live.Modes...)
	f.IntVar(&o.turns, "turns", 0, "measure tasks of at most `N` messages, not single messages")
	f.StringVar(&o.cases, "cases", "",
		"measure your own messages, a `file` like cases.json in the source")
	f.StringVarP(&o.tools, "tools", "t", "", "the tools of --cases, a JSON `file` (default: ours)")
	f.StringVar(&o.tasks, "tasks", "",
		"measure your own tasks, a JSON `file` like tasks.json in the source")
	f.StringVar(&o.judge, "judge", "", "also ask this `model` about misses, and report that apart")
	f.IntVar(&o.reps, "reps", 1, "repeat everything `N` times")
	f.Float64Var(&o.temperature, "temperature", 0, "the `temperature` (default: the endpoint's)")
	f.Int64Var(&o.seed, "seed", 0, "the `seed` of the first repetition (default: none)")
	f.IntVar(&o.maxTokens, "max-tokens", 2048, "the most tokens `N` in a message")
	f.StringVar(&o.extra, "extra", "",
		"a `JSON` object of members to add to each request; null removes one")
	f.IntVar(&o.concurrency, "concurrency", 4, "send `N` requests at once")
	f.IntVar(&o.tries, "tries", 6,
		"send a request up to `N` times if the endpoint fails or is busy")
	f.DurationVar(&o.wait, "wait", 5*time.Minute, "the longest `time` for an answer")
	f.IntVar(&o.budget, "budget", 0, "stop before `N` tokens are exceeded, resumed runs included")
	f.StringVarP(&o.out, "out", "o", "",
		"the `file` of records, which is continued (default callwire-live.jsonl)")
	f.StringVar(&o.report, "report", "", "also write report.md and report.svg into this `folder`")
	f.StringVar(&o.chart, "chart", "", "draw the success into this SVG `file`")
	f.BoolVarP(&o.asJSON, "json", "j", false, "print the figures as one JSON object")
	f.BoolVar(&o.demo, "demo", false, "measure scripted models: no endpoint, no key, no files")
	o.axes = make(map[string]*[]string)
	for _, x := range live.Axes {
		values := new([]string)
		o.axes[x.Name] = values
		if x.Name == live.Tags {
			f.StringArrayVar(values, x.Name, nil, x.Usage+": `OPEN|CLOSE`; may be repeated")
			continue
		}
		listVar(f, values, x.Name, nil, x.Usage, x.Values...)
	}
	for _, name := range []string{"base-url", "model", "judge", "cases", "tasks"} {
		cmd.MarkFlagsMutuallyExclusive("demo", name)
	}
}

func (o *liveOptions) run(cmd *cobra.Command) error {
	if cmd.CalledAs() == "agent" && o.turns == 0 {
		o.turns = usualTurns
	}
	if err := o.check(); err != nil {
		return err
	}
	p, cases, tasks, err := o.plan(cmd)
	if err != nil {
		return err
	}
	name := o.out
	switch {
	case name == "" && o.demo:
		folder, err := os.MkdirTemp("", "callwire-demo")
		if err != nil {
			return fmt.Errorf("cannot make a folder: %w", loopback.Cause(err))
		}
		defer os.RemoveAll(folder)
		name = filepath.Join(folder, "demo.jsonl")
	case name == "":
		name = "callwire-live.jsonl"
	}
	for _, some := range [][]live.Case{cases, tasks} {
		p.Cases = some
		if len(some) == 0 {
			continue
		}
		err = o.measure(cmd, name, p)
		if err != nil {
			break
		}
	}
	if err != nil && !errors.Is(err, errFound) {
		return err
	}
	return errors.Join(o.show(cmd, name), err)
}

// check reports what is wrong with the flags.
func (o *liveOptions) check() error {
	if !o.demo && o.baseURL == "" {
		return errors.New("give the endpoint, as in --base-url https://api.openai.com/v1; " +
			"or try --demo")
	}
	if !o.demo && len(o.models) == 0 {
		return errors.New("give at least one model with --model")
	}
	for name, n := range map[string]int{
		"reps": o.reps, "max-tokens": o.maxTokens, "concurrency": o.concurrency, "tries": o.tries,
	} {
		if n < 1 || n > 1_000_000 {
			return fmt.Errorf("--%s must be at least 1, found %d", name, n)
		}
	}
	switch {
	case o.wait <= 0:
		return errors.New("--wait must be more than 0")
	case o.budget < 0 || o.turns < 0:
		return errors.New("--budget and --turns must not be negative")
	case o.tools != "" && o.cases == "":
		return errors.New("--tools are those of your own cases; give them with --cases")
	case o.tasks != "" && o.turns == 0:
		return errors.New("--tasks need --turns, as in --turns 20")
	case o.cases != "" && o.turns > 0:
		return errors.New("--cases are single messages; leave out --turns")
	case len(*o.axes["constrain"]) > 0 && o.api == live.Anthropic:
		return errors.New("--constrain doesn't work with --api anthropic: engines speak OpenAI's")
	}
	return nil
}

// plan returns the plan, without cases, and the messages and tasks to measure.
func (o *liveOptions) plan(cmd *cobra.Command) (p live.Plan, cases, tasks []live.Case, err error) {
	settings := make(map[string][]string)
	for name, values := range o.axes {
		settings[name] = *values
	}
	p = live.Plan{Models: o.models, Reps: o.reps, Steps: o.turns}
	p.Arms, err = live.Matrix(o.modes, settings)
	if err != nil {
		return p, nil, nil, err
	}
	p.Params, err = o.params(cmd)
	if err != nil {
		return p, nil, nil, err
	}
	if o.turns > 0 || o.demo {
		tasks, err = ownOr(o.tasks, live.Tasks, live.ReadTasks)
		if err != nil {
			return p, nil, nil, err
		}
	}
	if o.turns == 0 {
		cases, err = o.readCases(cmd)
		if err != nil {
			return p, nil, nil, err
		}
	}
	if o.demo {
		p.Models, p.Steps = live.DemoModels, max(o.turns, usualTurns)
		if p.Params.Seed == nil {
			p.Params.Seed = new(int64)
		}
		if !cmd.Flags().Changed("reps") {
			p.Reps = 3
		}
	}
	p.Client, err = o.client(cmd, slices.Concat(cases, tasks))
	return p, cases, tasks, err
}

// params returns what models are asked with.
func (o *liveOptions) params(cmd *cobra.Command) (live.Params, error) {
	p := live.Params{MaxTokens: o.maxTokens}
	if cmd.Flags().Changed("temperature") {
		p.Temperature = &o.temperature
	}
	if cmd.Flags().Changed("seed") {
		p.Seed = &o.seed
	}
	if o.extra != "" {
		err := json.Unmarshal([]byte(o.extra), &p.Extra)
		if err != nil || p.Extra == nil {
			return p, errors.New("--extra is one JSON object")
		}
	}
	if o.budget > 0 && p.Most() == 0 {
		return p, errors.New("--budget needs a limit for messages; " +
			"give max_completion_tokens in --extra")
	}
	return p, nil
}

// client returns a client of the endpoint, or of scripted models that play the cases.
func (o *liveOptions) client(cmd *cobra.Command, cases []live.Case) (*live.Client, error) {
	opts := live.ClientOptions{Retries: o.tries - 1, Wait: o.wait}
	if o.budget > 0 {
		opts.Budget = &live.Budget{Tokens: o.budget}
	}
	if o.demo {
		opts.Name, opts.Base = "scripted models", live.NewScripted(cases)
		return live.NewClient("http://127.0.0.1", live.OpenAI, opts)
	}
	if o.keyEnv != "" {
		opts.Key = strings.TrimSpace(os.Getenv(o.keyEnv))
		if opts.Key == "" {
			return nil, fmt.Errorf("the environment has no %s; put the key there", o.keyEnv)
		}
	}
	connections := http.DefaultTransport.(*http.Transport).Clone()
	connections.MaxIdleConnsPerHost = o.concurrency
	opts.Base = connections
	c, err := live.NewClient(o.baseURL, o.api, opts)
	if err != nil {
		return nil, err
	}
	u, err := url.Parse(o.baseURL)
	if err == nil && opts.Key != "" && u.Scheme == "http" && !loopback.Is(u.Hostname()) {
		note(cmd.ErrOrStderr(),
			"warning: the key travels to %s unencrypted; use https where you can", u.Host)
	}
	return c, nil
}

// readCases returns the user's cases, or ours.
func (o *liveOptions) readCases(cmd *cobra.Command) ([]live.Case, error) {
	suite, err := bench.Published()
	if err != nil {
		return nil, err
	}
	catalog := suite.Catalog
	if o.tools != "" {
		catalog, err = (&settings{tools: o.tools}).someTools(cmd)
		if err != nil {
			return nil, err
		}
	}
	return ownOr(o.cases, func() ([]live.Case, error) { return live.Cases(catalog) },
		func(text []byte) ([]live.Case, error) { return live.ReadCases(text, catalog) })
}

// ownOr reads the user's file, or returns ours if name is empty.
func ownOr(
	name string, ours func() ([]live.Case, error), read func([]byte) ([]live.Case, error),
) ([]live.Case, error) {
	if name == "" {
		return ours()
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fileError(name, err)
	}
	cases, err := read(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return cases, nil
}

// measure runs the plan into the file, and asks the judge.
func (o *liveOptions) measure(cmd *cobra.Command, name string, p live.Plan) error {
	log, records, err := live.OpenLog(name)
	if err != nil {
		return err
	}
	defer log.Close()
	for _, r := range records {
		p.Client.Spend(r.Usage)
	}
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the program
	progress := terminal.NewProgress(cmd.ErrOrStderr(), "trials", 0)
	p.Concurrency, p.Progress = o.concurrency, progress.At
	summary, err := p.Run(ctx, records, log)
	progress.End()
	if err != nil {
		return err
	}
	if o.judge != "" && summary.Stopped == nil {
		records, err = live.ReadLog(name)
		if err != nil {
			return err
		}
		err := p.Judge(ctx, o.judge, records, log)
		var e *live.Error
		if ctx.Err() != nil || errors.As(err, &e) {
			summary.Stopped = err
		} else if err != nil {
			return err
		}
	}
	return o.summarize(cmd, name, summary)
}

// summarize reports the outcome of the trials on standard error.
func (o *liveOptions) summarize(cmd *cobra.Command, name string, s live.Summary) error {
	notes := cmd.ErrOrStderr()
	if s.Skipped > 0 {
		note(notes, "%s had been measured before", terminal.Count(s.Skipped, "trial"))
	}
	if s.Failed > 0 {
		n := terminal.Count(s.Failed, "trial")
		note(notes, "%s failed; the same command tries them again: %v", n, s.Why)
	}
	if s.Stopped != nil {
		why := "stopped"
		var e *live.Error
		if errors.As(s.Stopped, &e) {
			why = s.Stopped.Error()
		}
		note(notes, "%s; the same command continues from what is in %s", why, name)
	}
	if s.Failed > 0 || s.Stopped != nil {
		return errFound
	}
	return nil
}

// show shows what is in the file of records.
func (o *liveOptions) show(cmd *cobra.Command, name string) error {
	view := reportView{folder: o.report, chart: o.chart, asJSON: o.asJSON}
	if err := view.show(cmd, name); err != nil {
		return err
	}
	if !o.asJSON && o.report == "" && !o.demo {
		fmt.Fprintf(cmd.OutOrStdout(), "\nAll tables and a chart: callwire bench report %s\n", name)
	}
	return nil
}
