package spec

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/callwire/callwire/corpus"
)

// A chapter is a file of prose and directives.
type chapter struct {
	file   string
	number string // 1, 2, …; A, B, … for an appendix
	id     string
	title  string
	parts  []part
	source string // the text after the title
	heads  []head
}

// A head is a heading below that of the chapter.
type head struct {
	level             int
	number, id, title string
}

// A part of a chapter is prose, alone or after a directive.
type part struct {
	directive   string // empty for prose
	arguments   []string
	prose       string
	rule        *rule
	examples    []example
	productions []*production
}

var (
	chapterTitle  = regexp.MustCompile(`^# (.+) \{#([a-z-]+)\}$`)
	sectionTitle  = regexp.MustCompile(`^(##+) (.+) \{#([a-z0-9-]+)\}$`)
	directive     = regexp.MustCompile(`^\{\{([a-z]+)((?: [^ {}]+)*)\}\}$`)
	directiveRule = regexp.MustCompile(`(?m)^\{\{rule ([^ {}]+)`)
	reference     = regexp.MustCompile(`\[\[([A-Za-z][A-Za-z0-9.-]*)\]\]`)
)

// readChapters returns the chapters in the order of their files: numbers first,
// then the letters of the appendices.
func readChapters(files fs.FS) ([]*chapter, error) {
	names, err := fs.Glob(files, "chapters/*.md")
	if err != nil {
		return nil, err
	}
	var all []*chapter
	number := 0
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		first, rest, _ := strings.Cut(string(text), "\n")
		title := chapterTitle.FindStringSubmatch(first)
		if title == nil {
			return nil, fmt.Errorf("%s: the first line is not a title with an id: %q", name, first)
		}
		c := &chapter{file: name, title: title[1], id: title[2], source: rest}
		if letter := path.Base(name)[0]; letter >= 'a' {
			c.number = string(letter - 'a' + 'A')
		} else {
			number++
			c.number = fmt.Sprint(number)
		}
		all = append(all, c)
	}
	return all, nil
}

// fill reads the parts of the chapter.
func (d *document) fill(c *chapter, placed map[string]bool) error {
	d.anchors[c.id] = anchor{c.id, c.number + " " + c.title, false}
	current := part{}
	flush := func() {
		if current.directive != "" || strings.TrimSpace(current.prose) != "" {
			c.parts = append(c.parts, current)
		}
		current = part{}
	}
	fenced, sections := false, 0
	for line := range strings.Lines(c.source) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		if m := sectionTitle.FindStringSubmatch(line); m != nil && !fenced {
			flush()
			h := head{level: len(m[1]), id: m[3], title: m[2]}
			if h.level == 2 {
				sections++
				h.number = fmt.Sprintf("%s.%d", c.number, sections)
			}
			c.heads = append(c.heads, h)
			d.anchors[h.id] = anchor{h.id, strings.TrimSpace(h.number + " " + h.title), false}
			c.parts = append(c.parts, part{directive: "heading", arguments: []string{h.id}})
			continue
		}
		m := directive.FindStringSubmatch(line)
		if m == nil || fenced {
			if strings.HasPrefix(line, "{{") && !fenced {
				return fmt.Errorf("not a directive: %s", line)
			}
			current.prose += line + "\n"
			continue
		}
		flush()
		parts, err := d.direct(m[1], strings.Fields(m[2]), placed)
		if err != nil {
			return err
		}
		if len(parts) == 0 {
			continue
		}
		c.parts = append(c.parts, parts[:len(parts)-1]...)
		current = parts[len(parts)-1]
	}
	flush()
	return nil
}

// direct returns the parts that replace a directive.
func (d *document) direct(
	name string, arguments []string, placed map[string]bool,
) (parts []part, err error) {
	place := func(r *rule) part {
		placed[r.ID] = true
		return part{directive: "rule", rule: r}
	}
	switch name {
	case "rule":
		if len(arguments) == 0 {
			return nil, fmt.Errorf("a rule has an id")
		}
		r := d.rule(arguments[0])
		switch {
		case r == nil:
			return nil, fmt.Errorf("there is no rule %s", arguments[0])
		case placed[r.ID]:
			return nil, fmt.Errorf("the rule %s is here and elsewhere", r.ID)
		}
		p := place(r)
		for _, id := range arguments[1:] {
			i := slices.IndexFunc(d.cases, func(c corpus.Case) bool { return c.ID == id })
			if i < 0 {
				return nil, fmt.Errorf("rule %s: there is no case %s", r.ID, id)
			}
			p.examples = append(p.examples, newExample(d.cases[i]))
		}
		return []part{p}, nil
	case "rest":
		for _, r := range d.rules {
			group, _, _ := strings.Cut(r.ID, ".")
			if slices.Contains(arguments, group) && !d.named[r.ID] && !placed[r.ID] {
				parts = append(parts, place(r))
			}
		}
		return parts, nil
	case "production":
		p := part{directive: name}
		for _, n := range arguments {
			production := d.production(n)
			if production == nil {
				return nil, fmt.Errorf("there is no production %s", n)
			}
			p.productions = append(p.productions, production)
		}
		return []part{p}, nil
	case "table":
		if len(arguments) != 1 || tables[arguments[0]] == nil {
			return nil, fmt.Errorf("there is no table %q", arguments)
		}
	case "picture", "ebnf", "decisions":
	default:
		return nil, fmt.Errorf("there is no directive %s", name)
	}
	return []part{{directive: name, arguments: arguments}}, nil
}

// checkReferences returns an error for a reference to nothing.
func (d *document) checkReferences() error {
	for _, c := range d.chapters {
		for _, m := range reference.FindAllStringSubmatch(c.source, -1) {
			if _, ok := d.anchors[m[1]]; !ok {
				return fmt.Errorf("%s: [[%s]] refers to nothing", c.file, m[1])
			}
		}
	}
	return nil
}

// link replaces the references in a text of Markdown by links.
func (d *document) link(text string) string {
	return reference.ReplaceAllStringFunc(text, func(s string) string {
		a := d.anchors[s[2:len(s)-2]]
		label := a.label
		if a.code {
			label = "`" + label + "`"
		}
		return fmt.Sprintf("[%s](#%s)", label, a.id)
	})
}

// head returns the heading of that id.
func (c *chapter) head(id string) head {
	return c.heads[slices.IndexFunc(c.heads, func(h head) bool { return h.id == id })]
}
