package spec

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	renderer "github.com/yuin/goldmark/renderer/html"

	"github.com/callwire/callwire/grammar"
	"github.com/callwire/callwire/internal/repair"
	"github.com/callwire/callwire/lexer"
)

// The templates write the document in both forms: markdown.tmpl and page.tmpl with body.tmpl.
// The picture shows the two layers of the format.
//
//go:embed page
var pageFiles embed.FS

// converter turns the Markdown of the chapters, which are ours, into HTML.
var converter = goldmark.New(
	goldmark.WithExtensions(extension.Table),
	goldmark.WithParserOptions(parser.WithAttribute()),
	goldmark.WithRendererOptions(renderer.WithUnsafe()),
)

// parseTemplates prepares the templates for d.
func (d *document) parseTemplates() {
	d.templates = must(template.New("").Funcs(template.FuncMap{
		"repeat": strings.Repeat, "replace": strings.ReplaceAll, "join": strings.Join,
		"trim": strings.TrimSpace, "lower": strings.ToLower, "split": strings.Split,

		"version": func() string { return Version },
		"file": func(name string) string {
			return string(must(pageFiles.ReadFile("page/" + name)))
		},

		// In Markdown.
		"link": d.linked, "literally": literally, "code": code, "cell": tableCell,
		"markUp": markUp, "tokenText": tokenText, "capital": capital, "content": content,
		"ebnf": d.ebnf, "appendix": appendix, "table": d.table,

		// In HTML.
		"markdown": d.html, "prose": d.prose, "ebnfLinks": d.ebnfLinks, "breakable": breakable,
		"codeSpans": codeSpans, "cut": cut, "draw": draw, "drawPattern": drawPattern,

		// Of tables.
		"codes":  func() []*codeUse { return d.Codes },
		"limits": func() lexer.Limits { return lexer.Limits{}.OrDefault() },
		"tokens": d.grammar.Tokens, "isShown": func(token string) bool { return d.shown[token] },
		"states": d.states,
		"count":  d.countCases, "repairs": repair.Table,
	}).ParseFS(pageFiles, "page/*.tmpl"))
}

// write writes data with a template.
func (d *document) write(name string, data any) string {
	var b strings.Builder
	err := d.templates.ExecuteTemplate(&b, name, data)
	return must(b.String(), err)
}

// table returns a table as Markdown.
func (d *document) table(name string) string { return d.write("table "+name, nil) }

// countCases returns how many cases of the wire format an operation has at a level.
func (d *document) countCases(op, level string) (n int) {
	for _, c := range d.Cases {
		if c.Protocol == "" && c.Op == op && c.Level == level {
			n++
		}
	}
	return n
}

// grammarOf returns the grammar of calls, in the wire format or another one.
func (d *document) grammarOf(name string) *grammar.Grammar {
	return cmp.Or(grammar.ByName(name), d.grammar)
}

// ebnf returns the grammar of calls or of signatures as a whole.
func (d *document) ebnf(name string) string {
	if name == "signatures" {
		return grammar.SignatureEBNF()
	}
	return d.grammarOf(name).EBNF()
}

// states returns the table of states for calls or for signatures.
func (d *document) states(name string) []grammar.State {
	if name == "signatures" {
		return grammar.SignatureStates()
	}
	return d.grammarOf(name).States()
}

// prompts are the chapters of the second document, by their ids: no reader of
// calls needs them.
var prompts = []string{
	"signatures", "manual", "drift", "differences", "appendix-decisions", "protocols",
}

// markdowns writes both documents as Markdown.
func (d *document) markdowns() (calls, others []byte) {
	var first, second []*chapter
	for _, c := range d.Chapters {
		if slices.Contains(prompts, c.ID) {
			second = append(second, c)
		} else {
			first = append(first, c)
		}
	}
	one, two := d.write("calls", first), d.write("prompts", second)
	return across(one, two, PromptsFile), across(two, one, MarkdownFile)
}

var (
	targetOfLink = regexp.MustCompile(`\]\(#([^)]+)\)`)

	// blankLines are more blank lines than Markdown needs.
	blankLines = regexp.MustCompile(`\n{3,}`)
)

// across returns a document whose links to anchors of the other one lead there.
func across(text, other, file string) []byte {
	text = targetOfLink.ReplaceAllStringFunc(text, func(link string) string {
		anchor := link[3 : len(link)-1]
		if strings.Contains(other, ` id="`+anchor+`"`) {
			return "](" + file + "#" + anchor + ")"
		}
		return link
	})
	return []byte(blankLines.ReplaceAllString(text, "\n\n"))
}

// linked replaces the references in a text of Markdown by links.
func (d *document) linked(text string) string {
	return reference.ReplaceAllStringFunc(text, func(s string) string {
		link, ok := d.links[s[2:len(s)-2]]
		if !ok {
			fail("%s refers to nothing", s)
		}
		return link
	})
}

// literally escapes the characters of a plain sentence that have a meaning in Markdown.
var literally = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "<", `\<`, ">", `\>`,
	"[", `\[`, "]", `\]`, "|", `\|`, "#", `\#`, "~", `\~`,
).Replace

// capital returns a sentence with a capital letter.
func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// tableCell escapes text for a cell of a table.
func tableCell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

// code writes a span of code in Markdown.
func code(text any) string {
	s := fmt.Sprint(text)
	switch {
	case s == "":
		return ""
	case strings.Contains(s, "`"):
		return "`` " + s + " ``"
	}
	return "`" + s + "`"
}

// markUp sets single punctuation bytes in code.
func markUp(s string) string { return punctuation.ReplaceAllString(s, "$1`$2`$3") }

var punctuation = regexp.MustCompile(`( )([{}\[\].=<>"'])(,? |$)`)

// html returns Markdown as HTML.
func (d *document) html(text string) string {
	var b bytes.Buffer
	err := converter.Convert([]byte(d.linked(text)), &b)
	return must(b.String(), err)
}

// prose returns Markdown as HTML whose tables can be scrolled with the keyboard.
func (d *document) prose(text string) string { return scrollable.Replace(d.html(text)) }

// scrollable puts a table of Markdown into a box that can be scrolled.
var scrollable = strings.NewReplacer(
	"<table>", `<div class="table" tabindex="0" role="group" aria-label="Table"><table>`,
	"</table>", "</table></div>",
)

// ebnfPart matches what is highlighted in escaped EBNF: comments, literals, tokens, names.
var ebnfPart = regexp.MustCompile(`(?s)\(\*.*?\*\)|&#34;.*?&#34;|` +
	`&lt;[a-z]+&gt; = /.*?/ \.\n|&lt;[a-z]+&gt;|[A-Z][A-Za-z]+`)

// ebnfLinks writes EBNF with links from names of productions and from tokens of calls, which
// alone have a place to link to.
func (d *document) ebnfLinks(text, name string) string {
	isCalls := name != "signatures" && grammar.ByName(name) == nil
	return ebnfPart.ReplaceAllStringFunc(html.EscapeString(text), func(s string) string {
		token, isToken := strings.CutPrefix(strings.TrimSuffix(s, "&gt;"), "&lt;")
		switch {
		case s[0] == '(':
			return `<i>` + s + `</i>`
		case strings.HasPrefix(s, "&#34;"):
			return `<b>` + s + `</b>`
		case isToken && strings.HasSuffix(s, "\n"):
		case isToken && isCalls:
			return `<a class="c" href="#token.` + token + `">` + s + `</a>`
		case isToken:
			return `<span class="c">` + s + `</span>`
		case d.production(s) != nil:
			return `<a href="#production.` + s + `">` + s + `</a>`
		}
		return s
	})
}

// cut returns what is given as its name and its value.
func cut(given string) [2]string {
	name, value, _ := strings.Cut(given, ": ")
	return [2]string{name, value}
}

// breakable lets a line be broken after dots, slashes and hyphens.
func breakable(s string) string {
	breaks := strings.NewReplacer(".", ".<wbr>", "/", "/<wbr>", "-", "-<wbr>")
	return breaks.Replace(html.EscapeString(s))
}

var codeSpan = regexp.MustCompile("`([^`]*)`")

// codeSpans sets spans of code in a heading.
func codeSpans(s string) string { return codeSpan.ReplaceAllString(s, "<code>$1</code>") }
