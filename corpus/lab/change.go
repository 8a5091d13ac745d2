package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// An operator makes mistakes of one kind: of what matches, each of the others.
type operator struct {
	pattern *regexp.Regexp
	others  func(found string) []string
}

func swap(pairs ...string) func(string) []string {
	return func(found string) []string {
		for i := 0; i < len(pairs); i += 2 {
			if strings.TrimSpace(found) == pairs[i] {
				return []string{strings.Replace(found, pairs[i], pairs[i+1], 1)}
			}
		}
		return nil
	}
}

// operators are what people get wrong: a bound, a condition, a number, a code.
var operators = []operator{
	{regexp.MustCompile(` (?:<=|>=|<|>|===|!==|==|!=) `), swap("<", "<=", "<=", "<", ">", ">=", ">=", ">", "==", "!=", "!=", "==", "===", "!==", "!==", "===")},
	{regexp.MustCompile(` (?:and|or|&&|\|\|) `), swap("and", "or", "or", "and", "&&", "||", "||", "&&")},
	{regexp.MustCompile(`\bnot `), func(string) []string { return []string{""} }},
	{regexp.MustCompile(`\b(?:min|max)\(`), swap("min(", "max(", "max(", "min(")},
	{regexp.MustCompile(`\b(?:True|False|true|false)\b`), swap("True", "False", "False", "True", "true", "false", "false", "true")},
	{regexp.MustCompile(`[ (\[]\d{1,4}\b`), func(found string) []string { return []string{found[:1] + plusOne(found[1:])} }},
	{regexp.MustCompile(`'(?:expected|bad|nested|unterminated|call|name|too|unknown|duplicate|path|invalid|missing|type|not|ambiguous|open|after)-[a-z-]+[a-z0-9]'`), func(found string) []string {
		if found == "'bad-name'" {
			return []string{"'expected-key'"}
		}
		return []string{"'bad-name'"}
	}},
}

func plusOne(number string) string {
	n := 0
	fmt.Sscan(number, &n)
	return fmt.Sprint(n + 1)
}

// class is a class of a regular expression; item is a part of one.
var (
	class = regexp.MustCompile(`\[\^?(?:\\.|[^\]\\\n])+\]`)
	item  = regexp.MustCompile(`\\x[0-9A-Fa-f]{2}-\\x[0-9A-Fa-f]{2}|\\0-\\x[0-9A-Fa-f]{2}|[A-Za-z0-9]-[A-Za-z0-9]|\\x[0-9A-Fa-f]{2}|\\.|[^\\\]]`)
)

// lexical are the lines in which brackets are classes of regular expressions.
var lexical = regexp.MustCompile(`re\.compile|compile, \(|rb'|r'|new RegExp|= /|\(/|/[gy]|String\.raw|b'`)

// mistakesOf returns the mistakes that can be made in a reader, line by line.
func mistakesOf(root string, r reader) ([]mistake, error) {
	var all []mistake
	files, err := filepath.Glob(filepath.Join(root, r.dir, "*"))
	if err != nil {
		return nil, err
	}
	for _, path := range files {
		if strings.HasSuffix(path, ".md") {
			continue
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		file, text, at := filepath.Base(path), string(data), 0
		for n, line := range strings.SplitAfter(text, "\n") {
			start := at
			at += len(line)
			if line = withoutComment(line); line == "" || strings.Contains(line, "skip") || strings.Contains(line, "delims") {
				continue // what is no part of reading
			}
			add := func(kind string, from, to int, other string) {
				changed := text[:start+from] + other + text[start+to:]
				all = append(all, mistake{
					kind: kind,
					name: fmt.Sprintf("%s/%s:%d:%d %q -> %q", r.name, file, n+1, from, text[start+from:start+to], other),
					command: func(dir string) ([]string, error) {
						return mutant(root, r, dir, file, []byte(changed))
					},
				})
			}
			for _, o := range operators {
				for _, m := range o.pattern.FindAllStringIndex(line, -1) {
					for _, other := range o.others(line[m[0]:m[1]]) {
						add("bugs", m[0], m[1], other)
					}
				}
			}
			if !lexical.MatchString(line) {
				continue
			}
			for _, c := range class.FindAllStringIndex(line, -1) {
				inner := c[0] + 1
				if line[inner] == '^' {
					inner++
				}
				items := item.FindAllStringIndex(line[inner:c[1]-1], -1)
				if len(items) < 2 || strings.Contains(line[c[0]:c[1]], ", ") { // a list of the language
					continue
				}
				for _, i := range items {
					add("classes", inner+i[0], inner+i[1], "")
				}
				for _, more := range []string{"~", "\\x1f"} {
					if !holds(line[inner:c[1]-1], more) {
						add("classes", inner, inner, more)
					}
				}
			}
		}
	}
	return all, nil
}

// holds reports whether the items of a class hold a character already, which may be
// written as an escape.
func holds(items, character string) bool {
	pattern := "^[" + strings.ReplaceAll(items, `\0-`, `\x00-`) + "]$"
	re, err := regexp.Compile(pattern)
	return err == nil && re.MatchString(strings.ReplaceAll(character, `\x1f`, "\x1f"))
}

// withoutComment returns a line of code without the comment after it, and
// nothing if it is no code.
func withoutComment(line string) string {
	for _, begin := range []string{"#", "//", "import", "/**", `"""`, "from "} {
		if strings.HasPrefix(strings.TrimSpace(line), begin) {
			return ""
		}
	}
	for _, begin := range []string{"  # ", " // "} {
		line, _, _ = strings.Cut(line, begin)
	}
	return strings.TrimRight(line, "\n ")
}
