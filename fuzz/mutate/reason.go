package main

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"
)

//go:embed reasons.txt
var written string

// reason explains why some mutants of one function may survive.
type reason struct {
	line int      // of the file
	keys []string // of the mutants
	text string
}

var head = regexp.MustCompile(`^\S+ \S+( #[1-9]\d*)?$`)

// parseReasons reads the format of reasons.txt: blocks separated by empty lines, each
// with a package and a function, pairs of lines prefixed by - and +, and the reason on
// indented lines. If several mutants have the same text, the function is followed by the
// number of one. Lines with # are comments.
//
//	lexer Lexer.refill #2
//	- n := min(rest, max(firstStep, held))
//	+ n := min(rest, max(firstStep, held) - 1)
//	  The amount copied at a time does not change any token.
func parseReasons(text string) ([]reason, error) {
	var all []reason
	var current *reason
	var name, before string
	for i, line := range strings.Split(text, "\n") {
		wrong := func(what string) error { return fmt.Errorf("reasons.txt:%d: %s", i+1, what) }
		switch {
		case strings.HasPrefix(line, "#"):
		case strings.TrimSpace(line) == "":
			current = nil
		case current == nil:
			if name = line; !head.MatchString(line) {
				return nil, wrong("want a package, a function and, where several mutants are alike, a number as in #2")
			}
			all = append(all, reason{line: i + 1})
			current = &all[len(all)-1]
		case strings.HasPrefix(line, "- "):
			before = line
		case strings.HasPrefix(line, "+") && before != "":
			after := strings.TrimPrefix(strings.TrimPrefix(line, "+"), " ")
			current.keys = append(current.keys, name+"\n"+before+"\n+ "+after)
		case strings.HasPrefix(line, "  ") && len(current.keys) > 0:
			current.text = strings.TrimSpace(current.text + " " + strings.TrimSpace(line))
		default:
			return nil, wrong("want - before, + after, or an indented reason")
		}
	}
	for _, r := range all {
		if r.text == "" {
			return nil, fmt.Errorf("reasons.txt:%d: missing reason", r.line)
		}
	}
	return all, nil
}

// byKey returns the reason of each mutant that has one.
func byKey(all []reason) map[string]reason {
	m := map[string]reason{}
	for _, r := range all {
		for _, k := range r.keys {
			m[k] = r
		}
	}
	return m
}

// stale returns an error message for each reason without a mutant in the package pkg,
// whose mutants are exist.
func stale(all []reason, pkg string, exist []*mutant) []string {
	keys, alike := map[string]bool{}, map[string]bool{}
	for _, m := range exist {
		keys[m.key()], alike[m.alike()] = true, true
	}
	var wrong []string
	for _, r := range all {
		for _, k := range r.keys {
			if !strings.HasPrefix(k, pkg+" ") || keys[k] {
				continue
			}
			what := "no such mutant any more"
			if alike[k] {
				what = "several are alike: say which, with a number after the function as in #2"
			}
			wrong = append(wrong, fmt.Sprintf("reasons.txt:%d: %s: %s", r.line, what, k))
		}
	}
	return wrong
}
