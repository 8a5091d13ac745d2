package spec

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
)

// A chapter is a file of prose and directives.
type chapter struct {
	file   string
	Number string // 1, 2, …; A, B, … for an appendix
	ID     string
	Title  string
	Parts  []*part
}

// A head is a heading below that of the chapter.
type head struct {
	Level             int // in the document, which has a title
	Number, ID, Title string
}

// Label returns the heading with its number.
func (h *head) Label() string { return strings.TrimSpace(h.Number + " " + h.Title) }

// A part of a chapter is prose, alone or after a heading or directive.
type part struct {
	Heading     *head
	Directive   string // empty for prose and headings
	Arguments   []string
	Prose       string
	Level       int // of the heading of a rule here
	Rule        *rule
	Examples    []example
	Productions []*production
}

// Below returns the parts of the chapter for the table of contents.
func (c *chapter) Below() (parts []*part) {
	for _, p := range c.Parts {
		if p.Rule != nil || p.Heading != nil && p.Heading.Level == 3 {
			parts = append(parts, p)
		}
	}
	return parts
}

var (
	chapterTitle = regexp.MustCompile(`^# (.+) \{#([a-z-]+)\}$`)
	sectionTitle = regexp.MustCompile(`^(##+) (.+) \{#([a-z0-9-]+)\}$`)
	directive    = regexp.MustCompile(`^\{\{([a-z]+)((?: [^ {}]+)*)\}\}$`)
	reference    = regexp.MustCompile(`\[\[([A-Za-z][A-Za-z0-9.-]*)\]\]`)
)

// readChapters returns the chapters in the order of their files: numbers first,
// then the letters of the appendices.
func readChapters(files fs.FS) ([]*chapter, error) {
	names, err := fs.Glob(files, "chapters/*.md")
	if err != nil {
		return nil, err
	}
	var all []*chapter
	for i, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		first, rest, _ := strings.Cut(string(text), "\n")
		title := chapterTitle.FindStringSubmatch(first)
		if title == nil {
			return nil, fmt.Errorf("%s: the first line is not a title with an id: %q", name, first)
		}
		c := &chapter{file: name, Number: fmt.Sprint(i + 1), Title: title[1], ID: title[2]}
		if letter := path.Base(name)[0]; letter >= 'a' {
			c.Number = string(letter - 'a' + 'A')
		}
		if err := c.read(rest); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, c)
	}
	return all, nil
}

// read reads the parts of the chapter.
func (c *chapter) read(text string) error {
	c.Parts = []*part{{}}
	fenced, sections, level := false, 0, 3
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		title, m := sectionTitle.FindStringSubmatch(line), directive.FindStringSubmatch(line)
		switch {
		case title != nil && !fenced:
			h := &head{Level: len(title[1]) + 1, ID: title[3], Title: title[2]}
			if h.Level == 3 {
				sections++
				h.Number = fmt.Sprintf("%s.%d", c.Number, sections)
			}
			level = h.Level + 1
			c.Parts = append(c.Parts, &part{Heading: h}, &part{})
		case m != nil && !fenced:
			c.Parts = append(c.Parts,
				&part{Directive: m[1], Arguments: strings.Fields(m[2]), Level: level})
		case strings.HasPrefix(line, "{{") && !fenced:
			return fmt.Errorf("not a directive: %s", line)
		default:
			c.Parts[len(c.Parts)-1].Prose += line + "\n"
		}
	}
	return nil
}

// arrange follows the directives of the chapters, and gives rules, productions and examples
// their places.
func (d *document) arrange() error {
	if err := d.parseTemplates(); err != nil {
		return err
	}
	for _, c := range d.Chapters {
		d.target(c.ID, c.ID, c.Number+" "+c.Title)
	}
	places := map[any]int{}   // of rules and productions
	seen := map[string]bool{} // examples
	for c, p := range d.parts() {
		if h := p.Heading; h != nil {
			d.target(h.ID, h.ID, h.Label())
		}
		if err := d.follow(p); err != nil {
			return fmt.Errorf("%s: %w", c.file, err)
		}
		p.place(places)
		for i := range p.Examples {
			e := &p.Examples[i]
			e.First, seen[e.ID] = !seen[e.ID], true
		}
	}
	for _, r := range d.Rules {
		if n := places[r]; n != 1 {
			return fmt.Errorf("the rule %s is in %d places of the chapters", r.ID, n)
		}
	}
	for _, p := range d.productions {
		if n := places[p]; n != 1 {
			return fmt.Errorf("the production %s is in %d places of the chapters", p.Name, n)
		}
	}
	return nil
}

// place counts where rules and productions are. A production is shown once, with the first of
// its rules if it has one.
func (p *part) place(places map[any]int) {
	for _, production := range p.Productions {
		places[production]++
	}
	if p.Rule == nil {
		return
	}
	places[p.Rule]++
	for _, production := range p.Rule.productions {
		if places[production] == 0 {
			places[production]++
			p.Rule.Shows = append(p.Rule.Shows, production)
		} else {
			p.Rule.Elsewhere = append(p.Rule.Elsewhere, "[["+production.Name+"]]")
		}
	}
}

// Argument returns the first argument of a directive.
func (p *part) Argument() string { return strings.Join(p.Arguments[:min(len(p.Arguments), 1)], "") }

// follow looks up what a directive names.
func (d *document) follow(p *part) error {
	switch p.Directive {
	case "", "picture", "ebnf", "decisions":
	case "rule":
		p.Rule = d.rule(p.Argument())
		if p.Rule == nil {
			return fmt.Errorf("there is no rule %s", p.Argument())
		}
		for _, id := range p.Arguments[1:] {
			c, ok := d.exampleCase(id)
			if !ok {
				return fmt.Errorf("rule %s: there is no case %s", p.Rule.ID, id)
			}
			p.Examples = append(p.Examples, newExample(c))
		}
	case "production":
		for _, name := range p.Arguments {
			production := d.production(name)
			if production == nil {
				return fmt.Errorf("there is no production %s", name)
			}
			p.Productions = append(p.Productions, production)
		}
	case "table":
		if d.templates.Lookup("table "+p.Argument()) == nil {
			return fmt.Errorf("there is no table %s", p.Argument())
		}
	default:
		return fmt.Errorf("there is no directive %s", p.Directive)
	}
	return nil
}
