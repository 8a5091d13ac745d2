package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// options are the flags.
type options struct {
	packages string
	sample   int
	seed     uint64
	suite    string
	only     string
	jobs     int
	timeout  time.Duration
	limit    time.Duration
	least    float64
	json     bool
	list     bool
}

func main() {
	o, err := parse(os.Args[1:], os.Stderr)
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	ok := false
	if err == nil {
		environment(o.jobs, runtime.GOMAXPROCS(0))
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		defer stop()
		ok, err = run(ctx, o, os.Stdout, os.Stderr)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

// parse parses the command line. It writes messages about flags to messages.
func parse(args []string, messages io.Writer) (options, error) {
	var o options
	flag := flag.NewFlagSet("mutate", flag.ContinueOnError)
	flag.SetOutput(messages)
	flag.StringVar(&o.packages, "packages", "lexer,parse,stream,sig,manual", "folders of the packages to mutate")
	flag.IntVar(&o.sample, "sample", 0, "mutants of each package; 0 is all")
	flag.Uint64Var(&o.seed, "seed", 1, "which sample")
	flag.StringVar(&o.suite, "suite", "all", "what may kill them: all, quick (without package fuzz and anything more expensive) or corpus")
	flag.StringVar(&o.only, "only", "", "only the mutants whose description (see -list) this `regexp` matches")
	flag.IntVar(&o.jobs, "jobs", 0, "mutants at a time (default one for each processor)")
	flag.DurationVar(&o.timeout, "timeout", 0, "CPU time for one package's tests (default four times what they take without a mutant)")
	flag.DurationVar(&o.limit, "for", 0, "stop after this time, with the results so far (default never)")
	flag.Float64Var(&o.least, "least", 0, "fail if less than this percentage is killed or has a reason to survive")
	flag.BoolVar(&o.json, "json", false, "write the report as JSON")
	flag.BoolVar(&o.list, "list", false, "list the mutants and the operators, and run none")
	flag.Usage = func() {
		fmt.Fprint(messages, "usage: mutate [flags]\n\nMutates packages and counts what the tests notice.\n\n")
		flag.PrintDefaults()
	}
	if err := flag.Parse(args); err != nil {
		return o, err
	}
	if flag.NArg() > 0 {
		return o, fmt.Errorf("%q is not a flag: use -packages %[1]s to name a package", flag.Arg(0))
	}
	if o.sample < 0 {
		return o, fmt.Errorf("-sample must be a number of mutants, not %d", o.sample)
	}
	if o.jobs <= 0 {
		o.jobs = runtime.GOMAXPROCS(0)
	}
	return o, nil
}

// target is a package and its mutants to run.
type target struct {
	score   *Score
	steps   []step
	mutants []*mutant
}

// run carries out the options and reports whether the result is good enough.
func run(ctx context.Context, o options, out, progress io.Writer) (bool, error) {
	if _, ok := suites[o.suite]; !ok {
		return false, fmt.Errorf("-suite must be all, quick or corpus, not %q", o.suite)
	}
	m, err := openModule(ctx, ".")
	if err != nil {
		return false, err
	}
	reasons, err := parseReasons(written)
	if err != nil {
		return false, err
	}
	report := &Report{Suite: o.suite, Seed: o.seed}
	targets, err := choose(m, o, reasons, report)
	if err != nil {
		return false, err
	}
	if o.list {
		return true, list(out, targets)
	}
	failure := runAll(ctx, o, m, targets, report, byKey(reasons), progress)
	if failure != nil && report.ran() == 0 {
		return false, failure
	}
	write := report.WriteText
	if o.json {
		write = report.WriteJSON
	}
	if err := write(out); err != nil {
		return false, err
	}
	if failure != nil {
		return false, failure
	}
	return len(report.Wrong) == 0 && report.Least() >= o.least, nil
}

// choose returns the packages and mutants that o selects, and starts their report.
func choose(m *module, o options, reasons []reason, report *Report) ([]target, error) {
	only, err := regexp.Compile(o.only)
	if err != nil {
		return nil, err
	}
	var targets []target
	found := 0
	for pkg := range strings.SplitSeq(o.packages, ",") {
		if pkg = strings.TrimSpace(pkg); m.find(pkg) == nil {
			return nil, fmt.Errorf("no package %q in this module: -packages names folders, as in lexer,parse", pkg)
		}
		all, err := mutants(m.root, pkg)
		if err != nil {
			return nil, err
		}
		report.Wrong = append(report.Wrong, stale(reasons, pkg, all)...)
		var some []*mutant
		for _, mu := range all {
			if only.MatchString(mu.String()) {
				some = append(some, mu)
			}
		}
		found += len(some)
		score := &Score{Package: pkg, Exist: len(all), By: map[string]int{}, Survivors: []Survivor{}}
		report.Packages = append(report.Packages, score)
		targets = append(targets, target{score, m.steps(o.suite, pkg), sample(some, o.sample, o.seed)})
	}
	if found == 0 {
		return nil, fmt.Errorf("no mutant matches -only %s: see -list for the descriptions", o.only)
	}
	return targets, nil
}

// list writes the operators and the mutants, in source order.
func list(out io.Writer, targets []target) error {
	for _, o := range operators {
		fmt.Fprintf(out, "# %-8s %s\n", o.name, o.what)
	}
	for _, t := range targets {
		slices.SortStableFunc(t.mutants, func(a, b *mutant) int {
			return cmp.Or(strings.Compare(a.file.name, b.file.name), a.from-b.from)
		})
		for _, m := range t.mutants {
			if _, err := fmt.Fprintln(out, m); err != nil {
				return err
			}
		}
	}
	return nil
}

// runAll runs the mutants of all targets in turn, several at a time. If it is interrupted
// or stopped by an error, the report has the results so far, which are a sample.
func runAll(ctx context.Context, o options, m *module, targets []target, report *Report, reasons map[string]reason, progress io.Writer) error {
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)

	usual := new(baselines)
	total := 0
	for _, t := range targets {
		total += len(t.mutants)
	}

	type task struct {
		target *target
		mutant *mutant
	}
	if o.limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.limit)
		defer cancel()
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	next := make(chan task)
	var mu sync.Mutex
	var wait sync.WaitGroup
	var failure error
	done, began := 0, time.Now()
	for i := range o.jobs {
		own := lab{module: m, dir: filepath.Join(dir, fmt.Sprint(i)), timeout: o.timeout, usual: usual}
		if err := os.Mkdir(own.dir, 0o777); err != nil {
			return err
		}
		wait.Go(func() {
			for t := range next {
				v, err := own.try(ctx, t.mutant, t.target.steps)
				if ctx.Err() != nil {
					continue
				}
				mu.Lock()
				if err != nil {
					failure = fmt.Errorf("%s: %w", t.mutant, err)
					stop()
					mu.Unlock()
					continue
				}
				r := reasons[t.mutant.key()]
				t.target.score.add(t.mutant, v, r.text)
				done++
				if v.Killer == "" && !v.Unbuilt {
					fmt.Fprintln(progress, "survives:", t.mutant)
				} else if r.text != "" && v.Killer != "" {
					report.Wrong = append(report.Wrong, fmt.Sprintf("reasons.txt:%d: a test kills it: %s", r.line, t.mutant))
				}
				if done%10 == 0 || done == total {
					left := time.Since(began) / time.Duration(done) * time.Duration(total-done)
					fmt.Fprintf(progress, "%d of %d mutants, %s left\n", done, total, left.Round(time.Second))
				}
				mu.Unlock()
			}
		})
	}
feed:
	for i := 0; i < total; i++ {
		for j := range targets {
			if i >= len(targets[j].mutants) {
				continue
			}
			select {
			case next <- task{&targets[j], targets[j].mutants[i]}:
			case <-ctx.Done():
				break feed
			}
		}
	}
	close(next)
	wait.Wait()
	return failure
}
