package main

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/live"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/report"
	"github.com/callwire/callwire/cmd/callwire/internal/loopback"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/sig"
)

// liveOptions are the flags of bench live.
type liveOptions struct {
	live.Plan
	endpoint            live.ClientOptions
	view                reportView
	baseURL, keyEnv     string
	modes               []string
	axes                [][]string // the values of live.Axes
	tools, cases, tasks string     // files
	temperature         float64
	seed, maxTokens     int
	extra, out          string
	demo                bool
}

// usualTurns is the default limit on messages in a task.
const usualTurns = 20

func newBenchLive() *cobra.Command {
	o := &liveOptions{modes: live.Modes[:2], maxTokens: 2048}
	o.Reps, o.Concurrency, o.endpoint.Tries, o.endpoint.Wait = 1, 4, 6, 5*time.Minute
	o.axes = make([][]string, len(live.Axes))
	axes := flags{}
	for i, x := range live.Axes {
		axes[x.Name] = someOf(&o.axes[i], x.Values...)
		if x.Name == live.Tags {
			axes[x.Name] = repeated(&o.axes[i])
		}
	}
	cmd := describe(&cobra.Command{
		Use: "live --base-url URL --model NAME", Args: nothing, RunE: o.run,
		Aliases: []string{"agent"}, // the old name of live --turns 20
	}, axes, flags{
		"base-url": &o.baseURL,
		"api": oneOf(&o.endpoint.API, string(manual.ChatCompletions),
			string(manual.Anthropic)),
		"key-env": &o.keyEnv,
		"model":   &o.Models,
		"mode":    someOf(&o.modes, live.Modes...),
		"turns":   atLeast(0, &o.Steps),
		"cases":   &o.cases,
		"tools":   &o.tools,
		"tasks":   &o.tasks,
		"judge":   &o.Judge,
		"reps":    atLeast(1, &o.Reps),
		"demo":    &o.demo,

		"temperature": &o.temperature,
		"seed":        &o.seed,
		"max-tokens":  atLeast(1, &o.maxTokens),
		"extra":       &o.extra,

		"concurrency": atLeast(1, &o.Concurrency),
		"tries":       atLeast(1, &o.endpoint.Tries),
		"wait":        &o.endpoint.Wait,
		"budget":      atLeast(0, &o.endpoint.Budget),

		"out":    &o.out,
		"report": &o.view.folder,
		"chart":  &o.view.chart,
		"json":   &o.view.asJSON,
	})
	for _, name := range []string{"base-url", "model", "judge", "cases", "tasks"} {
		cmd.MarkFlagsMutuallyExclusive("demo", name)
	}
	return cmd
}

func (o *liveOptions) run(cmd *cobra.Command, _ []string) error {
	if cmd.CalledAs() == "agent" && o.Steps == 0 {
		o.Steps = usualTurns
	}
	for _, prepare := range []func(*cobra.Command) error{
		o.check, o.readCases, o.params, o.client,
	} {
		if err := prepare(cmd); err != nil {
			return err
		}
	}
	if o.out == "" && !o.demo {
		o.out = "callwire-live.jsonl"
	}
	records, err := o.measure(cmd)
	if err != nil && (!errors.Is(err, errFound) || len(records) == 0) {
		return err
	}
	if err := o.view.show(cmd, records); err != nil {
		return err
	}
	if !o.view.asJSON && o.view.folder == "" && !o.demo {
		fmt.Fprintf(cmd.OutOrStdout(), "\nAll tables and a chart: callwire bench report %s\n",
			o.out)
	}
	return err
}

// check reports flags that don't go together.
func (o *liveOptions) check(cmd *cobra.Command) error {
	switch {
	case !o.demo && o.baseURL == "":
		return errors.New("give the endpoint, as in --base-url https://api.openai.com/v1; " +
			"or try --demo")
	case !o.demo && len(o.Models) == 0:
		return errors.New("give at least one model with --model")
	case slices.Contains(o.Models, ""):
		return errors.New("--model is the name of a model, not empty")
	case o.tools != "" && o.cases == "":
		return errors.New("--tools are those of your own cases; give them with --cases")
	case o.tasks != "" && o.Steps == 0:
		return errors.New("--tasks need --turns, as in --turns 20")
	case (o.cases != "" || o.Judge != "") && o.Steps > 0:
		return errors.New("--cases and --judge are about single messages; leave out --turns")
	case cmd.Flags().Changed("seed") && o.endpoint.API == manual.Anthropic:
		return errors.New("--seed doesn't work with --api anthropic, which has no seeds")
	case cmd.Flags().Changed("constrain") && o.endpoint.API == manual.Anthropic:
		return errors.New("--constrain doesn't work with --api anthropic: engines speak OpenAI's")
	}
	return nil
}

// readCases reads the user's cases or tasks, or takes ours, and makes the arms.
func (o *liveOptions) readCases(cmd *cobra.Command) (err error) {
	settings := make(map[string][]string)
	for i, x := range live.Axes {
		settings[x.Name] = o.axes[i]
	}
	o.Arms, err = live.Matrix(o.modes, settings)
	if err != nil {
		return err
	}
	suite, err := readSuite(cmd, o.tools, "")
	if err == nil && (o.Steps == 0 || o.demo) {
		err = o.addCases(live.KindLive, o.cases, live.OurCases, suite.Catalog)
	}
	if err == nil && (o.Steps > 0 || o.demo) {
		err = o.addCases(live.KindAgent, o.tasks, live.OurTasks, nil)
	}
	return err
}

// addCases adds the cases of a file, or ours if it has no name.
func (o *liveOptions) addCases(kind, name string, ours []byte, catalog *sig.Catalog) error {
	text, err := readOptional(name)
	if err != nil {
		return err
	}
	if name == "" {
		text = string(ours)
	}
	cases, err := live.ReadCases([]byte(text), kind, catalog)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	o.Cases = append(o.Cases, cases...)
	return nil
}

// params sets what models are asked with.
func (o *liveOptions) params(cmd *cobra.Command) error {
	f := cmd.Flags()
	o.Params = rawjson.Make("max_tokens", o.maxTokens)
	if f.Changed("temperature") {
		text := strconv.FormatFloat(o.temperature, 'g', -1, 64)
		o.Params = o.Params.With("temperature", []byte(text))
	}
	if f.Changed("seed") || o.demo {
		o.Seed = &o.seed
	}
	if o.demo {
		o.Models, o.Steps = live.DemoModels, max(o.Steps, usualTurns)
	}
	if o.demo && !f.Changed("reps") {
		o.Reps = 3
	}
	extra := rawjson.ParseObject([]byte(o.extra))
	if o.extra != "" && (extra == nil || !rawjson.Valid([]byte(o.extra))) {
		return errors.New("--extra is one JSON object")
	}
	for _, m := range extra {
		o.Params = o.Params.Set(m.Key, m.Value)
		if rawjson.IsNull(m.Value) {
			o.Params = o.Params.Without(m.Key)
		}
	}
	if o.endpoint.Budget > 0 && live.Most(o.Params) == 0 {
		return errors.New("--budget needs a limit for messages; " +
			"give max_completion_tokens in --extra")
	}
	return nil
}

// client sets the client: of the endpoint, or of scripted models that play the cases.
func (o *liveOptions) client(cmd *cobra.Command) (err error) {
	e := &o.endpoint
	if o.demo {
		e.API, e.Base = manual.ChatCompletions, live.NewScripted(o.Cases, o.Arms)
		o.Client, err = live.NewClient("http://scripted", *e)
		return err
	}
	if o.keyEnv != "" {
		e.Key = strings.TrimSpace(os.Getenv(o.keyEnv))
		if e.Key == "" {
			return fmt.Errorf("the environment has no %s; put the key there", o.keyEnv)
		}
	}
	connections := http.DefaultTransport.(*http.Transport).Clone()
	connections.MaxIdleConnsPerHost = o.Concurrency
	e.Base = connections
	o.Client, err = live.NewClient(o.baseURL, *e)
	if err != nil {
		return err
	}
	u, err := url.Parse(o.baseURL)
	if err == nil && e.Key != "" && u.Scheme == "http" && !loopback.Is(u.Hostname()) {
		note(cmd.ErrOrStderr(),
			"warning: the key travels to %s unencrypted; use https where you can", u.Host)
	}
	return nil
}

// measure runs the plan, and reports on standard error how that went.
func (o *liveOptions) measure(cmd *cobra.Command) ([]live.Record, error) {
	ctx, stop := interruptible(cmd)
	defer stop()
	notes := cmd.ErrOrStderr()
	progress := terminal.NewProgress(notes, "trials")
	o.Progress = progress.At
	s, err := o.Run(ctx, o.out)
	progress.End()
	if err != nil && s.Done > 0 && o.out != "" {
		err = fmt.Errorf("%w; the same command continues from what is in %s", err, o.out)
	}
	if err != nil {
		return nil, err
	}
	if s.Skipped > 0 {
		note(notes, "%s had been measured before", terminal.Count(s.Skipped, "trial"))
	}
	if s.Failed > 0 {
		note(notes, "%s failed; the same command tries them again: %v",
			terminal.Count(s.Failed, "trial"), s.Why)
		err = errFound
	}
	if s.Stopped != nil {
		why := "stopped"
		var e *live.Error
		if errors.As(s.Stopped, &e) {
			why = s.Stopped.Error()
		}
		if o.out != "" {
			why += "; the same command continues from what is in " + o.out
		}
		note(notes, "%s", why)
		err = errFound
	}
	return s.Records, err
}

func newBenchReport() *cobra.Command {
	var view reportView
	view.folder = "callwire-report"
	return describe(&cobra.Command{
		Use:  "report RUN…",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			records, err := readRuns(args)
			if err != nil {
				return err
			}
			if view.asJSON {
				view.folder = ""
			}
			return view.show(cmd, records)
		},
	}, flags{"out": &view.folder, "chart": &view.chart, "json": &view.asJSON})
}

// readRuns reads files of records. Runs that asked for the same trial in different ways don't mix.
func readRuns(names []string) (all []live.Record, err error) {
	if len(names) == 0 {
		return nil, errors.New("report needs the file of a run, such as callwire-live.jsonl")
	}
	asked := make(map[live.Key]string) // hashes of prompts
	for _, name := range names {
		records, _, err := live.ReadLog(name)
		if err != nil {
			return nil, err
		}
		for _, r := range records {
			if first, ok := asked[r.Key]; ok && first != r.Prompt {
				return nil, fmt.Errorf("%s and a file before it asked %s differently "+
					"(prompt, tools, seed or limits); report them one by one", name, r.Case)
			}
			asked[r.Key] = r.Prompt
		}
		all = append(all, records...)
	}
	return all, nil
}

// reportView is where a report goes, besides standard output.
type reportView struct {
	folder, chart string
	asJSON        bool
}

// show shows the report on records.
func (v reportView) show(cmd *cobra.Command, records []live.Record) error {
	r := report.New(records)
	if len(r.Groups) == 0 {
		return errors.New("no trial is recorded; callwire bench live records some")
	}
	if v.chart != "" {
		if err := writeTo(v.chart, []byte(r.Chart())); err != nil {
			return err
		}
	}
	if v.folder != "" {
		const page, chart = "report.md", "report.svg"
		files := map[string][]byte{page: []byte(r.Page(chart)), chart: []byte(r.Chart())}
		if err := writeFiles(v.folder, files); err != nil {
			return err
		}
		note(cmd.ErrOrStderr(), "the report is in %s", filepath.Join(v.folder, page))
	}
	page := func(bool) string { return r.Page("") }
	return (&pageFlags{asJSON: v.asJSON}).show(cmd, r, page)
}
