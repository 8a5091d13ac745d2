package engine_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	cw "github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/internal/engine"
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/parse/protocol/yaml"
)

type text []byte

func (t *text) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) == nil {
		*t = text(s)
		return nil
	}
	var o struct{ B64 string }
	if err := json.Unmarshal(b, &o); err != nil {
		return err
	}
	d, err := base64.StdEncoding.DecodeString(o.B64)
	*t = d
	return err
}

type wantEvent struct {
	Type           string
	Start, End     int
	Text           text
	ID, Name       string
	Input          string
	Code           string
	At             int
	Closed         bool
	AfterMalformed bool
	Issues         []struct {
		Code, Path string
		At         int
	}
}

type testCase struct {
	ID       string
	Op       string
	Level    string
	Tools    json.RawMessage
	Options  map[string]any
	Text     text
	Protocol string
	Name     string
	Input    text
	Delims   *format.Tags
	Repeat   *struct{ Start, End, Times int }
	Want     struct {
		Text  *text
		Error *struct {
			Code   string
			Offset *int
		}
		Events []wantEvent
		After  []struct {
			Bytes int
			Steps []struct{ Type, Text, Name, Delta string }
		}
	}
}

func (c *testCase) options() (engine.Options, *sig.Catalog, string) {
	o := engine.Options{AllowAfterMalformed: true, AllowInCode: true}
	for k, v := range c.Options {
		switch k {
		case "strict":
			o.Strict = v.(bool)
		case "stopAfterMalformed":
			o.AllowAfterMalformed = !v.(bool)
		case "salvage":
			o.Repair = v.(bool)
		case "code":
			o.AllowInCode = !v.(bool)
		case "reasoning":
			if v.(bool) {
				o.Reasoning = format.TaggedReasoning
			}
		case "acceptAtEnd":
			o.AllowUnclosed = v.(bool)
		case "limits":
			for k, n := range v.(map[string]any) {
				n := int(n.(float64))
				switch k {
				case "bytes":
					o.Limits.Bytes = n
				case "depth":
					o.Limits.Depth = n
				case "arguments":
					o.Limits.Arguments = n
				case "name":
					o.Limits.Name = n
				}
			}
		default:
			return o, nil, k
		}
	}
	if c.Protocol != "" {
		if o.Format = format.Lookup(c.Protocol, yaml.XML); o.Format == nil {
			return o, nil, "protocol " + c.Protocol
		}
	}
	if c.Delims != nil {
		o.Tags = *c.Delims
	}
	catalog := sig.AnyTool
	if o.Format != nil && o.Format.ToolTags() {
		catalog = nil
	}
	if c.Tools != nil {
		var err error
		if catalog, err = sig.Compile([]byte(c.Tools)); err != nil {
			panic(err)
		}
	}
	return o, catalog, ""
}

// newParser returns a Parser for a catalog and options that are right.
func newParser(catalog *sig.Catalog, o engine.Options) *engine.Parser {
	p, err := engine.NewParser(catalog, &o)
	if err != nil {
		panic(err)
	}
	return p
}

func (c *testCase) input() []byte {
	if r := c.Repeat; r != nil {
		t := append([]byte(nil), c.Text[:r.Start]...)
		t = append(t, bytes.Repeat(c.Text[r.Start:r.End], r.Times)...)
		return append(t, c.Text[r.End:]...)
	}
	return c.Text
}

// canonical is JSON text without whitespace and with one spelling of strings.
func canonical(s string) string {
	d := json.NewDecoder(strings.NewReader(s))
	d.UseNumber()
	var b strings.Builder
	for {
		t, err := d.Token()
		if err != nil {
			break
		}
		fmt.Fprintf(&b, "%T %q ", t, fmt.Sprint(t))
	}
	return b.String()
}

// lines are the events of a parse case as text, for comparison.
func wantLines(events []wantEvent) []string {
	var lines []string
	for _, e := range events {
		s := fmt.Sprintf("%s %d-%d", e.Type, e.Start, e.End)
		switch e.Type {
		case "text", "reasoning":
			s += fmt.Sprintf(" %q", []byte(e.Text))
		case "tool-call":
			s += idOf(e.ID) + " " + e.Name + " " + canonical(e.Input)
			for _, i := range e.Issues {
				s += fmt.Sprintf(" !%s %s %d", i.Code, i.Path, i.At)
			}
			if e.AfterMalformed {
				s += " after"
			}
		case "malformed":
			s += fmt.Sprintf(" %s at %d closed=%v", e.Code, e.At, e.Closed)
		}
		lines = append(lines, s)
	}
	return lines
}

// idOf returns an ID that a format gives a call, for comparison.
func idOf(id string) string {
	if id == "" || strings.HasPrefix(id, "call-") {
		return ""
	}
	return " id=" + id
}

// withoutIDs returns lines without the IDs that a format gives calls.
func withoutIDs(lines []string) []string {
	lines = slices.Clone(lines)
	for i, l := range lines {
		if head, rest, ok := strings.Cut(l, " id="); ok && strings.HasPrefix(l, "tool-call ") {
			_, rest, _ = strings.Cut(rest, " ")
			lines[i] = head + " " + rest
		}
	}
	return lines
}

// run feeds in with the given cuts, checks the properties of a stream, and returns its
// events as lines.
func run(p *engine.Parser, in []byte, cuts []int) (lines []string, err error) {
	var kind engine.Kind = 255
	var begun, inText bool
	var deltas []byte
	var textFrom, textTo, at int
	var prose []byte
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
			panic(fmt.Sprintf("%v on %q %v", r, in, cuts))
		}
	}()
	take := func(list []engine.Event) {
		for _, e := range list {
			switch e.Kind {
			case engine.TextStart:
				if inText {
					err = fmt.Errorf("text in text")
				}
				inText, textFrom, prose = true, -1, prose[:0]
			case engine.Text:
				if textFrom < 0 {
					textFrom = e.Start
				}
				if e.Start != at || len(e.Bytes) == 0 || e.End-e.Start != len(e.Bytes) {
					err = fmt.Errorf("text span %d-%d at %d", e.Start, e.End, at)
				}
				textTo = e.End
				at = e.End
				prose = append(prose, e.Bytes...)
			case engine.TextEnd:
				if !inText {
					err = fmt.Errorf("text-end")
				}
				inText = false
				lines = append(lines, fmt.Sprintf("text %d-%d %q", textFrom, textTo, prose))
			case engine.ReasoningStart, engine.Reasoning, engine.ReasoningEnd:
				if e.Start != at || inText || begun || e.End-e.Start != len(e.Bytes) {
					err = fmt.Errorf("reasoning span %d-%d at %d", e.Start, e.End, at)
				}
				if e.Kind == engine.ReasoningStart {
					textFrom, prose = e.Start, prose[:0]
				}
				at = e.End
				if e.Kind == engine.Reasoning {
					prose = append(prose, e.Bytes...)
				}
				if e.Kind == engine.ReasoningEnd {
					lines = append(lines, fmt.Sprintf("reasoning %d-%d %q", textFrom, at, prose))
				}
			case engine.InputStart:
				if inText || begun {
					err = fmt.Errorf("start in text")
				}
				begun, deltas = true, deltas[:0]
			case engine.InputDelta:
				if !begun || len(e.Bytes) == 0 {
					err = fmt.Errorf("delta")
				}
				deltas = append(deltas, e.Bytes...)
			case engine.InputEnd:
			case engine.Call:
				if !begun || kind != engine.InputEnd || string(deltas) != string(e.Bytes) {
					err = fmt.Errorf("call: deltas %q input %q", deltas, e.Bytes)
				}
				if !json.Valid(e.Bytes) {
					err = fmt.Errorf("input %q", e.Bytes)
				}
				if e.Start != at {
					err = fmt.Errorf("span")
				}
				at = e.End
				begun = false
				s := fmt.Sprintf("tool-call %d-%d", e.Start, e.End)
				s += idOf(e.ID) + " " + e.Name + " " + canonical(string(e.Bytes))
				if e.Problem != nil {
					for _, i := range e.Problem.Issues {
						s += fmt.Sprintf(" !%s %s %d", i.Code, i.Path, i.At)
					}
				}
				if e.AfterMalformed {
					s += " after"
				}
				lines = append(lines, s)
			case engine.Section:
				if e.Start != at || inText || e.End-e.Start != len(e.Bytes) {
					err = fmt.Errorf("section")
				}
				at = e.End
				lines = append(lines, fmt.Sprintf("section %d-%d", e.Start, e.End))
			case engine.Malformed:
				if e.Start != at || inText {
					err = fmt.Errorf("span")
				}
				at = e.End
				begun = false
				if !bytes.HasPrefix(in[e.Start:e.End], e.Bytes) {
					err = fmt.Errorf("raw")
				}
				s := fmt.Sprintf("malformed %d-%d", e.Start, e.End)
				lines = append(lines, s+fmt.Sprintf(" %s at %d closed=%v", e.Problem.Code, e.Problem.At, e.Problem.Closed))
			}
			kind = e.Kind
		}
	}
	p.Reset()
	from := 0
	chunk := make([]byte, 0, 64)
	feed := func(b []byte) {
		chunk = append(chunk[:0], b...)
		take(p.Feed(chunk))
		for i := range chunk {
			chunk[i] = '#'
		}
	}
	for _, cut := range cuts {
		feed(in[from:cut])
		from = cut
	}
	feed(in[from:])
	take(p.Close())
	if at != len(in) {
		err = fmt.Errorf("spans end at %d of %d", at, len(in))
	}
	if inText || begun {
		err = fmt.Errorf("not ended")
	}
	return lines, err
}

func diff(t *testing.T, id, what string, got, want []string, err error) bool {
	t.Helper()
	if !strings.Contains(strings.Join(want, ""), " id=") { // the case does not look at IDs
		got = withoutIDs(got)
	}
	if err != nil || strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s %s: %v\ngot  %s\nwant %s", id, what, err, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
		return false
	}
	return true
}

func load(t testing.TB, pattern string) []testCase {
	var all []testCase
	files, _ := filepath.Glob(pattern)
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		var file struct {
			Protocol string
			Cases    []testCase
		}
		if err := json.Unmarshal(b, &file); err != nil {
			t.Fatal(f, err)
		}
		for i := range file.Cases {
			if file.Cases[i].Protocol == "" {
				file.Cases[i].Protocol = file.Protocol
			}
		}
		all = append(all, file.Cases...)
	}
	return all
}

const cases = "../../corpus/cases/"

func TestWire(t *testing.T) {
	judge(t, append(load(t, cases+"*.json"), load(t, cases+"more/*.json")...))
}

func TestFormats(t *testing.T) {
	for _, f := range append(format.All()[1:], yaml.XML) {
		t.Run(f.Name, func(t *testing.T) {
			judge(t, load(t, cases+"protocols/"+f.Name+".json"))
		})
	}
}

func judge(t *testing.T, list []testCase) {
	passed, failed := 0, 0
	skipped := map[string]int{}
	for _, c := range list {
		if c.Op == "format" {
			if o, catalog, skip := c.options(); skip != "" {
				skipped[skip]++
			} else if judgeFormat(t, &c, o, catalog) {
				passed++
			} else {
				failed++
			}
			continue
		}
		if c.Op != "parse" && c.Op != "stream" {
			skipped["op "+c.Op]++
			continue
		}
		o, catalog, skip := c.options()
		if skip != "" {
			skipped[skip]++
			continue
		}
		began := time.Now()
		ok := judgeOne(t, &c, o, catalog)
		if d := time.Since(began); d > time.Second {
			t.Log(c.ID, len(c.input()), d)
		}
		if ok {
			passed++
		} else {
			failed++
		}
	}
	t.Logf("passed %d failed %d skipped %v", passed, failed, skipped)
}

func judgeOne(t *testing.T, c *testCase, o engine.Options, catalog *sig.Catalog) bool {
	in := c.input()
	want := wantLines(c.Want.Events)
	p := newParser(catalog, o)
	got, err := run(p, in, nil)
	if !diff(t, c.ID, "whole", got, want, err) {
		return false
	}
	if len(in) > 100000 {
		var cuts []int
		for i := 4096; i < len(in); i += 4096 {
			cuts = append(cuts, i)
		}
		got, err = run(p, in, cuts)
		return diff(t, c.ID, "4K", got, want, err)
	}
	var bytewise []int
	for i := 1; i < len(in); i++ {
		bytewise = append(bytewise, i)
	}
	got, err = run(p, in, bytewise)
	if !diff(t, c.ID, "bytewise", got, want, err) {
		return false
	}
	for i := range in {
		if n := len(in); n > 1024 && i > 64 && i < n-64 && i%61 != 0 {
			continue
		}
		got, err = run(p, in, []int{i})
		if !diff(t, c.ID, fmt.Sprintf("cut %d", i), got, want, err) {
			return false
		}
	}
	for _, after := range c.Want.After {
		var list []string
		p := newParser(catalog, o)
		for _, e := range p.Feed(in[:after.Bytes]) {
			switch e.Kind {
			case engine.Text:
				list = append(list, "text-delta "+string(e.Bytes))
			case engine.InputStart:
				list = append(list, "tool-input-start "+e.Name)
			case engine.InputDelta:
				list = append(list, "tool-input-delta "+string(e.Bytes))
			case engine.InputEnd:
				list = append(list, "tool-input-end ")
			case engine.Call:
				list = append(list, "tool-call "+e.Name)
			case engine.Malformed:
				list = append(list, "malformed ")
			}
		}
		var want []string
		for _, s := range after.Steps {
			want = append(want, s.Type+" "+s.Text+s.Name+s.Delta)
		}
		if !strings.HasPrefix(strings.Join(list, "\n"), strings.Join(want, "\n")) {
			t.Errorf("%s after %d:\ngot  %q\nwant %q", c.ID, after.Bytes, list, want)
			return false
		}
	}
	return true
}

// judgeFormat runs a case that writes a call. What is written must read back.
func judgeFormat(t *testing.T, c *testCase, o engine.Options, catalog *sig.Catalog) bool {
	w := &engine.WriteOptions{Format: o.Format, Tags: o.Tags, Limits: o.Limits}
	got, err := engine.AppendCall(nil, catalog, engine.Written{Name: c.Name, Input: c.Input}, w)
	if c.Want.Error != nil {
		var e *cw.Error
		if !errors.As(err, &e) || string(e.Code) != c.Want.Error.Code ||
			c.Want.Error.Offset != nil && e.Offset != *c.Want.Error.Offset {
			t.Errorf("%s: %v, want %s", c.ID, err, c.Want.Error.Code)
			return false
		}
		return true
	}
	if err != nil || string(got) != string(*c.Want.Text) {
		t.Errorf("%s: %v\ngot  %s\nwant %s", c.ID, err, got, *c.Want.Text)
		return false
	}
	return true
}
