package corpus_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/callwire/callwire/corpus"
)

var wellFormedRule = regexp.MustCompile(`^[a-z]+\.[a-z0-9]+(-[a-z0-9]+)*$`)

// allCases returns the cases of every format.
func allCases() []corpus.Case {
	return slices.Concat(corpus.Cases(), corpus.MoreCases(), corpus.ProtocolCases())
}

// protocolTags are the tags of the protocols; of one without, each tool has its own.
var protocolTags = map[string][2]string{
	"":              {"<call>", "</call>"},
	"hermes":        {"<tool_call>", "</tool_call>"},
	"gemma-fence":   {"```tool_call", "```"},
	"qwen3-coder":   {"<tool_call>", "</tool_call>"},
	"glm-4.5":       {"<tool_call>", "</tool_call>"},
	"kimi-k2":       {"<|tool_call_begin|>", "<|tool_call_end|>"},
	"deepseek-v3.1": {"<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>"},
	"morph-xml":     {"<", ">"},
	"yaml-xml":      {"<", ">"},
}

// tagsOf returns the tags of a case; none where its protocol is not known.
func tagsOf(c corpus.Case) [2]string {
	if d := c.Delims; d != nil {
		return [2]string{d.Open, d.Close}
	}
	return protocolTags[c.Protocol]
}

// TestIDsAreKept holds the cases against ids.txt, which lists every id that was
// ever given, in order. A case that is given up stays in the list, with the word
// retired after its id; no other case gets the id.
func TestIDsAreKept(t *testing.T) {
	data, err := os.ReadFile("ids.txt")
	if err != nil {
		t.Fatal(err)
	}
	retired, listed, last := map[string]bool{}, map[string]bool{}, ""
	for line := range strings.Lines(string(data)) {
		id, word, _ := strings.Cut(strings.TrimSpace(line), " ")
		if id <= last || word != "" && word != "retired" {
			t.Errorf("ids.txt: %q is out of order, or has a word that is not retired", line)
		}
		last, listed[id], retired[id] = id, true, word == "retired"
	}
	for _, c := range allCases() {
		if !listed[c.ID] {
			t.Errorf("%s is not in ids.txt; add it", c.ID)
		}
		if retired[c.ID] {
			t.Errorf("%s was the id of another case; take a new one", c.ID)
		}
		delete(listed, c.ID) // so that a second case of the id is found, too
	}
	for id := range listed {
		if !retired[id] {
			t.Errorf("%s is gone; write retired after it in ids.txt", id)
		}
	}
}

func TestRules(t *testing.T) {
	used := map[string]bool{}
	for _, c := range allCases() {
		for _, id := range c.Rules {
			used[id] = true
		}
	}
	known := map[string]bool{}
	for _, r := range corpus.Rules() {
		if !wellFormedRule.MatchString(r.ID) {
			t.Errorf("%s: an id is group.name in small letters", r.ID)
		}
		if known[r.ID] {
			t.Errorf("%s: the rule is given twice", r.ID)
		}
		known[r.ID] = true
		if !isSentence(r.Text) {
			t.Errorf("%s: not a sentence: %q", r.ID, r.Text)
		}
		if !used[r.ID] {
			t.Errorf("%s: no case exercises the rule", r.ID)
		}
	}
	for _, c := range allCases() {
		for _, id := range c.Rules {
			if !known[id] {
				t.Errorf("%s: unknown rule %s", c.ID, id)
			}
		}
		for _, e := range c.Want.Events {
			if e.Code != "" && !known["error."+e.Code] {
				t.Errorf("%s: the code %s has no rule", c.ID, e.Code)
			}
		}
	}
}

// TestCases holds cases against what the schema of the files cannot say.
func TestCases(t *testing.T) {
	for _, c := range allCases() {
		t.Run(c.ID, func(t *testing.T) {
			if !isSentence(c.Note) {
				t.Errorf("the note is not a sentence: %q", c.Note)
			}
			switch c.Op {
			case corpus.Parse:
				checkEvents(t, &c)
				checkAfter(t, &c)
			case corpus.Format:
				checkWriting(t, &c)
			default:
				checkWords(t, &c)
			}
		})
	}
}

// checkEvents holds the events of a case against its text: they tile it, and describe it.
func checkEvents(t *testing.T, c *corpus.Case) {
	tags := tagsOf(*c)
	if tags == [2]string{} || c.Protocol != "" && c.Protocol != c.Topic() {
		t.Errorf("protocol %q", c.Protocol)
	}
	c.Text = c.Whole()
	pos, damaged, last := 0, false, ""
	for i, e := range c.Want.Events {
		empty := e.Start == e.End && e.Code != "in-reasoning" // whose source is in the reasoning
		if e.Start != pos || e.End < e.Start || empty || e.End > len(c.Text) {
			t.Fatalf("event %d is [%d,%d), want it to start at %d", i, e.Start, e.End, pos)
		}
		span := string(c.Text[e.Start:e.End])
		var faults []string
		switch e.Type {
		case corpus.TextEvent:
			if string(e.Text) != span || last == e.Type {
				faults = []string{"text that is not its span, or goes on"}
			}
		case corpus.ReasoningEvent:
			if !strings.Contains(span, string(e.Text)) {
				faults = []string{"reasoning that is not in its span"}
			}
		case corpus.ToolCallEvent:
			faults = callFaults(c, &e, span, tags, damaged)
			isOpen := func(i corpus.Issue) bool { return i.Code == "open-quote" }
			damaged = damaged || slices.ContainsFunc(e.Issues, isOpen)
		case corpus.MalformedEvent:
			faults = malformedFaults(c, &e, span, tags)
			damaged = damaged || e.Code != "in-code"
		}
		for _, fault := range faults {
			t.Errorf("event %d, %q: %s", i, span, fault)
		}
		pos, last = e.End, e.Type
	}
	if pos != len(c.Text) {
		t.Errorf("the events end at %d, the text at %d", pos, len(c.Text))
	}
}

// faultsOf returns the names that are mapped to true.
func faultsOf(found map[string]bool) (faults []string) {
	for what, is := range found {
		if is {
			faults = append(faults, what)
		}
	}
	return faults
}

// callFaults returns what is wrong with a call that a case wants.
func callFaults(c *corpus.Case, e *corpus.Event, span string, tags [2]string, damaged bool) []string {
	o := c.Options
	exact := !o.Salvage
	ordered := slices.IsSortedFunc(e.Issues, func(a, b corpus.Issue) int { return cmp.Compare(a.At, b.At) })
	isWrong := func(i corpus.Issue) bool {
		outside := i.At < e.Start || i.At > e.End
		return outside || i.Path == "" && c.Protocol == ""
	}
	return faultsOf(map[string]bool{
		"no opener":          exact && !strings.HasPrefix(span, tags[0]),
		"no closing tag":     exact && !o.AcceptAtEnd && !strings.HasSuffix(span, tags[1]),
		"another name":       exact && !strings.Contains(span, e.Name),
		"no compact object":  !isCompactObject(e.Input),
		"too long":           o.Limits.Bytes > 0 && len(span) > o.Limits.Bytes,
		"too long a name":    o.Limits.Name > 0 && len(e.Name) > o.Limits.Name,
		"no mark":            damaged && !e.AfterMalformed,
		"not stopped":        damaged && o.StopAfterMalformed,
		"issues when strict": o.Strict && len(e.Issues) > 0,
		"wrong issues":       !ordered || slices.ContainsFunc(e.Issues, isWrong),
	})
}

// malformedFaults returns what is wrong with a malformed span that a case wants.
func malformedFaults(c *corpus.Case, e *corpus.Event, span string, tags [2]string) []string {
	limit := cmp.Or(c.Options.Limits.Bytes, 4<<20)
	atEnd := e.At == len(c.Text) && !e.Closed
	return faultsOf(map[string]bool{
		"no opener":      !c.Options.Salvage && span != "" && !strings.HasPrefix(span, tags[0]),
		"no closing tag": e.Closed && !strings.HasSuffix(span, tags[1]) && e.Code != "wrong-opener",
		"fault outside":  span != "" && (e.At < e.Start || e.At > e.End),
		"another limit":  e.Code == "call-too-long" && e.At != e.Start+limit,
		"not at the end": e.Code == "unterminated-call" && !atEnd,
		"not stopped":    e.Code == "after-malformed" && (e.At != e.Start || !c.Options.StopAfterMalformed),
	})
}

// checkAfter holds what must be out early against the text that was read.
func checkAfter(t *testing.T, c *corpus.Case) {
	last := 0
	for _, after := range c.Want.After {
		if after.Bytes <= last || after.Bytes > len(c.Text) {
			t.Errorf("after %d bytes: out of order, or beyond the text", after.Bytes)
		}
		last = after.Bytes
		for _, step := range after.Steps {
			if !bytes.Contains(c.Text[:after.Bytes], step.Text) {
				t.Errorf("after %d bytes: the text %q was not read", after.Bytes, step.Text)
			}
		}
	}
}

// checkWriting holds a format case against what every canonical writing has in common.
func checkWriting(t *testing.T, c *corpus.Case) {
	w, tags := c.Want, tagsOf(*c)
	switch {
	case w.Error != nil:
		return
	case !json.Valid(c.Input):
		t.Errorf("the input is not valid JSON: %s", c.Input)
	case c.Protocol != "":
		if !strings.Contains(w.Text, tags[0]) || !strings.Contains(w.Text, tags[1]) {
			t.Errorf("no call: %s", w.Text)
		}
		return
	}
	body, opened := strings.CutPrefix(w.Text, tags[0]+c.Name)
	body, closed := strings.CutSuffix(body, tags[1])
	if !opened || !closed || strings.Contains(body, tags[0]) || strings.Contains(body, tags[1]) {
		t.Errorf("not one call of %s: %s", c.Name, w.Text)
	}
	if strings.ContainsFunc(w.Text, unicode.IsControl) {
		t.Errorf("a control character: %q", w.Text)
	}
}

// checkWords holds a sig or manual case against what every signature has in common: it is one
// line of visible text, and there is one for each tool.
func checkWords(t *testing.T, c *corpus.Case) {
	var tools []json.RawMessage
	if err := json.Unmarshal(c.Tools, &tools); err != nil {
		t.Fatal(err)
	}
	if c.Op == corpus.Sig && len(c.Want.Lines) != len(tools) {
		t.Errorf("%d lines for %d tools", len(c.Want.Lines), len(tools))
	}
	for _, line := range append(strings.Split(c.Want.Text, "\n"), c.Want.Lines...) {
		if strings.ContainsFunc(line, unicode.IsControl) || strings.ContainsAny(line, "\u2028\u2029") {
			t.Errorf("a character that is not visible: %q", line)
		}
	}
}

// TestBytes takes text through JSON in both its forms.
func TestBytes(t *testing.T) {
	for _, want := range []string{"", "plain", "Grüße \x00", "\xff", "a\xe2\x82"} {
		data, err := json.Marshal(corpus.Bytes(want))
		if err != nil {
			t.Fatal(err)
		}
		if isString := data[0] == '"'; isString != utf8.ValidString(want) {
			t.Errorf("%q is written as %s", want, data)
		}
		var got corpus.Bytes
		if err := json.Unmarshal(data, &got); err != nil || string(got) != want {
			t.Errorf("%s is read as %q, %v", data, got, err)
		}
	}
	var b corpus.Bytes
	for _, wrong := range []string{`5`, `{"b64":"?"}`, `{"hex":"00"}`} {
		if json.Unmarshal([]byte(wrong), &b) == nil {
			t.Errorf("%s is read as %q", wrong, b)
		}
	}
}

// TestFiles checks what the files say of themselves: version, topic, and that
// every case is in the file of its topic.
func TestFiles(t *testing.T) {
	disk := os.DirFS(".")
	total := 0
	for _, name := range caseFiles(t) {
		var file struct {
			Version string
			Topic   string
			Cases   []struct{ ID string }
		}
		data, err := fs.ReadFile(disk, name)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, &file); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if file.Version != corpus.Version {
			t.Errorf("%s: version %q, want %q", name, file.Version, corpus.Version)
		}
		if path.Base(name) != file.Topic+".json" {
			t.Errorf("%s: topic %q", name, file.Topic)
		}
		for _, c := range file.Cases {
			if !strings.HasPrefix(c.ID, file.Topic+"/") {
				t.Errorf("%s: %s belongs to another file", name, c.ID)
			}
		}
		total += len(file.Cases)
	}
	if all := allCases(); len(all) != total {
		t.Errorf("%d cases are embedded and %d are in the files", len(all), total)
	}
}

func isSentence(s string) bool {
	return strings.HasSuffix(s, ".") && strings.TrimSpace(s) == s && !strings.Contains(s, "\n") && len(s) > 8
}

// isCompactObject tells whether s is one JSON object without a space that
// means nothing.
func isCompactObject(s string) bool {
	var b bytes.Buffer
	return strings.HasPrefix(s, "{") && json.Compact(&b, []byte(s)) == nil && b.String() == s
}

// TestLicense holds the license that the archives carry against the module's.
func TestLicense(t *testing.T) {
	want, err := os.ReadFile("../LICENSE")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := fs.ReadFile(corpus.Files(), "LICENSE"); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%.100q is not %.100q; %v", got, want, err)
	}
}
