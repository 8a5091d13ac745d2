package spec

import (
	"bytes"
	_ "embed"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	renderer "github.com/yuin/goldmark/renderer/html"

	"github.com/callwire/callwire/grammar"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/spec/railroad"
)

var (
	//go:embed page/page.html
	pageHTML string

	//go:embed page/page.css
	pageCSS string

	//go:embed page/page.js
	pageJS string
)

// converter turns the Markdown of the chapters, which are ours, into HTML.
var converter = goldmark.New(
	goldmark.WithExtensions(extension.Table),
	goldmark.WithParserOptions(parser.WithAttribute()),
	goldmark.WithRendererOptions(renderer.WithUnsafe()),
)

// page writes the document as one page of HTML.
func page(d *document) ([]byte, error) {
	w := &pageWriter{d: d, cases: map[string]bool{}}
	for _, c := range d.chapters {
		w.level = 2
		fmt.Fprintf(w, "<section class=\"chapter\" aria-labelledby=\"%s\">\n", c.id)
		fmt.Fprintf(w, "<h2 id=\"%s\"><a href=\"#%s\"><span class=\"no\">%s</span>%s</a></h2>\n",
			c.id, c.id, c.number, html.EscapeString(c.title))
		for _, p := range c.parts {
			if err := w.part(c, p); err != nil {
				return nil, fmt.Errorf("%s: %w", c.file, err)
			}
		}
		w.WriteString("</section>\n")
	}
	fill := strings.NewReplacer(
		"{{.Version}}", html.EscapeString(Version),
		"{{.CSS}}", pageCSS,
		"{{.JS}}", pageJS,
		"{{.Contents}}", contents(d),
		"{{.Body}}", w.String(),
		"{{.Rules}}", strconv.Itoa(len(d.rules)),
		"{{.Cases}}", strconv.Itoa(len(d.cases)),
		"{{.Codes}}", strconv.Itoa(len(lexer.Codes())),
	)
	return []byte(fill.Replace(pageHTML)), nil
}

// contents is the table of contents: chapters with their sections and rules.
func contents(d *document) string {
	var b strings.Builder
	for _, c := range d.chapters {
		var below []string
		for _, p := range c.parts {
			switch {
			case p.rule != nil:
				below = append(below,
					fmt.Sprintf(`<li class="r"><a href="#%s">%s</a></li>`, p.rule.ID, p.rule.ID))
			case p.directive == "heading":
				if h := c.head(p.arguments[0]); h.level == 2 {
					below = append(below, fmt.Sprintf(`<li><a href="#%s">%s</a></li>`, h.id,
						html.EscapeString(plain(h.title))))
				}
			}
		}
		link := fmt.Sprintf(`<a href="#%s"><span class="no">%s</span>%s</a>`, c.id, c.number,
			html.EscapeString(c.title))
		if len(below) > 0 {
			link += fmt.Sprintf("<details><summary aria-label=\"Sections of %s\"></summary>"+
				"<ul>%s</ul></details>", html.EscapeString(c.title), strings.Join(below, ""))
		}
		fmt.Fprintf(&b, "<div class=\"c\">%s</div>\n", link)
	}
	return b.String()
}

// plain is a heading without its marks of code.
func plain(s string) string { return strings.ReplaceAll(s, "`", "") }

type pageWriter struct {
	strings.Builder
	d     *document
	level int             // of the last heading of a chapter or section
	cases map[string]bool // those that have their anchor
}

func (w *pageWriter) part(c *chapter, p part) error {
	switch p.directive {
	case "heading":
		h := c.head(p.arguments[0])
		w.level = h.level + 1
		fmt.Fprintf(w, "<h%d id=\"%s\"><a href=\"#%s\">", h.level+1, h.id, h.id)
		if h.number != "" {
			fmt.Fprintf(w, "<span class=\"no\">%s</span>", h.number)
		}
		fmt.Fprintf(w, "%s</a></h%d>\n", codeSpans(html.EscapeString(h.title)), h.level+1)
	case "rule":
		return w.rule(p)
	case "production":
		if err := w.productions(p.productions); err != nil {
			return err
		}
	case "table":
		class := p.arguments[0]
		if slices.Contains([]string{"codes", "limits", "typing", "tokens"}, class) {
			class += " stack" // its rows are read one below the other on a phone
		}
		label := "Table of " + strings.ReplaceAll(p.arguments[0], "-", " ")
		fmt.Fprintf(w, "<div class=\"table %s\" tabindex=\"0\" role=\"group\" aria-label=\"%s\">\n",
			class, label)
		write := tables[p.arguments[0]]
		if p.arguments[0] == "codes" {
			write = codesWithRules
		}
		if err := w.markdown(write(w.d)); err != nil {
			return err
		}
		w.WriteString("</div>\n")
	case "picture":
		w.WriteString(picture)
	case "ebnf":
		fmt.Fprintf(w, "<pre class=\"ebnf\">%s</pre>\n", w.ebnf(w.d.ebnf(p.arguments), p.arguments))
	case "decisions":
		if err := w.prose(appendix()); err != nil {
			return err
		}
	}
	return w.prose(p.prose)
}

// markdown writes Markdown as HTML.
func (w *pageWriter) markdown(text string) error {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	return converter.Convert([]byte(w.d.link(text)), w)
}

// prose writes Markdown as HTML whose tables can be scrolled with the keyboard.
func (w *pageWriter) prose(text string) error {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	var out bytes.Buffer
	if err := converter.Convert([]byte(w.d.link(text)), &out); err != nil {
		return err
	}
	_, err := scrollable.WriteString(w, out.String())
	return err
}

// scrollable puts a table of Markdown into a box that can be scrolled.
var scrollable = strings.NewReplacer(
	"<table>", `<div class="table" tabindex="0" role="group" aria-label="Table"><table>`,
	"</table>", "</table></div>",
)

func (w *pageWriter) rule(p part) error {
	r := p.rule
	fmt.Fprintf(w, "<section class=\"rule\" id=\"%s\">\n"+
		"<h%d class=\"id\"><a href=\"#%s\">%s</a><span class=\"level %s\">%s</span></h%d>\n",
		r.ID, w.level+1, r.ID, breakable(r.ID), r.level, r.level, w.level+1)
	fmt.Fprintf(w, "<p class=\"lead\">%s</p>\n", html.EscapeString(r.Text))
	if err := w.prose(p.prose); err != nil {
		return err
	}
	if err := w.productions(r.shows); err != nil {
		return err
	}
	if others := r.elsewhere(); len(others) > 0 {
		if err := w.markdown("*Grammar:* " + strings.Join(others, ", ")); err != nil {
			return err
		}
	}
	for _, e := range r.examples {
		w.example(e)
	}
	w.WriteString("</section>\n")
	return nil
}

// productions writes each production with its doc comment and its diagram.
func (w *pageWriter) productions(list []*production) error {
	for _, p := range list {
		fmt.Fprintf(w, "<figure class=\"production\" id=\"%s\">\n<figcaption><b>%s</b>",
			p.anchor(), p.name)
		if p.doc != "" {
			for paragraph := range strings.SplitSeq(p.doc, "\n\n") {
				fmt.Fprintf(w, "<p>%s</p>", html.EscapeString(paragraph))
			}
		}
		w.WriteString("</figcaption>\n")
		w.WriteString(railroad.Draw(p.node(), "Railroad diagram: "+p.text, "#"))
		var which []string
		if p.grammar == "signature" {
			which = []string{"signatures"}
		}
		fmt.Fprintf(w, "\n<pre class=\"ebnf\">%s</pre>\n", w.ebnf(p.text, which))
		for _, t := range p.tokens {
			if err := w.token(t); err != nil {
				return err
			}
		}
		w.WriteString("</figure>\n")
	}
	return nil
}

// token writes a token with the diagram of its pattern.
func (w *pageWriter) token(t grammar.TokenRule) error {
	n, err := patternNode(t.Pattern)
	if err != nil {
		return fmt.Errorf("token %s: %w", t.Name, err)
	}
	name := strings.ToLower(t.Name)
	diagram := railroad.Draw(n, "Railroad diagram: "+t.Pattern, "#")
	fmt.Fprintf(w, "<div class=\"token\" id=\"token.%s\">"+
		"<div class=\"what\"><b>&lt;%s&gt;</b><p>%s</p></div>\n"+
		"%s\n<pre class=\"ebnf\">%s</pre></div>\n",
		name, name, html.EscapeString(t.Doc), diagram, html.EscapeString(tokenText(t)))
	return nil
}

// ebnfPart matches what is highlighted in EBNF: comments, literals, tokens, names.
var ebnfPart = regexp.MustCompile(
	`(?s)\(\*.*?\*\)|"[^"]*"|<[a-z]+> = /.*?/ \.\n|<[a-z]+>|[A-Z][A-Za-z]+`)

// ebnf writes EBNF with links from names of productions and tokens.
func (w *pageWriter) ebnf(text string, arguments []string) string {
	token := "token."
	if len(arguments) > 0 {
		token = ""
	}
	isOwn := len(arguments) == 0 || grammar.ByName(arguments[0]) == nil
	var b strings.Builder
	at := 0
	for _, m := range ebnfPart.FindAllStringIndex(text, -1) {
		b.WriteString(html.EscapeString(text[at:m[0]]))
		s := text[m[0]:m[1]]
		at = m[1]
		shown := html.EscapeString(s)
		switch {
		case s[0] == '(':
			fmt.Fprintf(&b, `<i>%s</i>`, shown)
		case s[0] == '"':
			fmt.Fprintf(&b, `<b>%s</b>`, shown)
		case strings.HasSuffix(s, "\n"):
			b.WriteString(shown)
		case s[0] == '<' && token != "":
			fmt.Fprintf(&b, `<a class="c" href="#%s">%s</a>`, token+strings.Trim(s, "<>"), shown)
		case s[0] == '<':
			fmt.Fprintf(&b, `<span class="c">%s</span>`, shown)
		case isOwn && w.d.production(s) != nil:
			fmt.Fprintf(&b, `<a href="#production.%s">%s</a>`, s, shown)
		default:
			b.WriteString(shown)
		}
	}
	b.WriteString(html.EscapeString(text[at:]))
	return b.String()
}

func (w *pageWriter) example(e example) {
	class := map[string]string{"✓": "ok", "✗": "bad", "!": "noted"}[e.sign()]
	says := map[string]string{"✓": "passes", "✗": "fails", "!": "passes with an issue"}[e.sign()]
	anchor := ""
	if !w.cases[e.ID] {
		w.cases[e.ID] = true
		anchor = fmt.Sprintf(" id=\"case.%s\"", e.ID)
	}
	fmt.Fprintf(w, "<figure class=\"example %s\"%s>\n<figcaption>"+
		"<span class=\"sign\" role=\"img\" aria-label=\"%s\" title=\"%s\">%s</span>"+
		"<span>%s</span><a class=\"case\" href=\"#case.%s\">%s</a></figcaption>\n",
		class, anchor, says, says, e.sign(), html.EscapeString(e.Note), e.ID, breakable(e.ID))
	for _, g := range e.given {
		name, value, _ := strings.Cut(g, ": ")
		fmt.Fprintf(w, "<div class=\"given\"><span>%s</span> <code>%s</code></div>\n",
			html.EscapeString(name), html.EscapeString(value))
	}
	if e.prompt != "" {
		fmt.Fprintf(w, "<pre class=\"in prompt\">%s</pre>\n</figure>\n",
			html.EscapeString(e.prompt))
		return
	}
	w.WriteString("<pre class=\"in\">")
	if e.label != "text" {
		fmt.Fprintf(w, "<span class=\"name\">%s</span> ", html.EscapeString(e.label))
	}
	w.marked(cells(e.input), e.marks, len(e.input))
	w.WriteString("</pre>\n<ul class=\"out\">\n")
	for _, o := range e.output {
		fmt.Fprintf(w, "<li><span class=\"kind %s\">%s</span>", o.kind, o.kind)
		if o.span != "" {
			fmt.Fprintf(w, "<span class=\"span\">%s</span>", o.span)
		}
		if o.value != "" {
			fmt.Fprintf(w, "<code>%s</code>", html.EscapeString(o.value))
		}
		if o.code != "" {
			fmt.Fprintf(w, "<span class=\"fault\"><a href=\"#code.%s\">%s</a> %s</span>",
				o.code, o.code, o.where)
		}
		for _, extra := range o.extras {
			fmt.Fprintf(w, "<span class=\"extra\">%s</span>", html.EscapeString(extra))
		}
		w.WriteString("</li>\n")
	}
	if e.text != nil && !e.fails {
		w.WriteString("<li class=\"text\"><pre>")
		w.marked(cells(e.text), nil, len(e.text))
		w.WriteString("</pre></li>\n")
	}
	w.WriteString("</ul>\n</figure>\n")
}

// marked writes text with its signs and marks highlighted. A mark shows its code
// and offset when the pointer is over it.
func (w *pageWriter) marked(all []cell, marks []mark, length int) {
	open := func(start, end int, class string) bool {
		i := slices.IndexFunc(marks, func(m mark) bool { return m.at >= start && m.at < end })
		if i < 0 {
			return false
		}
		fmt.Fprintf(w, "<mark%s title=\"%s at %d\">", class, marks[i].code, marks[i].at)
		return true
	}
	for _, c := range all {
		isOpen := open(c.start, c.end, "")
		switch {
		case c.sign:
			fmt.Fprintf(w, "<span class=\"sign\">%s</span>", html.EscapeString(c.glyph))
		default:
			w.WriteString(html.EscapeString(c.glyph))
		}
		if isOpen {
			w.WriteString("</mark>")
		}
		if c.line {
			w.WriteString("\n")
		}
	}
	if open(length, length+1, ` class="end"`) {
		w.WriteString("</mark>")
	}
}

// breakable lets a line be broken after dots, slashes and hyphens.
func breakable(s string) string {
	breaks := strings.NewReplacer(".", ".<wbr>", "/", "/<wbr>", "-", "-<wbr>")
	return breaks.Replace(html.EscapeString(s))
}

var codeSpan = regexp.MustCompile("`([^`]*)`")

// codeSpans sets spans of code in a heading.
func codeSpans(s string) string { return codeSpan.ReplaceAllString(s, "<code>$1</code>") }
