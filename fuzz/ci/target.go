package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path"
	"regexp"
	"strings"
)

// target is a native fuzz target.
type target struct {
	Package string `json:"package"` // its import path
	Target  string `json:"target"`  // the function
	Name    string `json:"name"`    // of both, for files: lexer_fuzz_text
}

// targets lists the targets of all packages of the module in which dir is.
func targets(ctx context.Context, dir string) ([]target, error) {
	cmd := exec.CommandContext(ctx, "go", "test", "-vet=off", "-list", "^Fuzz", "./...")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return nil, fmt.Errorf("go test -list: %w\n%s%s", err, out, exit.Stderr)
		}
		return nil, err
	}
	return parseList(out), nil
}

// selected returns the targets that pattern, a regular expression, finds in the name,
// in the function, or in both package and function; it is an error if there are none.
func selected(all []target, pattern string) (some []target, err error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, err
	}
	for _, t := range all {
		if re.MatchString(t.Name) || re.MatchString(t.Target) || re.MatchString(t.Package+"."+t.Target) {
			some = append(some, t)
		}
	}
	if len(some) == 0 {
		return nil, fmt.Errorf("no target matches %q", pattern)
	}
	return some, nil
}

// parseList reads what go test -list prints: the names of each package, and then
// a line that says which package they are of.
func parseList(out []byte) []target {
	var all []target
	var names []string
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		switch fields := strings.Fields(lines.Text()); {
		case len(fields) == 1 && strings.HasPrefix(fields[0], "Fuzz"):
			names = append(names, fields[0])
		case len(fields) > 1 && fields[0] == "ok":
			for _, n := range names {
				all = append(all, target{fields[1], n, nameOf(fields[1], n)})
			}
			names = nil
		}
	}
	return all
}

// nameOf returns a name for files: the last part of the package, and the target
// in lower case with underscores.
func nameOf(pkg, function string) string {
	name := path.Base(pkg)
	for _, c := range function {
		if 'A' <= c && c <= 'Z' {
			name += "_" + string(c-'A'+'a')
		} else {
			name += string(c)
		}
	}
	return name
}
