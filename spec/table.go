package spec

import (
	"fmt"
	"strings"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/grammar"
	"github.com/callwire/callwire/internal/repair"
	"github.com/callwire/callwire/lexer"
)

// tables are the tables that are taken from code, as Markdown.
var tables = map[string]func(d *document) string{
	"codes":            codes,
	"limits":           limits,
	"typing":           typing,
	"tokens":           tokens,
	"states":           func(*document) string { return states(grammar.States()) },
	"signature-states": func(*document) string { return states(grammar.SignatureStates()) },
	"levels":           levels,
	"repairs":          func(*document) string { return repairs() },
}

// table writes a table of Markdown.
func table(head []string, rows [][]string) string {
	var b strings.Builder
	line := func(cells []string) {
		b.WriteString("|")
		for _, c := range cells {
			b.WriteString(" " + strings.ReplaceAll(c, "|", `\|`) + " |")
		}
		b.WriteString("\n")
	}
	line(head)
	b.WriteString(strings.Repeat("|---", len(head)) + "|\n")
	for _, row := range rows {
		line(row)
	}
	return b.String()
}

// code writes a span of code.
func code(s string) string {
	if s == "" {
		return ""
	}
	if strings.Contains(s, "`") {
		return "`` " + s + " ``"
	}
	return "`" + s + "`"
}

// repairs is the table of repairs, with an example of each.
func repairs() string {
	var rows [][]string
	for _, r := range repair.Table() {
		marks := ""
		if r.Guess {
			marks = "yes"
		}
		example := strings.ReplaceAll(r.Reads, "\n", "↵")
		rows = append(rows, []string{code(r.Name), code(example), marks})
	}
	return table([]string{"repair", "reads", "marks later calls"}, rows)
}

// A use of a code is one of the ways in which cases have it.
type use struct{ malformed, strict, issue, refused bool }

// kinds names the uses.
func (u use) kinds() (names []string) {
	if u.malformed {
		names = append(names, "malformed")
	}
	if u.issue {
		names = append(names, "issue")
	}
	if u.refused {
		names = append(names, "refusal")
	}
	return names
}

// uses returns how the cases of the corpus use each code.
func (d *document) uses() map[string]use {
	all := map[string]use{}
	for _, c := range d.cases {
		for _, e := range c.Want.Events {
			if e.Code != "" {
				u := all[e.Code]
				u.strict = u.strict || c.Options.Strict
				u.malformed = u.malformed || !c.Options.Strict
				all[e.Code] = u
			}
			for _, i := range e.Issues {
				u := all[i.Code]
				u.issue = true
				all[i.Code] = u
			}
		}
		if c.Want.Error != nil {
			u := all[c.Want.Error.Code]
			u.refused = true
			all[c.Want.Error.Code] = u
		}
	}
	return all
}

// codes is the table of all codes, with where each is met.
func codes(d *document) string { return codeTable(d, false) }

// codesWithRules has what is expected and the rule of each code, too: a reader of the
// page can follow it.
func codesWithRules(d *document) string { return codeTable(d, true) }

func codeTable(d *document, rules bool) string {
	head := []string{"code", "met as", "offset"}
	if rules {
		head = append(head, "expected there", "rule")
	}
	var rows [][]string
	used := d.uses()
	for _, c := range lexer.Codes() {
		row := []string{
			fmt.Sprintf(`<a id="code.%s"></a>%s`, c.Code, code(string(c.Code))),
			strings.Join(used[string(c.Code)].kinds(), ", "), markUp(c.At),
		}
		if rules {
			row = append(row, c.Expected, "[["+d.rulesOf(string(c.Code))[0]+"]]")
		}
		rows = append(rows, row)
	}
	return table(head, rows)
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

func limits(*document) string {
	l := lexer.DefaultLimits
	return table([]string{"limit", "counts", "default", "code", "rule"}, [][]string{
		{
			"`bytes`", "bytes of the whole span of a call, both tags included",
			fmt.Sprint(l.Bytes), "[[call-too-long]]", "[[limit.bytes]]",
		},
		{
			"`depth`", "brackets and dots open at a place, without the arguments object itself",
			fmt.Sprint(l.Depth), "[[too-deep]]", "[[limit.depth]]",
		},
		{
			"`arguments`", "arguments, or members of a JSON body at its top level",
			fmt.Sprint(l.Arguments), "[[too-many-arguments]]", "[[limit.arguments]]",
		},
		{"`name`", "bytes of the name", fmt.Sprint(l.Name), "[[name-too-long]]", "[[limit.name]]"},
	})
}

// tokens is the table of tokens of a call.
func tokens(d *document) string {
	var rows [][]string
	shown := map[string]bool{}
	for _, p := range d.productions {
		for _, t := range p.tokens {
			shown[t.Name] = true
		}
	}
	for _, t := range d.grammar.Tokens() {
		name := tokenName("token.", t.Name)
		if shown[t.Name] {
			name = "[[token." + strings.ToLower(t.Name) + "]]"
		}
		rows = append(rows, []string{name, t.Doc, code(t.Pattern)})
	}
	return table([]string{"token", "what it is", "regular expression"}, rows)
}

func tokenName(prefix, name string) string {
	name = strings.ToLower(name)
	if prefix == "" {
		return "`<" + name + ">`"
	}
	return fmt.Sprintf(`<a id="%s%s"></a>%s`, prefix, name, "`<"+name+">`")
}

// states is the table of the states of a lexer.
func states(all []grammar.State) string {
	var rows [][]string
	for _, s := range all {
		first := code(s.Name)
		for _, t := range s.Tokens {
			token := "whitespace"
			if t.Token != "" {
				token = tokenName("", t.Token)
			}
			next := code(t.Next)
			if t.Next == "" {
				next = "the one left open"
			}
			if t.After != "" {
				next += ", leaves open " + code(t.After)
			}
			rows = append(rows, []string{first, token, code(t.Pattern), next})
			first = ""
		}
		var notes []string
		if s.Expects != "" {
			notes = append(notes, "[["+string(s.Expects)+"]]")
		}
		if s.Bare && s.Expects != grammar.NestedCall {
			notes = append(notes, "at an opener [["+string(grammar.NestedCall)+"]]")
		}
		last := "anything else"
		if s.Close {
			last += " but the close tag"
		}
		if len(notes) > 0 {
			rows = append(rows, []string{"", last, "", strings.Join(notes, "; ")})
		}
	}
	return table([]string{"state", "token", "pattern", "next state, or error"}, rows)
}

// levels counts cases by operation and level.
func levels(*document) string {
	count := map[string][2]int{}
	var ops []string
	for _, c := range append(corpus.Cases(), corpus.MoreCases()...) {
		n, seen := count[c.Op]
		if !seen {
			ops = append(ops, c.Op)
		}
		if c.Level == corpus.Core {
			n[0]++
		} else {
			n[1]++
		}
		count[c.Op] = n
	}
	var rows [][]string
	for _, op := range ops {
		rows = append(rows, []string{code(op), fmt.Sprint(count[op][0]), fmt.Sprint(count[op][1])})
	}
	return table([]string{"operation", "cases of core", "cases of extended"}, rows)
}
