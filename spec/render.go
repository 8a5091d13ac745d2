package spec

import (
	"bytes"
	"embed"
	_ "embed"
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
	"github.com/callwire/callwire/spec/railroad"
)

// The templates write the document in both forms: markdown.tmpl and page.tmpl with body.tmpl.
//
//go:embed page/*.tmpl
var templates embed.FS

var (
	//go:embed page/page.css
	pageCSS string

	//go:embed page/page.js
	pageJS string

	// picture shows the two layers of the format.
	//go:embed page/picture.svg
	picture string
)

// converter turns the Markdown of the chapters, which are ours, into HTML.
var converter = goldmark.New(
	goldmark.WithExtensions(extension.Table),
	goldmark.WithParserOptions(parser.WithAttribute()),
	goldmark.WithRendererOptions(renderer.WithUnsafe()),
)

// tables are the names of the tables.
var tables = []string{
	"codes", "limits", "typing", "tokens", "states", "signature-states", "levels", "repairs",
}

// stacked are the tables whose rows are read one below the other on a phone.
var stacked = []string{"codes", "limits", "typing", "tokens"}

// parseTemplates prepares the templates for d.
func (d *document) parseTemplates() error {
	constant := func(s string) func() string { return func() string { return s } }
	var err error
	d.templates, err = template.New("").Funcs(template.FuncMap{
		"repeat": strings.Repeat, "replace": strings.ReplaceAll, "join": strings.Join,
		"trim": strings.TrimSpace, "lower": strings.ToLower, "split": strings.Split,

		"version": constant(Version), "css": constant(pageCSS), "js": constant(pageJS),
		"picture": constant(picture),

		// In Markdown.
		"link": d.link, "literally": literally, "code": code, "cell": tableCell, "markUp": markUp,
		"tokenText": tokenText, "capital": capital, "ebnf": d.ebnf, "appendix": appendix,
		"table": d.table,

		// In HTML.
		"markdown": d.html, "prose": d.prose, "ebnfLinks": d.ebnfLinks, "breakable": breakable,
		"codeSpans": codeSpans, "cut": cut, "diagram": diagram, "tokenDiagram": tokenDiagram,
		"tableClass": tableClass,

		// Of tables.
		"codes":   lexer.Codes,
		"kinds":   func(c lexer.Code) []string { return d.uses()[string(c)].kinds() },
		"rulesOf": func(c lexer.Code) []string { return d.rulesOf(string(c)) },
		"limits":  func() lexer.Limits { return lexer.DefaultLimits },
		"typing":  func() []typingRow { return typingTable },
		"tokens":  d.grammar.Tokens, "isShown": d.isShown,
		"states": grammar.States, "signatureStates": grammar.SignatureStates,
		"levels": levels, "repairs": repair.Table,
	}).ParseFS(templates, "page/*.tmpl")
	return err
}

// write writes data with a template.
func (d *document) write(name string, data any) (string, error) {
	var b strings.Builder
	err := d.templates.ExecuteTemplate(&b, name, data)
	return b.String(), err
}

// table returns a table as Markdown.
func (d *document) table(name string) (string, error) { return d.write(name, nil) }

// page writes the document as one page of HTML.
func page(d *document) ([]byte, error) {
	text, err := d.write("page", d)
	return []byte(text), err
}

// prompts are the chapters of the second document, by their ids: no reader of
// calls needs them.
var prompts = []string{
	"signatures", "manual", "drift", "differences", "appendix-decisions", "protocols",
}

// markdown writes the first document as Markdown.
func markdown(d *document) ([]byte, error) {
	text, others, err := markdowns(d)
	return linked(text, others, PromptsFile), err
}

// promptsMarkdown writes the second one.
func promptsMarkdown(d *document) ([]byte, error) {
	others, text, err := markdowns(d)
	return linked(text, others, MarkdownFile), err
}

// markdowns writes both documents, with all links as if they were one.
func markdowns(d *document) (calls, others string, err error) {
	var first, second []*chapter
	for _, c := range d.Chapters {
		if slices.Contains(prompts, c.ID) {
			second = append(second, c)
		} else {
			first = append(first, c)
		}
	}
	calls, err = d.write("calls", first)
	if err != nil {
		return "", "", err
	}
	others, err = d.write("prompts", second)
	return calls, others, err
}

var (
	targetOfLink = regexp.MustCompile(`\]\(#([^)]+)\)`)
	targetHere   = regexp.MustCompile(` id="([^"]+)"`)

	// blankLines are more blank lines than Markdown needs.
	blankLines = regexp.MustCompile(`\n{3,}`)
)

// linked returns a document whose links to anchors of the other one lead there.
func linked(text, other, file string) []byte {
	targets := func(text string) map[string]bool {
		all := map[string]bool{}
		for _, m := range targetHere.FindAllStringSubmatch(text, -1) {
			all[m[1]] = true
		}
		return all
	}
	here, there := targets(text), targets(other)
	text = targetOfLink.ReplaceAllStringFunc(text, func(link string) string {
		if id := link[3 : len(link)-1]; !here[id] && there[id] {
			return "](" + file + "#" + id + ")"
		}
		return link
	})
	return []byte(blankLines.ReplaceAllString(text, "\n\n"))
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
func markUp(s string) string {
	words := strings.Fields(s)
	for i, w := range words {
		plain := strings.TrimRight(w, ",")
		if len(plain) == 1 && strings.ContainsAny(plain, "{}[].=<>\"'") {
			words[i] = code(plain) + w[len(plain):]
		}
	}
	return strings.Join(words, " ")
}

// html returns Markdown as HTML.
func (d *document) html(text string) (string, error) {
	var b bytes.Buffer
	err := converter.Convert([]byte(d.link(text)), &b)
	return b.String(), err
}

// prose returns Markdown as HTML whose tables can be scrolled with the keyboard.
func (d *document) prose(text string) (string, error) {
	text, err := d.html(text)
	return scrollable.Replace(text), err
}

// scrollable puts a table of Markdown into a box that can be scrolled.
var scrollable = strings.NewReplacer(
	"<table>", `<div class="table" tabindex="0" role="group" aria-label="Table"><table>`,
	"</table>", "</table></div>",
)

func tableClass(name string) string {
	if slices.Contains(stacked, name) {
		return name + " stack"
	}
	return name
}

func diagram(p *production) string {
	return railroad.Draw(p.node(), "Railroad diagram: "+p.Text, "#")
}

// tokenDiagram draws the pattern of a token.
func tokenDiagram(t grammar.TokenRule) (string, error) {
	n, err := patternNode(t.Pattern)
	if err != nil {
		return "", fmt.Errorf("token %s: %w", t.Name, err)
	}
	return railroad.Draw(n, "Railroad diagram: "+t.Pattern, "#"), nil
}

// ebnfPart matches what is highlighted in EBNF: comments, literals, tokens, names.
var ebnfPart = regexp.MustCompile(
	`(?s)\(\*.*?\*\)|"[^"]*"|<[a-z]+> = /.*?/ \.\n|<[a-z]+>|[A-Z][A-Za-z]+`)

// ebnfLinks writes EBNF with links from names of productions and tokens. The tokens of calls
// alone have a place to link to, and the productions of other formats have none.
func (d *document) ebnfLinks(text string, arguments []string) string {
	calls := len(arguments) == 0
	isOwn := calls || grammar.ByName(arguments[0]) == nil
	var b strings.Builder
	at := 0
	for _, m := range ebnfPart.FindAllStringIndex(text, -1) {
		b.WriteString(html.EscapeString(text[at:m[0]]))
		s := text[m[0]:m[1]]
		at = m[1]
		form := "%s"
		switch {
		case s[0] == '(':
			form = `<i>%s</i>`
		case s[0] == '"':
			form = `<b>%s</b>`
		case strings.HasSuffix(s, "\n"):
		case s[0] == '<' && calls:
			form = `<a class="c" href="#token.` + strings.Trim(s, "<>") + `">%s</a>`
		case s[0] == '<':
			form = `<span class="c">%s</span>`
		case isOwn && d.production(s) != nil:
			form = `<a href="#production.` + s + `">%s</a>`
		}
		fmt.Fprintf(&b, form, html.EscapeString(s))
	}
	b.WriteString(html.EscapeString(text[at:]))
	return b.String()
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
