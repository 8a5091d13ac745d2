package fuzz

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
)

// A quoting is a call that quotes an attack, correctly or nearly.
type quoting struct {
	name, text string
	setup      Setup
}

// quotings are valid calls that quote the attack, and the near misses of the
// corpus that keep it quoted.
func quotings(t testing.TB) []quoting {
	q := []quoting{}
	for i, text := range []string{
		`<call>w s="T"</call>`, `<call>w s="T" n=1</call>`, `<call>w n=1 s="T"</call>`, `<call>w n=true s="T" m=[1,2]</call>`, `<call>w s="Hi T bye"</call>`,
		`<call>w a.b.c="T"</call>`, `<call>w a.b=x a.c="T"</call>`, `<call>w a=it's s="T"</call>`, `<call>w s=["T"]</call>`, `<call>w s=["a", "T", 'b']</call>`,
		`<call>w s=[red, "T"]</call>`, `<call>w s={"k":"T"}</call>`, `<call>w s={k: "T"}</call>`, `<call>w s={"T":1}</call>`, `<call>w {"s":"T"}</call>`,
		`<call>w {"a":1,"s":"T"}</call>`, `<call>w {"a":[{"s":"T"}]}</call>`, `<call>w {"T":"T"}</call>`, "<call>w\n  s=\"T\"\n  n=1\n</call>", `<call>w a="x" s="T" b="y"</call>`,
		`<call>w a='x' s="T"</call>`, `<call>w s="T" t="T"</call>`, `<call>w u=https://x/?a=b s="T"</call>`, `<call> w s="T" </call>`, `<call>some.tool/name s="T"</call>`,
	} {
		for _, quote := range []string{`"`, "'"} {
			if quote == "'" && strings.Contains(text, "it's") {
				continue // an edit makes one word of it and the quote: see TestSlips
			}
			text := strings.NewReplacer(`"T"`, quote+attack+quote, "T", attack).Replace(text)
			q = append(q, quoting{name: fmt.Sprintf("valid %d in %s", i, quote), text: text + "\n<call>ping</call>"})
		}
	}
	for _, c := range corpus.Cases() {
		if c.Topic() != "near-misses" || c.Options.StopAfterMalformed || !strings.Contains(string(c.Text), `"`+attack+`"`) {
			continue
		}
		before, _, _ := strings.Cut(string(c.Text), attack)
		kept := strings.Count(before, "<call>") == 1 // else an edit can end the first call, and leave the attack to prose
		for _, e := range c.Want.Events {
			kept = kept && (e.Type != corpus.ToolCallEvent || e.Name != "deleteFile")
		}
		if kept {
			q = append(q, quoting{name: c.ID, text: string(c.Text), setup: setupOf(t, c)})
		}
	}
	return q
}

// TestNearMisses: the attack that a call quotes, which is wrong elsewhere, never
// runs unmarked, and with StopAfterMalformed never at all.
func TestNearMisses(t *testing.T) { checkQuoted(t, "near-misses", 40) }

// TestDriftQuotesNothingThatRuns: the same of the attack in a form of drift, repaired
// or not.
func TestDriftQuotesNothingThatRuns(t *testing.T) { checkQuoted(t, "drift", 15) }

// TestEveryRepairHasAHostileTwin: to each repair there is a case of drift, with its name,
// that quotes the attack in the form that is repaired. It runs nothing:
// [TestDriftQuotesNothingThatRuns].
func TestEveryRepairHasAHostileTwin(t *testing.T) {
	twins := map[string]corpus.Case{}
	for _, c := range corpus.Cases() {
		if strings.Contains(string(c.Text), attack) && c.Options.Salvage {
			twins[c.ID] = c
		}
	}
	for _, r := range parse.Repairs() {
		c := twins["drift/"+r.Name+"-quoting"]
		repaired := false
		for _, quoted := range []string{attack, `"` + attack + `"`} { // of harmless text, the form is repaired
			for _, s := range setupOf(t, c).parse().Text(strings.ReplaceAll(string(c.Text), quoted, "v"), catalogOf(t, c.Tools)) {
				repaired = repaired || slices.ContainsFunc(s.Issues, func(is parse.Issue) bool { return is.Code == lexer.Repaired && is.Path == r.Name })
			}
		}
		if !repaired {
			t.Errorf("no case quotes the attack in the form of %s", r.Name)
		}
	}
}

// checkQuoted reads the cases of a topic that hold the attack, of which there are at
// least so many.
func checkQuoted(t *testing.T, topic string, least int) {
	forms := 0
	for _, c := range corpus.Cases() {
		if c.Topic() != topic || !strings.Contains(string(c.Text), attack) {
			continue
		}
		forms++
		s := setupOf(t, c)
		for _, stop := range []bool{false, true} {
			s.Stop = stop
			if n := runs(s.parse().Text(string(c.Text), s.Catalog), stop); n > 0 {
				t.Errorf("%s: the attack in %q runs", c.ID, c.Text)
			}
		}
	}
	if forms < least {
		t.Errorf("%d forms, want at least %d", forms, least)
	}
}

// runs counts the calls of the attack that a host would run: those that are not
// marked, or all where every mark is a refusal.
func runs(segs []parse.Segment, all bool) int {
	n := 0
	for i := range segs {
		if s := &segs[i]; s.Kind == parse.Call && s.Name == "deleteFile" && (all || !s.AfterMalformed) && string(s.Input) == `{"path":"/etc/x"}` {
			n++
		}
	}
	return n
}

// TestSingleByteEdits: every insertion, deletion or replacement of one byte in a
// call that quotes an attack, after the first byte of its name, outside strings,
// and not of a quote or backslash, runs nothing of the attack unmarked, and
// nothing at all with StopAfterMalformed. Without -long one byte stands for each class.
//
// It holds for near misses as for valid calls, which is two mistakes then. For
// single quotes, the byte before the opening one is left out: an apostrophe inside
// a word opens nothing. [TestSlips] has this and what else is known not to hold.
func TestSingleByteEdits(t *testing.T) {
	edits := 0
	for _, q := range quotings(t) {
		t.Run(q.name, func(t *testing.T) {
			drifting := q.setup
			drifting.Salvage = true
			runners := []*runner{newRunner(q.setup, false), newRunner(q.setup, true), newRunner(drifting, false), newRunner(drifting, true)}
			failed := 0
			everyEdit(q.text, func(text []byte, what string) {
				edits++
				if slices.ContainsFunc(runners, func(r *runner) bool { return r.runs(text) }) {
					if failed++; failed < 10 {
						t.Errorf("%s: %q", what, text)
					}
				}
			})
			if failed > 0 {
				t.Errorf("%d edits of %q run the attack", failed, q.text)
			}
		})
	}
	t.Logf("%d edits", edits)
}

// TestSlips holds the single-byte edits that are known to run an attack unmarked,
// so that nobody believes the property to be wider than it is. In all of them a
// bare word swallows the quote that was to open the string, and the quotes of the
// word do not give it away.
func TestSlips(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"a letter before a single quote", `<call>w s=f'T'</call>`},
		{"a letter instead of a bracket before a single quote", `<call>w s=x'T']</call>`},
		{"a letter instead of the space behind a word with an apostrophe", `<call>w a=it'sxs='T'</call>`},
		{"a letter instead of the space behind a word with a double quote", `<call>w a=5"xs="T"</call>`},
	} {
		text := strings.Replace(c.text, "T", attack, 1)
		if runs(parse.Text(text, nil), false) != 1 {
			t.Errorf("%s: %q runs nothing any more; take it off the list", c.name, text)
		}
	}
}

// eachClass has the bytes that mean something to the language, and one or two of each
// class of the others.
const eachClass = "\x00\t\n\r !#$(),-./07:;<=>@AZ[]_`aclz{|}~\x7f\u0080\u00c3\u00ff"

// everyEdit calls yield with each single-byte edit of the first call of text,
// after the first byte of its name.
func everyEdit(text string, yield func(edited []byte, what string)) {
	in := []byte(text)
	start := strings.Index(text, "<call>") + len("<call>")
	for start < len(in) && (in[start] == ' ' || in[start] == '\n') {
		start++
	}
	end := strings.Index(text, "\n<call>ping")
	if end < 0 {
		end = len(in)
	}
	inside := insideStrings(in[:end])
	buf := make([]byte, 0, len(in)+1)
	for at := start + 1; at < end; at++ {
		quote := in[at] == '"' || in[at] == '\'' || in[at] == '\\'
		for b := range 256 {
			if b == '"' || b == '\'' || b == '\\' || !*long && !strings.ContainsRune(eachClass, rune(b)) {
				continue
			}
			if !inside[at] || in[at] == '"' && !inside[at-1] { // before an opening quote is outside
				buf = append(append(append(buf[:0], in[:at]...), byte(b)), in[at:]...)
				yield(buf, fmt.Sprintf("%q inserted at %d", rune(b), at))
			}
			if !inside[at] && !quote && b != int(in[at]) && in[at+1] != '\'' {
				buf = append(buf[:0], in...)
				buf[at] = byte(b)
				yield(buf, fmt.Sprintf("%q instead of %q at %d", rune(b), rune(in[at]), at))
			}
		}
		if !inside[at] && !quote {
			buf = append(append(buf[:0], in[:at]...), in[at+1:]...)
			yield(buf, fmt.Sprintf("%q deleted at %d", rune(in[at]), at))
		}
	}
}

// insideStrings tells for each byte whether it belongs to a string, quotes
// included: the quote that begins it stands behind whitespace or punctuation.
func insideStrings(in []byte) []bool {
	inside := make([]bool, len(in))
	quote := byte(0)
	for i, c := range in {
		switch {
		case quote != 0:
			inside[i] = true
			if c == quote && in[i-1] != '\\' {
				quote = 0
			}
		case (c == '"' || c == '\'') && i > 0 && strings.IndexByte(" \t\r\n=[{(,:", in[i-1]) >= 0:
			inside[i] = true
			quote = c
		}
	}
	return inside
}

// runner reads texts with one parser and says whether an attack runs.
type runner struct {
	parser *parse.Parser
	stop   bool
}

func newRunner(s Setup, stop bool) *runner {
	s.Stop = stop
	p, err := parse.NewParser(s.Catalog, s.parse())
	if err != nil {
		panic(err)
	}
	return &runner{p, stop}
}

func (r *runner) runs(text []byte) bool {
	p := r.parser
	p.Reset()
	found := false
	read := func() {
		for part := p.Next(); part != parse.NoPart; part = p.Next() {
			if s := p.Segment(); part == parse.CallPart && s.Name == "deleteFile" && (r.stop || !s.AfterMalformed) && string(s.Input) == `{"path":"/etc/x"}` {
				found = true
			}
		}
	}
	p.Feed(text)
	read()
	p.Close()
	read()
	return found
}
