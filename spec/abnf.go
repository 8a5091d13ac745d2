package spec

import (
	"bytes"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2/ebnf"

	"github.com/callwire/callwire/grammar"
)

// abnf returns the grammar of calls in ABNF. It has no lookahead and no lexer with
// states, so what these do in the EBNF is written out: lists with separators,
// whitespace inside brackets, keys and bare values that differ inside brackets, and
// bare values that hold no tag.
func abnf(d *document) ([]byte, error) {
	w := &abnfWriter{d: d, seen: map[string]bool{}, tokens: map[string]bool{}}
	w.reach(d.productions[0], false)
	w.WriteString("; The grammar of calls in ABNF (RFC 5234, RFC 7405), over bytes.\n;\n")
	comment := strings.Trim(ebnfComment.FindString(d.grammar.EBNF()), "(*)")
	for line := range strings.Lines(strings.TrimSpace(comment)) {
		w.WriteString(strings.TrimSpace("; "+strings.TrimSpace(line)) + "\n")
	}
	w.WriteString("\n")
	for _, p := range d.productions {
		for _, inside := range []bool{false, true} {
			if w.seen[key(p, inside)] {
				w.rule(w.name(p, inside), w.expression(p.ast, inside))
			}
		}
	}
	w.WriteString("\n; Whitespace inside brackets.\n\n")
	w.rule("ows", "[ space ]")
	w.WriteString("\n; Tokens.\n\n")
	for _, t := range d.grammar.Tokens() {
		if !w.tokens[strings.ToLower(t.Name)] {
			continue
		}
		re, err := syntax.Parse(t.Pattern, syntax.Perl)
		if err != nil {
			return nil, fmt.Errorf("token %s: %w", t.Name, err)
		}
		w.token(t.Name, re.Simplify())
	}
	return w.Bytes(), nil
}

// An abnfWriter writes a grammar rule by rule.
type abnfWriter struct {
	bytes.Buffer
	d      *document
	seen   map[string]bool // the productions that are written, by key
	tokens map[string]bool // those that they refer to, as in EBNF
}

// key tells a production inside brackets from the same outside.
func key(p *production, inside bool) string { return fmt.Sprint(p.name, inside) }

// reach notes the production, and what it refers to.
func (w *abnfWriter) reach(p *production, inside bool) {
	inside = inside || opensBracket(p)
	if tokens := onlyTokens(p.ast); tokens != nil {
		w.tokens[tokenInside(tokens, inside)] = true
		return
	}
	if w.seen[key(p, inside)] {
		return
	}
	w.seen[key(p, inside)] = true
	for _, name := range namesOf(p.ast) {
		w.reach(w.d.production(name), inside)
	}
	for _, name := range tokensOf(p.ast) {
		w.tokens[name] = true
	}
}

// namesOf returns the names of the productions in an expression.
func namesOf(e *ebnf.Expression) (names []string) {
	for _, s := range e.Alternatives {
		for _, t := range s.Terms {
			if t.Group != nil {
				names = append(names, namesOf(t.Group.Expr)...)
			} else if t.Name != "" {
				names = append(names, t.Name)
			}
		}
	}
	return names
}

// opensBracket reports whether a production begins with a bracket.
func opensBracket(p *production) bool {
	first := p.ast.Alternatives[0].Terms[0].Literal
	return first == `"["` || first == `"{"`
}

// onlyTokens returns the tokens of a production that chooses between tokens only.
func onlyTokens(e *ebnf.Expression) []string {
	if t := e.Alternatives[0].Terms[0]; len(e.Alternatives) == 1 && len(e.Alternatives[0].Terms) == 1 && t.Group != nil && t.Repetition == "" {
		return onlyTokens(t.Group.Expr)
	}
	for _, s := range e.Alternatives {
		if len(s.Terms) != 1 || s.Terms[0].Token == "" || s.Terms[0].Repetition != "" {
			return nil
		}
	}
	return tokensOf(e)
}

// tokenInside returns the token that is read: the first outside brackets, the last
// inside them.
func tokenInside(tokens []string, inside bool) string {
	if inside {
		return tokens[len(tokens)-1]
	}
	return tokens[0]
}

// name returns the name of the rule of a production.
func (w *abnfWriter) name(p *production, inside bool) string {
	inside = inside || opensBracket(p)
	if tokens := onlyTokens(p.ast); tokens != nil {
		return w.tokenName(tokenInside(tokens, inside))
	}
	if inside && w.seen[key(p, false)] {
		return "inner-" + strings.ToLower(p.name)
	}
	return strings.ToLower(p.name)
}

var innerCapital = regexp.MustCompile(`\B[A-Z]`)

// tokenName returns the name of the rule of a token, which has a lower-case name in EBNF.
func (w *abnfWriter) tokenName(lower string) string {
	tokens := w.d.grammar.Tokens()
	i := slices.IndexFunc(tokens, func(t grammar.TokenRule) bool { return strings.ToLower(t.Name) == lower })
	return strings.ToLower(innerCapital.ReplaceAllString(tokens[i].Name, "-$0"))
}

func (w *abnfWriter) expression(e *ebnf.Expression, inside bool) string {
	var all []string
	for _, s := range e.Alternatives {
		all = append(all, w.sequence(s.Terms, inside))
	}
	return strings.Join(all, " / ")
}

// sequence writes terms, inside brackets with whitespace between them.
func (w *abnfWriter) sequence(terms []*ebnf.Term, inside bool) string {
	var all []string
	for i, t := range terms {
		if list := listOf(t); list != nil {
			x, sep := w.term(list[0], inside), w.term(list[1], inside)
			all = append(all, fmt.Sprintf("[ %s ows *( %s ows %s ows ) [ %s ows ] ]", x, sep, x, sep))
			continue
		}
		all = append(all, w.term(t, inside))
		if inside && i < len(terms)-1 {
			all = append(all, "ows")
		}
	}
	return strings.Join(all, " ")
}

// listOf returns X and S of a term (X (?= S | C) S?)*, a list with separators.
func listOf(t *ebnf.Term) []*ebnf.Term {
	if t.Group == nil || t.Repetition != "*" || len(t.Group.Expr.Alternatives) != 1 {
		return nil
	}
	terms := t.Group.Expr.Alternatives[0].Terms
	if len(terms) != 3 || terms[1].Group == nil || terms[1].Group.Lookahead != ebnf.LookaheadAssertionPositive {
		return nil
	}
	separator := *terms[2]
	separator.Repetition = ""
	return []*ebnf.Term{terms[0], &separator}
}

func (w *abnfWriter) term(t *ebnf.Term, inside bool) string {
	text := ""
	switch {
	case t.Group != nil:
		text = w.expression(t.Group.Expr, inside)
	case t.Token != "":
		text = w.tokenName(t.Token)
	case t.Literal != "":
		text = t.Literal
	default:
		text = w.name(w.d.production(t.Name), inside)
	}
	if t.Repetition == "?" {
		return "[ " + text + " ]"
	}
	if t.Group != nil {
		text = "( " + text + " )"
	}
	return map[string]string{"": "", "*": "*", "+": "1*"}[t.Repetition] + text
}

// token writes the rules of a token. A bare value holds no tag, which no other token
// but a string could.
func (w *abnfWriter) token(name string, re *syntax.Regexp) {
	p := &patternWriter{delims: grammar.DefaultDelims}
	lower := w.tokenName(strings.ToLower(name))
	if name == "Word" || name == "Item" {
		p.run = lower
	}
	w.rule(lower, p.pattern(re))
	if p.run != "" {
		w.rule(p.run+"-byte", p.bytes(p.class, "<"))
		w.rule(p.run+"-less", p.less())
	}
}

// A patternWriter writes the regular expression of a token.
type patternWriter struct {
	delims grammar.Delims
	run    string         // of bare values: the name of the token; else empty
	class  *syntax.Regexp // of bare values: the bytes after the first
}

func (p *patternWriter) pattern(re *syntax.Regexp) string {
	switch re.Op {
	case syntax.OpLiteral:
		return literal(string(re.Rune))
	case syntax.OpCharClass, syntax.OpAnyChar:
		return p.bytes(re, "")
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			all = append(all, p.pattern(sub))
		}
		return strings.Join(all, " / ")
	case syntax.OpStar:
		return "*" + element(p.pattern(re.Sub[0]))
	case syntax.OpPlus:
		if p.isRun(re.Sub[0]) {
			return p.runOf("1*" + p.run + "-byte")
		}
		return "1*" + element(p.pattern(re.Sub[0]))
	case syntax.OpQuest:
		return "[ " + p.pattern(re.Sub[0]) + " ]"
	case syntax.OpConcat:
		var all []string
		for i := 0; i < len(re.Sub); i++ {
			if p.isRun(re.Sub[i]) && i+1 < len(re.Sub) && re.Sub[i+1].Op == syntax.OpStar {
				p.class = re.Sub[i+1].Sub[0]
				all = append(all, p.runOf(group(p.bytes(re.Sub[i], "<"))+" *"+p.run+"-byte"))
				i++
				continue
			}
			all = append(all, group(p.pattern(re.Sub[i])))
		}
		return strings.Join(all, " ")
	}
	return p.pattern(re.Sub[0]) // a group
}

// isRun reports whether re is a class of bytes in which tags begin.
func (p *patternWriter) isRun(re *syntax.Regexp) bool {
	return p.run != "" && re.Op == syntax.OpCharClass && slices.Contains(bytesOf(re), p.delims.Open[0])
}

// runOf writes a run of bytes without a tag: what comes before the first <, and each <
// with what comes after it.
func (p *patternWriter) runOf(before string) string {
	return fmt.Sprintf("( %s / %s-less ) *%s-less", before, p.run, p.run)
}

// less writes a < that begins no tag, and the bytes up to the next <: for each
// beginning of a tag, what goes on otherwise.
func (p *patternWriter) less() string {
	var all []string
	for _, tag := range []string{p.delims.Open, p.delims.Close} {
		for n := 1; n < len(tag); n++ {
			begin, next := tag[:n], "<"
			for _, other := range []string{p.delims.Open, p.delims.Close} {
				if strings.HasPrefix(other, begin) {
					next += other[n : n+1]
				}
			}
			one := fmt.Sprintf("%s [ %s *%s-byte ]", literal(begin), group(p.bytes(p.class, next)), p.run)
			if !slices.Contains(all, one) {
				all = append(all, one)
			}
		}
	}
	return strings.Join(all, " / ")
}

// bytes writes a class of bytes without those in except.
func (p *patternWriter) bytes(re *syntax.Regexp, except string) string {
	all := slices.DeleteFunc(bytesOf(re), func(b byte) bool { return strings.IndexByte(except, b) >= 0 })
	var ranges []string
	for i := 0; i < len(all); i++ {
		first := i
		for i+1 < len(all) && all[i+1] == all[i]+1 {
			i++
		}
		one := fmt.Sprintf("%%x%02X", all[first])
		if i > first {
			one += fmt.Sprintf("-%02X", all[i])
		}
		ranges = append(ranges, one)
	}
	return strings.Join(ranges, " / ")
}

// bytesOf returns the bytes of a class; those from 0x80 up are alike.
func bytesOf(re *syntax.Regexp) (all []byte) {
	for b := range 0x100 {
		in := re.Op == syntax.OpAnyChar
		for i := 0; i < len(re.Rune); i += 2 {
			in = in || rune(b) >= re.Rune[i] && rune(b) <= re.Rune[i+1]
		}
		if in {
			all = append(all, byte(b))
		}
	}
	return all
}

// literal writes a text as it stands: %s where there are letters, which are of either
// case without it, and a number for a double quote.
func literal(text string) string {
	switch {
	case text == `"`:
		return "%x22"
	case strings.ToLower(text) != strings.ToUpper(text):
		return `%s"` + text + `"`
	}
	return `"` + text + `"`
}

// alternatives splits a text at the slashes outside parentheses and brackets.
func alternatives(text string) (all []string) {
	depth, words := 0, []string(nil)
	for word := range strings.FieldsSeq(text) {
		switch {
		case strings.HasSuffix(word, "(") || word == "[":
			depth++
		case word == ")" || word == "]":
			depth--
		case word == "/" && depth == 0:
			all = append(all, strings.Join(words, " "))
			words = nil
			continue
		}
		words = append(words, word)
	}
	return append(all, strings.Join(words, " "))
}

// group puts alternatives into parentheses.
func group(text string) string {
	if len(alternatives(text)) > 1 {
		return "( " + text + " )"
	}
	return text
}

// element puts what is repeated into parentheses, unless it is one word.
func element(text string) string {
	if strings.Contains(text, " ") {
		return "( " + text + " )"
	}
	return text
}

// rule writes a rule in lines of at most 76 bytes. If it needs several, each
// alternative has its own, but for those of a class of bytes.
func (w *abnfWriter) rule(name, body string) {
	lines := []string{name + " = " + body}
	if len(lines[0]) > width {
		lines = nil
		for i, one := range alternatives(body) {
			begin := "    /"
			if i == 0 {
				begin = name + " ="
			} else if !strings.Contains(body, "*") {
				begin, lines = lines[len(lines)-1]+" /", lines[:len(lines)-1]
			}
			for word := range strings.FieldsSeq(closer.ReplaceAllString(one, "\x00$1")) {
				if len(begin)+1+len(word) > width {
					lines = append(lines, begin)
					begin = "       "
				}
				begin += " " + word
			}
			lines = append(lines, begin)
		}
	}
	w.WriteString(strings.ReplaceAll(strings.Join(lines, "\n"), "\x00", " ") + "\n")
}

// closer ends no line alone.
var closer = regexp.MustCompile(` ([)\]])`)

// width is the longest line, in bytes.
const width = 76
