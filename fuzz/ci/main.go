package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	asJSON := flag.Bool("json", false, "print a matrix of GitHub Actions")
	dir := flag.String("seeds", "", "write a zip of seeds for each target to this `folder` too")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "ci: %q is no flag: write -json, -seeds FOLDER or nothing\n", flag.Arg(0))
		os.Exit(2)
	}
	if err := run(context.Background(), os.Stdout, *asJSON, *dir); err != nil {
		fmt.Fprintln(os.Stderr, "ci:", err)
		os.Exit(1)
	}
}

// run prints the targets of the module in which it is run.
func run(ctx context.Context, out io.Writer, asJSON bool, dir string) error {
	all, err := targets(ctx, ".")
	if err != nil {
		return err
	}
	if dir != "" {
		if err := writeSeeds(ctx, dir, all); err != nil {
			return err
		}
	}
	return write(out, all, asJSON)
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
