package speed

import (
	"math/rand/v2"
	"strings"
)

// kind is a kind of text. The same kind and length give the same text always.
type kind string

const (
	plain kind = "plain" // words and spaces
	prose kind = "prose" // sentences and paragraphs, with quotes and apostrophes
	html  kind = "html"  // elements with attributes: a tag in every line
	code  kind = "code"  // a programming language: quotes, brackets, backslashes, tabs
)

// lines writes a line of each kind. Words are chosen by word.
var lines = map[kind]func(b *strings.Builder, word func() string){
	plain: func(b *strings.Builder, word func() string) {
		b.WriteString(word() + " " + word() + " " + word() + " ")
	},
	prose: func(b *strings.Builder, word func() string) {
		b.WriteString("The " + word() + " of the " + word() + ", it's said, was \"" + word() + " " + word() + "\"; ")
		b.WriteString("so we " + word() + " the " + word() + " before the " + word() + ", and not the " + word() + ".\n\n")
	},
	html: func(b *strings.Builder, word func() string) {
		b.WriteString(`<p class="` + word() + `">` + word() + " <b>" + word() + "</b> " + word() + "</p>\n")
	},
	code: func(b *strings.Builder, word func() string) {
		b.WriteString("\tif " + word() + "[i] < len(" + word() + ") && " + word() + ` != "` + word() + `\n" {` + "\n\t\treturn '" + word()[:1] + "'\n\t}\n")
	},
}

// words are common ones, of two to eleven letters.
var words = strings.Fields(`able about account action after answer application
between book bring build call carry case change city clear close company cost
country course day decision detail early end example fact family few field figure
find form general give group hand head help hold hour house idea important issue
job keep kind know large late lead level life line list long look matter mean
measure message minute month name need night number of offer office on open order
page paper part pay people place point problem program question reach read reason
report result room rule say school see sentence set side small start state story
system table take tell thing think time tool turn under value water way week word
work world write year`)

// text returns n bytes of text of kind k, which are ASCII.
func text(k kind, n int) string {
	r := rand.New(rand.NewPCG(7, uint64(len(k))))
	word := func() string { return words[r.IntN(len(words))] }
	var b strings.Builder
	for b.Len() < n {
		lines[k](&b, word)
	}
	return b.String()[:n]
}
