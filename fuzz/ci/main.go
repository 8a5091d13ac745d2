package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"
)

// options are the flags.
type options struct {
	json   bool
	seeds  string
	run    bool
	time   time.Duration
	target string
	jobs   int
	soak   int
}

func main() {
	var o options
	flag.BoolVar(&o.json, "json", false, "print a matrix of GitHub Actions")
	flag.StringVar(&o.seeds, "seeds", "", "write a zip of seeds for each target to this `folder` too")
	flag.BoolVar(&o.run, "run", false, "run the targets in turn")
	flag.DurationVar(&o.time, "time", 10*time.Minute, "how long each target runs after its seeds")
	flag.StringVar(&o.target, "target", "", "only the targets whose name, or package and function, match this `regexp`")
	flag.IntVar(&o.jobs, "jobs", 1, "how many targets run at once")
	flag.IntVar(&o.soak, "soak", 0, "run every random property with this many `examples` instead, or the tests that -target matches")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "ci: %q is no flag: see -help\n", flag.Arg(0))
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := do(ctx, os.Stdout, o); err != nil {
		fmt.Fprintln(os.Stderr, "ci:", err)
		os.Exit(1)
	}
}

// do prints or runs the targets of the module in which it is run.
func do(ctx context.Context, out io.Writer, o options) error {
	if o.soak > 0 {
		return soak(ctx, out, ".", o.soak, o.target)
	}
	all, err := targets(ctx, ".")
	if err != nil {
		return err
	}
	if all, err = selected(all, o.target); err != nil {
		return err
	}
	if o.seeds != "" {
		if err := writeSeeds(o.seeds, all); err != nil {
			return err
		}
	}
	if !o.run {
		return write(out, all, o.json)
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	return session{dir: dir, time: o.time, jobs: o.jobs}.all(ctx, out, all)
}

// write prints the targets: one line each, or a matrix in one line.
func write(out io.Writer, all []target, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(out).Encode(map[string][]target{"include": all})
	}
	for _, t := range all {
		if _, err := fmt.Fprintln(out, t.Package, t.Target, t.Name); err != nil {
			return err
		}
	}
	return nil
}
