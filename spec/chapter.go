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
	Argument    string // the first of the directive
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
	chapterTitle = regexp.MustCompile(`^# (.+) \{#([a-z-]+)\}\n`)
	sectionTitle = regexp.MustCompile(`^(##+) (.+) \{#([a-z0-9-]+)\}\n`)
	directive    = regexp.MustCompile(`^\{\{([a-z]+)((?: [^ {}]+)*)\}\}\n`)
	reference    = regexp.MustCompile(`\[\[([A-Za-z][A-Za-z0-9.-]*)\]\]`)
)

// readChapters reads the chapters in the order of their files: numbers first, then the
// letters of the appendices. Every rule and every production has one place in them.
func (d *document) readChapters(files fs.FS) {
	for i, name := range must(fs.Glob(files, "chapters/*.md")) {
		text := string(must(fs.ReadFile(files, name)))
		title := chapterTitle.FindStringSubmatch(text)
		if title == nil {
			fail("%s: the first line is not a title with an id", name)
		}
		c := &chapter{Number: fmt.Sprint(i + 1), Title: title[1], ID: title[2]}
		if letter := path.Base(name)[0]; letter >= 'a' {
			c.Number = string(letter - 'a' + 'A')
		}
		d.Chapters = append(d.Chapters, c)
		d.target(c.ID, c.ID, c.Number+" "+c.Title)
		d.readParts(c, text[len(title[0]):])
	}
	for _, r := range d.Rules {
		if r.part == nil {
			fail("the rule %s is not in the chapters", r.ID)
		}
	}
	for _, p := range d.productions {
		if p.places != 1 {
			fail("the production %s is in %d places of the chapters", p.Name, p.places)
		}
	}
}

// readParts reads the parts of a chapter.
func (d *document) readParts(c *chapter, text string) {
	current := &part{}
	c.Parts = []*part{current}
	fenced, sections, level := false, 0, 3
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		title, m := sectionTitle.FindStringSubmatch(line), directive.FindStringSubmatch(line)
		switch {
		case fenced:
			current.Prose += line
			continue
		case title != nil:
			h := &head{Level: len(title[1]) + 1, ID: title[3], Title: title[2]}
			if h.Level == 3 {
				sections++
				h.Number = fmt.Sprintf("%s.%d", c.Number, sections)
			}
			level = h.Level + 1
			current = &part{Heading: h}
			d.target(h.ID, h.ID, h.Label())
		case m != nil:
			current = &part{Directive: m[1], Level: level}
			d.follow(current, strings.Fields(m[2]))
		case strings.HasPrefix(line, "{{"):
			fail("chapter %s: not a directive: %s", c.ID, line)
		default:
			current.Prose += line
			continue
		}
		c.Parts = append(c.Parts, current)
	}
}

// follow looks up what the arguments of a directive name.
func (d *document) follow(p *part, arguments []string) {
	p.Argument, _, _ = strings.Cut(strings.Join(arguments, " "), " ")
	switch p.Directive {
	case "picture", "ebnf", "decisions":
	case "rule":
		p.Rule = d.rule(p.Argument)
		if p.Rule == nil {
			fail("there is no rule %s", p.Argument)
		}
		d.numbered++
		p.Rule.place(p, d.numbered)
		for _, id := range arguments[1:] {
			c := d.exampleCase(id)
			if c.ID == "" {
				fail("rule %s: there is no case %s", p.Rule.ID, id)
			}
			e := newExample(c)
			e.First, d.seen[id] = !d.seen[id], true
			p.Examples = append(p.Examples, e)
		}
	case "production":
		for _, name := range arguments {
			production := d.production(name)
			if production == nil {
				fail("there is no production %s", name)
			}
			production.places++
			p.Productions = append(p.Productions, production)
		}
	case "table":
		if d.templates.Lookup("table "+p.Argument) == nil {
			fail("there is no table %s", p.Argument)
		}
	default:
		fail("there is no directive %s", p.Directive)
	}
}

// place notes where the rule is, and its number. A production is shown once, with the first of its
// rules if it has one.
func (r *rule) place(at *part, number int) {
	if r.part != nil {
		fail("the rule %s is in two places of the chapters", r.ID)
	}
	r.part, r.Number = at, number
	for _, p := range r.productions {
		if p.places == 0 {
			p.places++
			r.Shows = append(r.Shows, p)
		} else {
			r.Elsewhere = append(r.Elsewhere, "[["+p.Name+"]]")
		}
	}
}
