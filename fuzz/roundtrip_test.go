package fuzz

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/internal/lexeme"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

var roundtrips = flag.Int("roundtrips", 20000, "number of objects that are written and read back, under -long")

// delims are pairs of tags: the default, those of other formats, and awkward ones.
var delims = []lexer.Delims{
	{},
	{Open: "<tool_call>", Close: "</tool_call>"},
	{Open: "<<call>", Close: "</call>"},
	{Open: "@c", Close: "@/c"},
	{Open: "$(", Close: "$)"},
	{Open: "<|call|>", Close: "<|end|>"},
	{Open: "-->", Close: "<--"},
	{Open: "_(", Close: "_/"},
	{Open: "((", Close: "))"},
	{Open: ":c", Close: ";c"},
	{Open: "(t", Close: ")t"},
	{Open: "#1", Close: "#2"},
	{Open: "~~~~", Close: "^^"},
}

// Tags returns a legal pair of tags.
func Tags(s Source) lexer.Delims {
	for range 8 {
		if !chance(s, 4) {
			break
		}
		d := lexer.Delims{Open: tag(s), Close: tag(s)}
		if d.Validate() == nil {
			return d
		}
	}
	return oneOf(s, delims...)
}

func tag(s Source) string {
	const first, rest = "<@$#~^!%&*()_+-:;|?/>`", "<@$#~/>call|t=.,[]{}\"'\\1e-+u0"
	b := []byte{first[s.IntN(len(first))]}
	for range 1 + s.IntN(5) {
		b = append(b, rest[s.IntN(len(rest))])
	}
	return string(b)
}

// trip is one object on its way into a message and out of it.
type trip struct {
	catalog *sig.Catalog
	tool    string
	input   string
	opts    parse.FormatOptions
	before  string // text around the call
	after   string
}

func (tr trip) String() string {
	return fmt.Sprintf("%s %s, tags %q, JSON %t, after %q, before %q", tr.tool, tr.input, tr.opts.Delims, tr.opts.JSON, tr.before, tr.after)
}

// Trip returns an object for a tool of catalog, which may not fit, options for writing, and
// hostile surroundings.
func Trip(s Source, catalog *sig.Catalog) trip {
	tr := trip{catalog: catalog}
	var args *sig.Type
	if catalog != nil && catalog.Len() > 0 {
		tool := catalog.Tools()[s.IntN(catalog.Len())]
		tr.tool, args = tool.Name, tool.Args
	} else {
		tr.tool = oneOf(s, toolNames...)
	}
	switch s.IntN(4) {
	case 0:
		tr.input = FitObject(s, args, 3)
	case 1, 2:
		tr.input = MisfitObject(s, args, 3)
	default:
		tr.input = Object(s, 4)
	}
	if chance(s, 3) {
		tr.opts.Delims = Tags(s)
	}
	tr.opts.JSON = chance(s, 5)
	tags := tr.opts.Delims.OrDefault()
	around := func() string {
		if !chance(s, 2) {
			return oneOf(s, "", "Let me see. ", "\n")
		}
		return oneOf(s, Retag(Prose(s), tags), Retag(string(Message(s)), tags), tags.Open, tags.Open+" ", tags.Open[:1], tags.Close, tags.Close+tags.Open, "\"", "'", `\`, "=", "[", "{",
			tags.Open+"u"+tags.Close, tags.Open+"u x=", tags.Open+"u x"+tags.Close, tags.Open+"u(\"x", tags.Open+"u \xff"+tags.Close)
	}
	tr.before, tr.after = around(), around()
	return tr
}

// DrawnTrip draws a round trip under no catalog, the one of types, or a drawn one.
func DrawnTrip(s Source) trip {
	catalog := oneOf(s, nil, types)
	if chance(s, 2) {
		catalog = mustCompile(Tools(s))
	}
	return Trip(s, catalog)
}

// check makes the trip and returns an error message, or "". refused reports that the writer
// refused the object.
//
// Property 12: the call in the message reads back as the object. Property 13: writing what
// was read gives the same text. Property 14: it is one call, and does not affect the text
// around it.
func (tr trip) check() (wrong string, refused bool) {
	text, err := tr.opts.Format(tr.catalog, tr.tool, []byte(tr.input))
	if err != nil {
		var e *lexer.Error
		switch {
		case !errors.As(err, &e):
			return err.Error(), true
		case tr.refusable(e.Code):
			return "", true
		}
		return "refused: " + err.Error(), true
	}
	if strings.ContainsAny(text, "\n\r") {
		return fmt.Sprintf("%q is more than one line", text), false
	}
	tags := tr.opts.Delims.OrDefault()
	if body := text[len(tags.Open) : len(text)-len(tags.Close)]; !strings.ContainsAny(tags.Open+tags.Close, "\"',:[]{}=\\") &&
		(strings.Contains(body, tags.Open) || strings.Contains(body, tags.Close)) {
		return fmt.Sprintf("%q has a tag inside", text), false // not even in a string, for careless readers
	}
	opts := parse.Options{Delims: tr.opts.Delims}
	alone := opts.Text(text, tr.catalog)
	if len(alone) != 1 || alone[0].Kind != parse.Call || alone[0].Name != tr.tool {
		return fmt.Sprintf("%q reads as %+v", text, alone), false
	}
	if !sameJSON(alone[0].Input, []byte(tr.input)) {
		return fmt.Sprintf("%q reads as %s", text, alone[0].Input), false
	}
	if again, err := tr.opts.Format(tr.catalog, tr.tool, alone[0].Input); again != text {
		return fmt.Sprintf("%q is written again as %q, %v", text, again, err), false
	}
	before := opts.Text(tr.before, tr.catalog)
	if n := len(before); n > 0 && before[n-1].Kind == parse.Malformed && !before[n-1].Closed {
		return "", false // a call is open: what follows belongs to it
	}
	if open := tags.Open; lexeme.IsName(open[:1]) && couldBegin([]byte(tr.before), Setup{Delims: tags}) >= len(open) {
		return "", false // so may one be here, of a name that begins as the opener does
	}
	return tr.inside(opts, before, text, alone[0].Input), false
}

// inside reads text, whose input is known, in its surroundings.
func (tr trip) inside(opts parse.Options, before []parse.Segment, text string, input []byte) string {
	segs := opts.Text(tr.before+text+tr.after, tr.catalog)
	start, end := len(tr.before), len(tr.before)+len(text)
	found := false
	for _, s := range segs {
		switch {
		case s.End <= start || s.Start >= end || s.Kind == parse.Prose && s.Start < start && s.End == start:
		case s.Start == start && s.End == end && s.Kind == parse.Call && bytes.Equal(s.Input, input):
			found = true
		default:
			return fmt.Sprintf("in %q, %q reads as %+v", tr.before+text+tr.after, text, s)
		}
	}
	if !found {
		return fmt.Sprintf("in %q, %q was lost", tr.before+text+tr.after, text)
	}
	n := 0
	for _, s := range segs {
		if s.End <= start {
			n++
		}
	}
	if n != len(before) {
		return fmt.Sprintf("%q changes what is before it in %q", text, tr.before+text+tr.after)
	}
	return ""
}

// refusable reports whether the writer may refuse the trip with code: if a tag is in the
// name of the tool or in a number.
func (tr trip) refusable(code lexer.Code) bool {
	d := tr.opts.Delims
	switch code {
	case lexer.BadName:
		return !lexeme.IsName([]byte(tr.tool)) || d != lexer.Delims{} && strings.ContainsAny(tr.tool, d.Open[:1]+d.Close[:1])
	case lexer.NestedCall:
		return d != lexer.Delims{} && strings.ContainsAny(d.Open[:1]+d.Close[:1], "+-")
	case lexer.NameTooLong:
		return len(tr.tool) > lexer.DefaultLimits.Name
	}
	return false
}

// sameJSON reports whether two JSON texts are equal, in the same order and with the same
// digits.
func sameJSON(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	x, y := json.NewDecoder(bytes.NewReader(a)), json.NewDecoder(bytes.NewReader(b))
	x.UseNumber()
	y.UseNumber()
	for {
		s, err1 := x.Token()
		t, err2 := y.Token()
		if err1 == io.EOF && err2 == io.EOF {
			return true
		}
		if err1 != nil || err2 != nil || s != t {
			return false
		}
	}
}

// TestRoundTrip: properties 12, 13 and 14. For every JSON object and every tool, of generated
// catalogs and those of the folder that CALLWIRE_TOOLS names: what is written reads back, is
// written again as the same text, and is one call inside hostile text; with the default tags
// and others, as arguments and with a JSON body.
func TestRoundTrip(t *testing.T) {
	catalogs := []*sig.Catalog{nil, types}
	for _, c := range folder(t) {
		catalogs = append(catalogs, c, c, c)
	}
	r := rand.New(rand.NewPCG(3, 4))
	refusals := 0
	n := often(*roundtrips)
	for i := range n {
		if i%50 == 0 && len(catalogs) < 400 || i%997 == 0 {
			c := mustCompile(Tools(r))
			if len(catalogs) < 400 {
				catalogs = append(catalogs, c)
			} else {
				catalogs[r.IntN(len(catalogs))] = c
			}
		}
		tr := Trip(r, oneOf(r, catalogs...))
		wrong, refused := tr.check()
		if wrong != "" {
			t.Errorf("trip %d: %s\n%s", i, tr, wrong)
			break
		}
		if refused {
			refusals++
		}
	}
	t.Logf("%d objects, %d catalogs, %d refused because of their tags", n, len(catalogs), refusals)
	if refusals > n/20 {
		t.Errorf("%d of %d objects refused", refusals, n)
	}
}

// TestRoundTripShrinks is TestRoundTrip with rapid, which finds the smallest failing object.
func TestRoundTripShrinks(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := Drawn(rt)
		tr := DrawnTrip(c)
		if wrong, _ := tr.check(); wrong != "" {
			rt.Fatalf("%s\n%s", tr, wrong)
		}
	})
}

// TestTripUnderLimits: properties 12 and 21. What is written under limits is read under them,
// and what is refused because of them cannot be read in any form of body.
func TestTripUnderLimits(t *testing.T) {
	written, refused := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		c := Drawn(rt)
		tr := DrawnTrip(c)
		free, err := tr.opts.Format(tr.catalog, tr.tool, []byte(tr.input))
		if err != nil {
			return
		}
		tr.opts.Limits = lexer.Limits{Depth: c.IntN(5), Arguments: c.IntN(6)}
		if chance(c, 2) {
			tr.opts.Limits.Bytes = max(1, len(free)-20+c.IntN(40))
		}
		call := func(text string) bool {
			segs := parse.Options{Delims: tr.opts.Delims, Limits: tr.opts.Limits}.Text(text, tr.catalog)
			return len(segs) == 1 && segs[0].Kind == parse.Call && segs[0].Name == tr.tool && sameJSON(segs[0].Input, []byte(tr.input))
		}
		text, err := tr.opts.Format(tr.catalog, tr.tool, []byte(tr.input))
		if err == nil {
			written++
			if !call(text) {
				rt.Fatalf("%s\nis written as %q under %+v, and not read", tr, text, tr.opts.Limits)
			}
			return
		}
		refused++
		var e *lexer.Error
		if !errors.As(err, &e) || e.Code != lexer.TooDeep && e.Code != lexer.TooManyArguments && e.Code != lexer.CallTooLong {
			rt.Fatalf("%s\nis refused under %+v: %v", tr, tr.opts.Limits, err)
		}
		body, err := parse.FormatOptions{Delims: tr.opts.Delims, JSON: true}.Format(tr.catalog, tr.tool, []byte(tr.input))
		if call(free) || err == nil && call(body) {
			rt.Fatalf("%s\nis refused under %+v, and %q or %q is read: %v", tr, tr.opts.Limits, free, body, err)
		}
	})
	t.Logf("%d written, %d refused", written, refused)
}

// TestRefusals: properties 12 and 14. What cannot be written faithfully is refused with a
// code, and nothing is written.
func TestRefusals(t *testing.T) {
	deep := strings.Repeat("[", 65) + strings.Repeat("]", 65)
	many := "{"
	for i := range 1025 {
		many += fmt.Sprintf(`"k%d":0,`, i)
	}
	many = many[:len(many)-1] + "}"
	for _, c := range []struct {
		name, input string
		code        lexer.Code
	}{
		{"t", "", lexer.InvalidJSON}, {"t", `{"a":01}`, lexer.InvalidJSON}, {"t", `{"a":1,}`, lexer.InvalidJSON}, {"t", `{} {}`, lexer.InvalidJSON},
		{"t", "[]", lexer.NotAnObject}, {"t", `"{}"`, lexer.NotAnObject}, {"t", "null", lexer.NotAnObject},
		{"t", `{"a":1,"\u0061":2}`, lexer.DuplicateKey}, {"t", `{"o":{"a":1,"a":2}}`, lexer.DuplicateKey},
		{"t", `{"a":"\ud83d"}`, lexer.UnpairedSurrogate}, {"t", "{\"a\":\"\xff\"}", lexer.InvalidUTF8},
		{"no tool", "{}", lexer.BadName}, {"", "{}", lexer.BadName}, {"t</call><call>x", "{}", lexer.BadName}, {"1", "{}", lexer.BadName},
		{strings.Repeat("t", 257), "{}", lexer.NameTooLong}, {"t\xff", "{}", lexer.InvalidUTF8},
		{"t", `{"a":` + deep + `}`, lexer.TooDeep}, {"t", many, lexer.TooManyArguments}, {"t", `{"a":"` + strings.Repeat("x", 4<<20) + `"}`, lexer.CallTooLong},
	} {
		text, err := parse.Format(nil, c.name, []byte(c.input))
		var e *lexer.Error
		if !errors.As(err, &e) || e.Code != c.code || text != "" {
			t.Errorf("%.60s %.60s: %.60q, %.200v, want %s", c.name, c.input, text, err, c.code)
		}
	}
	if _, err := parse.Format(types, "nobody", []byte("{}")); err == nil {
		t.Error("an unknown tool was written")
	}
}
