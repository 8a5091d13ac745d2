package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/arm"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/endpoint"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/price"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/record"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/report"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/trial"
	"github.com/callwire/callwire/cmd/callwire/internal/loopback"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
)

// modelsOptions are the flags that bench live and bench agent share: which models
// are asked, in which ways, and where the records go.
type modelsOptions struct {
	baseURL, api, keyEnv string
	models, modes        []string
	axes                 map[string]*[]string
	reps                 int
	temperature          float64
	seed                 int64
	maxTokens            int
	extra                string
	concurrency, tries   int
	wait                 time.Duration
	whole                bool
	budget, prices       string
	out, report, chart   string
	redact, demo, asJSON bool

	budgeted *price.Budget
	table    price.Table
}

// register adds the flags. Axes that mean nothing to the command are left out.
func (o *modelsOptions) register(cmd *cobra.Command, without ...string) {
	f := cmd.Flags()
	f.StringVar(&o.baseURL, "base-url", "", "the `URL` of the endpoint, as in https://api.openai.com/v1 or http://127.0.0.1:11434/v1")
	enumVar(f, &o.api, "api", string(endpoint.OpenAI), "how it is spoken to", "openai", "anthropic")
	f.StringVar(&o.keyEnv, "key-env", "", "the `name` of the environment variable that holds the key")
	f.StringSliceVar(&o.models, "model", nil, "the `models` to ask")
	f.StringSliceVar(&o.modes, "mode", []string{arm.Native, arm.Wire}, "how they call: `"+strings.Join(arm.Modes, ",")+"`")
	f.IntVar(&o.reps, "reps", 1, "ask everything `N` times")
	f.Float64Var(&o.temperature, "temperature", 0, "the `temperature` to ask for (default: the endpoint's)")
	f.Int64Var(&o.seed, "seed", 0, "the `seed` to ask for; each repetition has the next one (default: none)")
	f.IntVar(&o.maxTokens, "max-tokens", 2048, "how many tokens `N` a message may have")
	f.StringVar(&o.extra, "extra", "", "a `JSON` object of members to add to each request; null takes one away: '{\"max_tokens\":null,\"max_completion_tokens\":2048}'")
	f.IntVar(&o.concurrency, "concurrency", 4, "have `N` requests at once")
	f.IntVar(&o.tries, "tries", 6, "send a request up to `N` times where the endpoint fails or asks for patience")
	f.DurationVar(&o.wait, "wait", 5*time.Minute, "the longest `time` that the endpoint may say nothing")
	f.BoolVar(&o.whole, "no-stream", false, "ask for answers that are not streamed")
	f.StringVar(&o.budget, "budget", "", "stop before `tokens`, as in 200000, or money, as in 2.50USD, are passed, resumed runs included")
	f.StringVar(&o.prices, "prices", "", `what tokens cost, a JSON `+"`file`"+` {"model":{"input":3,"output":15,"cacheRead":0.3}} for a million`)
	f.StringVarP(&o.out, "out", "o", "", "the `file` of records; what it has is not measured again (default callwire-"+cmd.Name()+".jsonl)")
	f.StringVar(&o.report, "report", "", "write the report into this `folder` at the end, too")
	f.StringVar(&o.chart, "chart", "", "draw the success into this `file`, an SVG for light and dark pages")
	f.BoolVar(&o.redact, "redact", false, "keep hashes in place of what models write")
	f.BoolVarP(&o.asJSON, "json", "j", false, "print the figures as one JSON object")
	f.BoolVar(&o.demo, "demo", false, "measure scripted models, which need no endpoint and no key; --report keeps the records and a report")
	o.axes = make(map[string]*[]string)
	for _, axis := range arm.Axes {
		if slices.Contains(without, axis.Name) {
			continue
		}
		values := new([]string)
		o.axes[axis.Name] = values
		if axis.Name == "delims" { // tags may hold commas
			f.StringArrayVar(values, axis.Name, nil, axis.Usage+", as `"+tagPair+"`; may be given several times")
			continue
		}
		f.StringSliceVar(values, axis.Name, nil, axis.Usage+": `"+axis.Values+"`")
	}
	if err := cmd.MarkFlagFilename("prices", "json"); err != nil {
		panic(err) // the flag exists
	}
}

// endpointless are the flags that a demonstration has no use for.
var endpointless = []string{"base-url", "api", "key-env", "model", "prices", "budget", "wait", "tries"}

// check says what is wrong with the flags, and reads the files that they name.
func (o *modelsOptions) check(cmd *cobra.Command) error {
	changed := cmd.Flags().Changed
	if o.demo {
		for _, name := range endpointless {
			if changed(name) {
				return fmt.Errorf("--%s has no place beside --demo, which asks no endpoint", name)
			}
		}
	} else {
		switch {
		case o.baseURL == "":
			return errors.New("give the endpoint, as in --base-url https://api.openai.com/v1; or see what comes out: --demo")
		case len(o.models) == 0:
			return errors.New("give at least one model by --model")
		}
	}
	for name, n := range map[string]int{"reps": o.reps, "max-tokens": o.maxTokens, "concurrency": o.concurrency, "tries": o.tries} {
		if n < 1 || n > 1_000_000 {
			return fmt.Errorf("--%s must be at least 1, found %d", name, n)
		}
	}
	if o.wait <= 0 {
		return errors.New("--wait must be more than 0")
	}
	if o.prices != "" {
		text, err := os.ReadFile(o.prices)
		if err != nil {
			return fileError(o.prices, err)
		}
		if o.table, err = price.Read(text); err != nil {
			return fmt.Errorf("%s: %w", o.prices, err)
		}
	}
	return o.checkBudget()
}

func (o *modelsOptions) checkBudget() error {
	if o.budget == "" {
		return nil
	}
	o.budgeted = &price.Budget{Prices: o.table}
	parts := budgetForm.FindStringSubmatch(o.budget)
	if parts == nil {
		return fmt.Errorf("--budget is a number of tokens, as in 200000, or money, as in 2.50USD, not %q", o.budget)
	}
	amount, unit := parts[2], parts[1]+parts[3]
	var err error
	if unit == "" || unit == "tokens" {
		o.budgeted.Tokens, err = strconv.Atoi(amount)
	} else {
		o.budgeted.Money, err = strconv.ParseFloat(amount, 64)
	}
	if err != nil || o.budgeted.Tokens == 0 && o.budgeted.Money == 0 {
		return fmt.Errorf("--budget is a number of tokens, as in 200000, or money, as in 2.50USD, not %q", o.budget)
	}
	return o.needPrices(o.models...)
}

// budgetForm is a number with a unit: none, tokens, or what money is called.
var budgetForm = regexp.MustCompile(`^([$€£]?)([0-9]*\.?[0-9]+) ?(tokens|[A-Z]{3}|[$€£])?$`)

// needPrices says of which model it is not known what it costs, where the budget is
// one of money.
func (o *modelsOptions) needPrices(models ...string) error {
	for _, model := range models {
		if _, ok := o.table[model]; !ok && o.budgeted != nil && o.budgeted.Money > 0 {
			return fmt.Errorf("a --budget of money needs what %s costs, by --prices", model)
		}
	}
	return nil
}

// setup returns what every trial is made with: the endpoint, the arms of the
// comparison, and what each request says besides.
func (o *modelsOptions) setup(cmd *cobra.Command) (*endpoint.Client, []arm.Arm, arm.Params, error) {
	client, err := o.client(cmd)
	if err != nil {
		return nil, nil, arm.Params{}, err
	}
	arms, err := o.matrix()
	if err != nil {
		return nil, nil, arm.Params{}, modeError(err)
	}
	params, err := o.params(cmd)
	return client, arms, params, err
}

// params returns what models are asked with.
func (o *modelsOptions) params(cmd *cobra.Command) (arm.Params, error) {
	p := arm.Params{MaxTokens: o.maxTokens}
	if cmd.Flags().Changed("temperature") {
		p.Temperature = &o.temperature
	}
	if cmd.Flags().Changed("seed") {
		p.Seed = &o.seed
	}
	if o.extra != "" {
		if err := json.Unmarshal([]byte(o.extra), &p.Extra); err != nil || p.Extra == nil {
			return p, errors.New("--extra is one JSON object")
		}
	}
	if bound := (endpoint.Request{MaxTokens: p.MaxTokens, Extra: p.Extra}).Most(); o.budgeted != nil && bound == 0 {
		return p, errors.New("--budget needs a bound of what a message may have; give max_completion_tokens in --extra")
	}
	return p, nil
}

// matrix returns the arms that the flags mean.
func (o *modelsOptions) matrix() ([]arm.Arm, error) {
	settings := make(map[string][]string)
	for name, values := range o.axes {
		settings[name] = *values
	}
	if len(settings["constrain"]) > 0 && o.api == string(endpoint.Anthropic) {
		return nil, errors.New("--constrain has no place beside --api anthropic: engines take a grammar in OpenAI's requests")
	}
	arms, err := arm.Matrix(o.modes, settings)
	if err != nil {
		return nil, fmt.Errorf("--%w", err)
	}
	return arms, nil
}

// client returns a client of the endpoint.
func (o *modelsOptions) client(cmd *cobra.Command) (*endpoint.Client, error) {
	key := ""
	if o.keyEnv != "" {
		if key = strings.TrimSpace(os.Getenv(o.keyEnv)); key == "" {
			return nil, fmt.Errorf("the environment has no %s; put the key there, never on the command line", o.keyEnv)
		}
	}
	connections := http.DefaultTransport.(*http.Transport).Clone()
	connections.MaxIdleConnsPerHost = o.concurrency
	opts := endpoint.Options{Key: key, Base: connections, Retries: o.tries - 1, Silence: o.wait, Whole: o.whole}
	if o.budgeted != nil {
		opts.Meter = o.budgeted
	}
	c, err := endpoint.New(o.baseURL, endpoint.API(o.api), opts)
	if err != nil {
		return nil, err
	}
	if u, _ := url.Parse(o.baseURL); key != "" && u.Scheme == "http" && !loopback.Is(u.Hostname()) {
		note(cmd.ErrOrStderr(), "warning: the key travels to %s unencrypted; use https where you can", u.Host)
	}
	return c, nil
}

// modeError names the flag in the error of a matrix.
func modeError(err error) error {
	return errors.New(strings.Replace(err.Error(), "--a mode", "--mode", 1))
}

// measure runs the trials into the file and shows what was found. After, if set,
// runs before that.
func (o *modelsOptions) measure(cmd *cobra.Command, name string, trials []trial.Trial, after func(context.Context, *record.Log) error) error {
	log, records, err := record.Open(name)
	if err != nil {
		return err
	}
	defer log.Close()
	if o.budgeted != nil {
		for _, r := range records {
			o.budgeted.Spend(r.Asked(), r.Usage)
			o.budgeted.Spend(r.Asked(), r.Lost)
		}
	}
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // the second signal is not ours
	progress := terminal.NewProgress(cmd.ErrOrStderr(), "trials", 0)
	summary, err := trial.Run(ctx, trials, records, trial.Options{Log: log, Concurrency: o.concurrency, Redact: o.redact, Progress: progress.At})
	progress.End()
	if err != nil {
		return err
	}
	if after != nil && summary.Stopped == nil {
		err := after(ctx, log)
		if e := new(endpoint.Error); ctx.Err() != nil || errors.As(err, &e) {
			summary.Stopped = err
		} else if err != nil {
			return err
		}
	}
	return o.tell(cmd, name, summary)
}

// tell says on standard error what has become of the trials.
func (o *modelsOptions) tell(cmd *cobra.Command, name string, s trial.Summary) error {
	notes := cmd.ErrOrStderr()
	if s.Skipped > 0 {
		note(notes, "%s had been measured before", terminal.Count(s.Skipped, "trial"))
	}
	for _, of := range slices.Sorted(maps.Keys(s.GivenUp)) {
		note(notes, "%s was given up: %s", of, s.GivenUp[of])
	}
	if s.Failed > 0 {
		note(notes, "%s failed; the same command tries them again", terminal.Count(s.Failed, "trial"))
	}
	if s.Stopped != nil {
		why := "stopped"
		var e *endpoint.Error
		if errors.As(s.Stopped, &e) {
			why = s.Stopped.Error()
		}
		note(notes, "%s; what was measured is in %s, and the same command goes on from there", why, name)
	}
	if s.Failed > 0 || s.Stopped != nil {
		return errFound
	}
	return nil
}

// show shows the figures of files of records, and writes the report where it is
// wanted.
func (o *modelsOptions) show(cmd *cobra.Command, names ...string) error {
	r, err := readRuns(names, o.table)
	if err != nil {
		return err
	}
	if o.report != "" {
		if err := writeReport(cmd, r, o.report); err != nil {
			return err
		}
	}
	if o.chart != "" {
		if err := writeChart(r, o.chart); err != nil {
			return err
		}
	}
	if o.asJSON {
		return (&findings{asJSON: true}).show(cmd, r, nil, nil)
	}
	if err := (&findings{}).show(cmd, r, r.Brief(), nil); err != nil {
		return err
	}
	if o.report == "" && !o.demo {
		fmt.Fprintf(cmd.OutOrStdout(), "\nTables and pictures: callwire bench report %s\n", strings.Join(names, " "))
	}
	return nil
}

// readRuns returns the report on files of records. A trial that two of them have
// must have asked for the same in both.
func readRuns(names []string, table price.Table) (report.Report, error) {
	var records []record.Record
	type origin struct{ prompt, file string }
	asked := make(map[record.Key]origin)
	for _, name := range names {
		some, err := record.ReadFile(name)
		if err != nil {
			return report.Report{}, err
		}
		for _, r := range some {
			first, ok := asked[r.Key]
			if ok && first.file != name && first.prompt != r.Prompt {
				return report.Report{}, fmt.Errorf("%s and %s asked %s differently (another prompt, tool, seed or limit); report them one by one", first.file, name, r.Case)
			}
			asked[r.Key] = origin{r.Prompt, name}
		}
		records = append(records, some...)
	}
	return report.New(records, table), nil
}
