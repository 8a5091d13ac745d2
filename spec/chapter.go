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
	Number string // 1, 2, …; A, B, … for an appendix
	ID     string
	Title  string
	Parts  []part
	source string // the text after the title
}

// A head is a heading below that of the chapter.
type head struct {
	level             int
	Number, ID, Title string
}

// Label returns the heading with its number.
func (h *head) Label() string { return strings.TrimSpace(h.Number + " " + h.Title) }

// Below returns the level of the heading in the document, which has a title.
func (h *head) Below() int { return h.level + 1 }

// A part of a chapter is prose, alone or after a heading or directive.
type part struct {
	Heading     *head
	Directive   string // empty for prose and headings
	Arguments   []string
	Prose       string
	Level       int // of a heading in the place of the part
	Rule        *rule
	Examples    []example
	Productions []*production
}

// Below returns the parts of the chapter for the table of contents.
func (c *chapter) Below() (parts []part) {
	for _, p := range c.Parts {
		if p.Rule != nil || p.Heading != nil && p.Heading.level == 2 {
			parts = append(parts, p)
		}
	}
	return parts
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
		c := &chapter{file: name, Title: title[1], ID: title[2], source: rest}
		if letter := path.Base(name)[0]; letter >= 'a' {
			c.Number = string(letter - 'a' + 'A')
		} else {
			number++
			c.Number = fmt.Sprint(number)
		}
		all = append(all, c)
	}
	return all, nil
}

// fill reads the parts of the chapter.
func (d *document) fill(c *chapter, placed map[string]bool) error {
	d.anchors[c.ID] = anchor{c.ID, c.Number + " " + c.Title, false}
	c.Parts = []part{{}}
	fenced, sections, level := false, 0, 2
	for line := range strings.Lines(c.source) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		title, m := sectionTitle.FindStringSubmatch(line), directive.FindStringSubmatch(line)
		switch {
		case title != nil && !fenced:
			h := &head{level: len(title[1]), ID: title[3], Title: title[2]}
			if h.level == 2 {
				sections++
				h.Number = fmt.Sprintf("%s.%d", c.Number, sections)
			}
			level = h.Below()
			d.anchors[h.ID] = anchor{h.ID, h.Label(), false}
			c.Parts = append(c.Parts, part{Heading: h}, part{})
		case m != nil && !fenced:
			parts, err := d.direct(m[1], strings.Fields(m[2]), placed)
			if err != nil {
				return err
			}
			if len(parts) == 0 {
				parts = []part{{}}
			}
			for i := range parts {
				parts[i].Level = level + 1
			}
			c.Parts = append(c.Parts, parts...)
		case strings.HasPrefix(line, "{{") && !fenced:
			return fmt.Errorf("not a directive: %s", line)
		default:
			c.Parts[len(c.Parts)-1].Prose += line + "\n"
		}
	}
	return nil
}

// direct returns the parts that replace a directive.
func (d *document) direct(
	name string, arguments []string, placed map[string]bool,
) (parts []part, err error) {
	place := func(r *rule) part {
		placed[r.ID] = true
		return part{Rule: r}
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
			i := slices.IndexFunc(d.Cases, func(c corpus.Case) bool { return c.ID == id })
			if i < 0 {
				return nil, fmt.Errorf("rule %s: there is no case %s", r.ID, id)
			}
			p.Examples = append(p.Examples, newExample(d.Cases[i]))
		}
		return []part{p}, nil
	case "rest":
		for _, r := range d.Rules {
			group, _, _ := strings.Cut(r.ID, ".")
			if slices.Contains(arguments, group) && !d.named[r.ID] && !placed[r.ID] {
				parts = append(parts, place(r))
			}
		}
		return parts, nil
	case "production":
		p := part{}
		for _, n := range arguments {
			production := d.production(n)
			if production == nil {
				return nil, fmt.Errorf("there is no production %s", n)
			}
			p.Productions = append(p.Productions, production)
		}
		return []part{p}, nil
	case "table":
		if len(arguments) != 1 || !slices.Contains(tables, arguments[0]) {
			return nil, fmt.Errorf("there is no table %q", arguments)
		}
	case "picture", "ebnf", "decisions":
	default:
		return nil, fmt.Errorf("there is no directive %s", name)
	}
	return []part{{Directive: name, Arguments: arguments}}, nil
}

// checkReferences returns an error for a reference to nothing.
func (d *document) checkReferences() error {
	for _, c := range d.Chapters {
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
		label := a.Label
		if a.code {
			label = "`" + label + "`"
		}
		return fmt.Sprintf("[%s](#%s)", label, a.ID)
	})
}
