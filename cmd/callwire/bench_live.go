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
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/live"
	"github.com/callwire/callwire/cmd/callwire/internal/loopback"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
)

// liveOptions are the flags of bench live.
type liveOptions struct {
	live.Plan
	endpoint            live.ClientOptions
	view                reportView
	baseURL, keyEnv     string
	api                 live.API
	modes               []string
	axes                map[string]*[]string
	tools, cases, tasks string // files
	temperature         float64
	seed                int64
	extra               string
	tries               int
	out                 string
	demo                bool
}

// usualTurns is the default limit on messages in a task.
const usualTurns = 20

func newBenchLive() *cobra.Command {
	o := &liveOptions{}
	cmd := &cobra.Command{
		Use: "live --base-url URL --model NAME", Args: nothing, RunE: o.run,
		Aliases: []string{"agent"}, // the old name of live --turns 20
	}
	f := cmd.Flags()
	f.StringVar(&o.baseURL, "base-url", "",
		"the `URL` of the endpoint, as in http://127.0.0.1:11434/v1")
	enumVar(f, (*string)(&o.api), "api", string(live.OpenAI), "the API that it speaks",
		string(live.OpenAI), string(live.Anthropic))
	f.StringVar(&o.keyEnv, "key-env", "", "the environment `variable` with the key")
	f.StringSliceVar(&o.Models, "model", nil, "the `models` to ask")
	listVar(f, &o.modes, "mode", live.Modes[:2], "how they call", live.Modes...)
	countVar(f, &o.Steps, "turns", 0, 0,
		"measure tasks of at most `N` messages, not single messages")
	f.StringVar(&o.cases, "cases", "",
		"measure your own messages, a `file` like cases.json in the source")
	f.StringVarP(&o.tools, "tools", "t", "",
		"the tools of --cases, a JSON `file` (default: ours)")
	f.StringVar(&o.tasks, "tasks", "",
		"measure your own tasks, a JSON `file` like tasks.json in the source")
	f.StringVar(&o.Judge, "judge", "",
		"also ask this `model` about misses, and report that apart")
	countVar(f, &o.Reps, "reps", 1, 1, "repeat everything `N` times")
	f.Float64Var(&o.temperature, "temperature", 0, "the `temperature` (default: the endpoint's)")
	f.Int64Var(&o.seed, "seed", 0, "the `seed` of the first repetition (default: none)")
	countVar(f, &o.Params.MaxTokens, "max-tokens", 1, 2048, "the most tokens `N` in a message")
	f.StringVar(&o.extra, "extra", "",
		"a `JSON` object of members to add to each request; null removes one")
	countVar(f, &o.Concurrency, "concurrency", 1, 4, "send `N` requests at once")
	countVar(f, &o.tries, "tries", 1, 6,
		"send a request up to `N` times if the endpoint fails or is busy")
	f.DurationVar(&o.endpoint.Wait, "wait", 5*time.Minute, "the longest `time` for an answer")
	countVar(f, &o.endpoint.Budget, "budget", 0, 0,
		"stop before `N` tokens are exceeded, resumed runs included")
	f.StringVarP(&o.out, "out", "o", "",
		"the `file` of records, which is continued (default callwire-live.jsonl)")
	f.StringVar(&o.view.folder, "report", "",
		"also write report.md and report.svg into this `folder`")
	o.view.register(cmd)
	f.BoolVar(&o.demo, "demo", false, "measure scripted models: no endpoint, no key, no files")
	o.axisFlags(cmd)
	for _, name := range []string{"base-url", "model", "judge", "cases", "tasks"} {
		cmd.MarkFlagsMutuallyExclusive("demo", name)
	}
	return cmd
}

// axisFlags adds a flag for each setting of an arm.
func (o *liveOptions) axisFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	o.axes = make(map[string]*[]string)
	for _, x := range live.Axes {
		values := new([]string)
		o.axes[x.Name] = values
		if x.Name == live.Tags {
			f.StringArrayVar(values, x.Name, nil, x.Usage+": `OPEN|CLOSE`; may be repeated")
		} else {
			listVar(f, values, x.Name, nil, x.Usage, x.Values...)
		}
	}
}

func (o *liveOptions) run(cmd *cobra.Command, _ []string) error {
	if cmd.CalledAs() == "agent" && o.Steps == 0 {
		o.Steps = usualTurns
	}
	if err := o.check(); err != nil {
		return err
	}
	if err := o.plan(cmd); err != nil {
		return err
	}
	name := o.out
	switch {
	case name == "" && o.demo:
		folder, err := os.MkdirTemp("", "callwire-demo")
		if err != nil {
			return fmt.Errorf("cannot make a folder: %w", pathless(err))
		}
		defer os.RemoveAll(folder)
		name = filepath.Join(folder, "demo.jsonl")
	case name == "":
		name = "callwire-live.jsonl"
	}
	err := o.measure(cmd, name)
	if err != nil && !errors.Is(err, errFound) {
		return err
	}
	if err := o.view.show(cmd, name); err != nil {
		return err
	}
	if !o.view.asJSON && o.view.folder == "" && !o.demo {
		fmt.Fprintf(cmd.OutOrStdout(), "\nAll tables and a chart: callwire bench report %s\n", name)
	}
	return err
}

// check reports flags that don't go together.
func (o *liveOptions) check() error {
	switch {
	case !o.demo && o.baseURL == "":
		return errors.New("give the endpoint, as in --base-url https://api.openai.com/v1; " +
			"or try --demo")
	case !o.demo && len(o.Models) == 0:
		return errors.New("give at least one model with --model")
	case o.endpoint.Wait <= 0:
		return errors.New("--wait must be more than 0")
	case o.tools != "" && o.cases == "":
		return errors.New("--tools are those of your own cases; give them with --cases")
	case o.tasks != "" && o.Steps == 0:
		return errors.New("--tasks need --turns, as in --turns 20")
	case o.cases != "" && o.Steps > 0:
		return errors.New("--cases are single messages; leave out --turns")
	case len(*o.axes["constrain"]) > 0 && o.api == live.Anthropic:
		return errors.New("--constrain doesn't work with --api anthropic: engines speak OpenAI's")
	}
	return nil
}

// plan completes the plan.
func (o *liveOptions) plan(cmd *cobra.Command) (err error) {
	settings := make(map[string][]string)
	for name, values := range o.axes {
		settings[name] = *values
	}
	o.Arms, err = live.Matrix(o.modes, settings)
	if err != nil {
		return err
	}
	if o.Steps == 0 || o.demo {
		o.Cases, err = o.readCases(cmd)
	}
	if err == nil && (o.Steps > 0 || o.demo) {
		var tasks []live.Case
		tasks, err = ownOr(o.tasks, live.Tasks, live.ReadTasks)
		o.Cases = append(o.Cases, tasks...)
	}
	if err == nil {
		err = o.params(cmd)
	}
	if err == nil {
		err = o.client(cmd)
	}
	return err
}

// params sets what models are asked with.
func (o *liveOptions) params(cmd *cobra.Command) error {
	p, f := &o.Params, cmd.Flags()
	if f.Changed("temperature") {
		p.Temperature = &o.temperature
	}
	if f.Changed("seed") || o.demo {
		p.Seed = &o.seed
	}
	if o.demo {
		o.Models, o.Steps = live.DemoModels, max(o.Steps, usualTurns)
	}
	if o.demo && !f.Changed("reps") {
		o.Reps = 3
	}
	if o.extra != "" {
		err := json.Unmarshal([]byte(o.extra), &p.Extra)
		if err != nil || p.Extra == nil {
			return errors.New("--extra is one JSON object")
		}
	}
	if o.endpoint.Budget > 0 && p.Most() == 0 {
		return errors.New("--budget needs a limit for messages; " +
			"give max_completion_tokens in --extra")
	}
	return nil
}

// client sets the client: of the endpoint, or of scripted models that play the cases.
func (o *liveOptions) client(cmd *cobra.Command) (err error) {
	e := &o.endpoint
	e.Retries = o.tries - 1
	if o.demo {
		e.Name, e.Base = "scripted models", live.NewScripted(o.Cases, o.Arms)
		o.Client, err = live.NewClient("http://127.0.0.1", live.OpenAI, *e)
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
	o.Client, err = live.NewClient(o.baseURL, o.api, *e)
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
	text, err := readOptional(name)
	if err != nil {
		return nil, err
	}
	cases, err := read([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return cases, nil
}

// measure runs the plan into the file, and reports on standard error how that went.
func (o *liveOptions) measure(cmd *cobra.Command, name string) error {
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the program
	notes := cmd.ErrOrStderr()
	progress := terminal.NewProgress(notes, "trials", 0)
	o.Progress = progress.At
	s, err := o.Run(ctx, name)
	progress.End()
	if err != nil {
		return err
	}
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
