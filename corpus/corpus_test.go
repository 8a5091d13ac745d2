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
	"unicode/utf8"

	"github.com/callwire/callwire/corpus"
)

var (
	wellFormedID   = regexp.MustCompile(`^[a-z0-9]+([-.][a-z0-9]+)*/[a-z0-9]+(-[a-z0-9]+)*$`)
	wellFormedRule = regexp.MustCompile(`^[a-z]+\.[a-z0-9]+(-[a-z0-9]+)*$`)
)

// errorCodes are the codes that a malformed span may carry.
var errorCodes = words(`
	expected-name bad-name expected-key expected-equals expected-space
	expected-value expected-comma expected-colon expected-close nested-call
	invalid-utf8 unterminated-call unknown-tool duplicate-key path-conflict
	call-too-long name-too-long too-deep too-many-arguments after-malformed
	type-mismatch not-in-enum coerced ambiguous-escape open-quote
	unknown-argument missing-argument invalid-json invalid-yaml
	not-an-object wrong-opener in-code in-reasoning`)

// issueCodes are the codes that an issue may carry; strict makes errors of
// them.
var issueCodes = words(`
	type-mismatch unknown-argument missing-argument not-in-enum coerced
	ambiguous-escape open-quote repaired doubtful ambiguous-text`)

// refusalCodes are the codes with which a writer refuses.
var refusalCodes = words(`
	invalid-json not-an-object unpaired-surrogate invalid-utf8 duplicate-key
	unknown-tool bad-name too-deep too-many-arguments name-too-long
	call-too-long unwritable-value`)

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

func words(s string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(s) {
		set[w] = true
	}
	return set
}

func TestIDs(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range allCases() {
		if !wellFormedID.MatchString(c.ID) {
			t.Errorf("%s: an id is topic/slug in small letters", c.ID)
		}
		if seen[c.ID] {
			t.Errorf("%s: the id is given twice", c.ID)
		}
		seen[c.ID] = true
	}
	if len(seen) == 0 {
		t.Error("no cases")
	}
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
		delete(listed, c.ID)
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
	}
	for code := range errorCodes {
		if !known["error."+code] {
			t.Errorf("error.%s: the code has no rule", code)
		}
	}
}

// TestErrorCodes finds a case for every code at its place: a malformed span
// for every error and an issue for every issue.
func TestErrorCodes(t *testing.T) {
	errors, issues, refusals := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, c := range allCases() {
		for _, e := range c.Want.Events {
			errors[e.Code] = true
			for _, i := range e.Issues {
				issues[i.Code] = true
			}
		}
		if c.Want.Error != nil {
			refusals[c.Want.Error.Code] = true
		}
	}
	for _, group := range []struct {
		name        string
		want, found map[string]bool
	}{{"error", errorCodes, errors}, {"issue", issueCodes, issues}, {"refusal", refusalCodes, refusals}} {
		for code := range group.want {
			if !group.found[code] {
				t.Errorf("no case has the %s %s", group.name, code)
			}
		}
	}
}

func TestCases(t *testing.T) {
	for _, c := range allCases() {
		t.Run(c.ID, func(t *testing.T) {
			if c.Level != corpus.Core && c.Level != corpus.Extended {
				t.Errorf("level %q", c.Level)
			}
			if !isSentence(c.Note) {
				t.Errorf("the note is no sentence: %q", c.Note)
			}
			if len(c.Rules) == 0 {
				t.Error("no rule")
			}
			checkTools(t, c.Tools)
			switch c.Op {
			case corpus.Parse:
				if c.Name != "" || c.Input != nil || c.Want.Text != "" || c.Want.Error != nil {
					t.Error("a parse case has a text and wants events")
				}
				checkEvents(t, c)
				checkAfter(t, c)
			case corpus.Format:
				if c.Text != nil || c.Want.Events != nil || c.Want.After != nil {
					t.Error("a format case has a name and an input and wants a text or an error")
				}
				checkWriting(t, c)
			case corpus.Sig, corpus.Manual:
				if c.Text != nil || c.Name != "" || c.Input != nil || c.Want.Events != nil || c.Want.After != nil || c.Want.Error != nil || c.Tools == nil {
					t.Error("a sig or manual case has tools, and wants lines or a text")
				}
				checkWords(t, c)
			default:
				t.Errorf("op %q", c.Op)
			}
			if o := c.Options; (c.Op == corpus.Sig || c.Op == corpus.Manual) != (o.Wording != nil) && o != (corpus.Options{}) {
				t.Error("options of another op")
			}
		})
	}
}

// checkEvents holds the events of a case against its text: they tile it, and
// what they say of it can be so.
func checkEvents(t *testing.T, c corpus.Case) {
	pos := 0
	damaged, last := false, ""
	tags := tagsOf(c)
	if tags == [2]string{} || c.Protocol != "" && c.Protocol != c.Topic() {
		t.Errorf("protocol %q", c.Protocol)
	}
	c.Text = c.Whole()
	for i, e := range c.Want.Events {
		empty := e.Start == e.End && e.Code != "in-reasoning" // whose source is in the reasoning
		if e.Start != pos || e.End < e.Start || empty || e.End > len(c.Text) {
			t.Fatalf("event %d is [%d,%d), want it to start at %d and to end by %d", i, e.Start, e.End, pos, len(c.Text))
		}
		pos = e.End
		span := string(c.Text[e.Start:e.End])
		isCall := e.Type == corpus.ToolCallEvent || e.Type == corpus.MalformedEvent
		if isCall && !c.Options.Salvage && e.Start < e.End && !strings.HasPrefix(span, tags[0]) {
			t.Errorf("event %d does not begin with the opener: %q", i, span)
		}
		switch e.Type {
		case corpus.TextEvent:
			if string(e.Text) != span {
				t.Errorf("event %d has the text %q, its span is %q", i, e.Text, span)
			}
			if last == corpus.TextEvent {
				t.Errorf("event %d: adjacent texts are one event", i)
			}
		case corpus.ToolCallEvent:
			if e.Name == "" || !strings.Contains(span, e.Name) && !c.Options.Salvage {
				t.Errorf("event %d: the name %q is not in %q", i, e.Name, span)
			}
			if !isCompactObject(e.Input) {
				t.Errorf("event %d: the input is no compact JSON object: %s", i, e.Input)
			}
			if n := c.Options.Limits.Bytes; n > 0 && len(span) > n {
				t.Errorf("event %d has %d bytes, and the limit is %d", i, len(span), n)
			}
			if n := c.Options.Limits.Name; n > 0 && len(e.Name) > n {
				t.Errorf("event %d has a name of %d bytes, and the limit is %d", i, len(e.Name), n)
			}
			if !c.Options.AcceptAtEnd && !c.Options.Salvage && !strings.HasSuffix(span, tags[1]) {
				t.Errorf("event %d does not end with the close tag", i)
			}
			if damaged && !e.AfterMalformed {
				t.Errorf("event %d comes after a malformed span and has no mark", i)
			}
			if damaged && c.Options.StopAfterMalformed {
				t.Errorf("event %d is delivered after a malformed span", i)
			}
			if c.Options.Strict && len(e.Issues) > 0 {
				t.Errorf("event %d has issues, and strict makes errors of them", i)
			}
			at := e.Start
			for _, issue := range e.Issues {
				if !issueCodes[issue.Code] {
					t.Errorf("event %d: unknown issue %s", i, issue.Code)
				}
				if issue.Path == "" && c.Protocol == "" {
					t.Errorf("event %d: the issue %s has no path", i, issue.Code)
				}
				if issue.At < at || issue.At > e.End {
					t.Errorf("event %d: the issue %s at %d is out of order or out of the span", i, issue.Code, issue.At)
				}
				at = issue.At
				damaged = damaged || issue.Code == "open-quote"
			}
		case corpus.MalformedEvent:
			if !errorCodes[e.Code] {
				t.Errorf("event %d: unknown error %s", i, e.Code)
			}
			if e.Start < e.End && (e.At < e.Start || e.At > e.End) {
				t.Errorf("event %d: the error is at %d, outside of [%d,%d]", i, e.At, e.Start, e.End)
			}
			limit := cmp.Or(c.Options.Limits.Bytes, 4<<20)
			if e.Code == "call-too-long" && e.At != e.Start+limit {
				t.Errorf("event %d: the limit is at %d, not at %d", i, e.Start+limit, e.At)
			}
			if e.Code == "unterminated-call" && (e.At != len(c.Text) || e.Closed) {
				t.Errorf("event %d: the end of input is at %d, not at %d", i, len(c.Text), e.At)
			}
			if e.Code == "after-malformed" && (e.At != e.Start || !c.Options.StopAfterMalformed) {
				t.Errorf("event %d: only a call that was stopped is after-malformed, at its opener", i)
			}
			if e.Closed && !strings.HasSuffix(span, tags[1]) && e.Code != "wrong-opener" {
				t.Errorf("event %d is closed and does not end with the close tag", i)
			}
			damaged = damaged || e.Code != "in-code"
		case corpus.SectionEvent: // its tags are markup
		case corpus.ReasoningEvent:
			if !strings.Contains(span, string(e.Text)) {
				t.Errorf("event %d has the text %q, its span is %q", i, e.Text, span)
			}
		default:
			t.Errorf("event %d has the type %q", i, e.Type)
		}
		last = e.Type
	}
	if pos != len(c.Text) {
		t.Errorf("the events end at %d, the text at %d", pos, len(c.Text))
	}
}

// checkAfter holds what must be out early against what is out at the end.
func checkAfter(t *testing.T, c corpus.Case) {
	last := 0
	for _, after := range c.Want.After {
		if after.Bytes <= last || after.Bytes > len(c.Text) || len(after.Steps) == 0 {
			t.Errorf("after %d bytes: out of order, beyond the text, or without steps", after.Bytes)
		}
		last = after.Bytes
		for _, step := range after.Steps {
			switch step.Type {
			case corpus.TextDelta:
				if !bytes.Contains(c.Text[:after.Bytes], step.Text) {
					t.Errorf("after %d bytes: the text %q was not read", after.Bytes, step.Text)
				}
			case corpus.ToolInputStart, corpus.ToolInputDelta, corpus.ToolInputEnd, corpus.ToolCallEvent, corpus.MalformedEvent:
			default:
				t.Errorf("after %d bytes: the type %q", after.Bytes, step.Type)
			}
		}
	}
}

// checkWriting holds the expectation of a format case against what every
// canonical writing has in common.
func checkWriting(t *testing.T, c corpus.Case) {
	w := c.Want
	if (w.Text == "") == (w.Error == nil) {
		t.Fatal("a format case wants either a text or an error")
	}
	if w.Error != nil {
		if !refusalCodes[w.Error.Code] {
			t.Errorf("unknown refusal %s", w.Error.Code)
		}
		return
	}
	if !json.Valid(c.Input) {
		t.Errorf("the input is not valid JSON: %s", c.Input)
	}
	if c.Protocol != "" {
		if tags := tagsOf(c); !strings.Contains(w.Text, tags[0]) || !strings.Contains(w.Text, tags[1]) {
			t.Errorf("no call: %s", w.Text)
		}
		return
	}
	tags := tagsOf(c)
	body, opened := strings.CutPrefix(w.Text, tags[0]+c.Name)
	body, closed := strings.CutSuffix(body, tags[1])
	if !opened || !closed {
		t.Errorf("not a call of %s: %s", c.Name, w.Text)
	}
	if strings.Contains(body, tags[0]) || strings.Contains(body, tags[1]) {
		t.Errorf("a tag stands inside the call: %s", w.Text)
	}
	for _, r := range w.Text {
		if r < ' ' || r == 0x7f {
			t.Errorf("a control character stands in the text: %q", w.Text)
		}
	}
}

// checkWords holds what a sig or manual case wants against what every signature
// has in common: it is one line of text that shows, and there is one for each
// tool.
func checkWords(t *testing.T, c corpus.Case) {
	var tools []json.RawMessage
	if err := json.Unmarshal(c.Tools, &tools); err != nil {
		t.Fatal(err)
	}
	if c.Op == corpus.Sig && (len(c.Want.Lines) != len(tools) || c.Want.Text != "") {
		t.Errorf("%d lines for %d tools", len(c.Want.Lines), len(tools))
	}
	if c.Op == corpus.Manual && (c.Want.Text == "" || c.Want.Lines != nil) {
		t.Error("a manual case wants a text")
	}
	for _, line := range append(strings.Split(c.Want.Text, "\n"), c.Want.Lines...) {
		for _, r := range line {
			if r < ' ' || r == 0x7f || r == 0x85 || r == 0x2028 || r == 0x2029 {
				t.Errorf("%q stands in %q", r, line)
			}
		}
	}
}

func checkTools(t *testing.T, tools json.RawMessage) {
	if tools == nil {
		return
	}
	var list []struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		InputSchema json.RawMessage `json:"inputSchema"`
	}
	d := json.NewDecoder(bytes.NewReader(tools))
	d.DisallowUnknownFields()
	if err := d.Decode(&list); err != nil {
		t.Fatalf("tools: %v", err)
	}
	for _, tool := range list {
		if tool.Name == "" || len(tool.InputSchema) == 0 || tool.InputSchema[0] != '{' {
			t.Errorf("tool %q needs a name and a schema", tool.Name)
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
// every case stands in the file of its topic.
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
