package parse_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
)

// readOut feeds p and returns all that it reads.
func readOut(p *parse.Parser, chunks ...string) (all string) {
	drain := func() {
		for part := p.Next(); part != parse.NoPart; part = p.Next() {
			switch part {
			case parse.TextPart:
				all += fmt.Sprintf("text(%s) ", p.Delta())
			case parse.CallPart:
				all += fmt.Sprintf("call(%s %s)[%d] ", p.Segment().Name, p.Segment().Input, p.Segment().Start)
			case parse.MalformedPart:
				all += fmt.Sprintf("malformed(%s) ", p.Segment().Err.Code)
			}
		}
	}
	for _, c := range chunks {
		p.Feed([]byte(c))
		drain()
	}
	p.Close()
	drain()
	return all
}

// The zero value reads without a catalog, under default options.
func TestZeroParser(t *testing.T) {
	for name, first := range map[string]func(*parse.Parser){
		"nothing": func(*parse.Parser) {},
		"reset":   (*parse.Parser).Reset,
		"next":    func(p *parse.Parser) { p.Next() },
		"skipped": func(p *parse.Parser) { p.Skip(1, nil); p.Reset() },
		"asked": func(p *parse.Parser) {
			p.Delta()
			p.Segment()
			p.Steps()
		},
		"closed": func(p *parse.Parser) { p.Close(); p.Next(); p.Reset() },
	} {
		var p parse.Parser
		first(&p)
		if got, want := readOut(&p, "a <call>t x.y=[", "1] z=w</call><call>u(</call>"), `text(a ) call(t {"x":{"y":[1]},"z":"w"})[2] malformed(bad-name) `; got != want {
			t.Errorf("%s first: %s, want %s", name, got, want)
		}
	}
	var p parse.Parser
	p.Skip(4, nil)
	if got, want := readOut(&p, "<call>t</call>"), "call(t {})[4] "; got != want {
		t.Errorf("after 4 bytes that were skipped: %s, want %s", got, want)
	}
}

// To a parser under tags that are not legal, all is text.
func TestParserOfIllegalTags(t *testing.T) {
	p, err := parse.NewParser(nil, parse.Options{Delims: lexer.Delims{Open: "<call>"}, AcceptAtEnd: true})
	if err == nil {
		t.Fatal("no error")
	}
	for range 2 {
		if got, want := readOut(p, "<call>t</call> ", "<call>t a=1"), "text(<call>t</call> ) text(<call>t a=1) "; got != want {
			t.Errorf("%s, want %s", got, want)
		}
		p.Reset()
	}
}

// After Close nothing is read.
func TestParserAfterClose(t *testing.T) {
	for _, text := range []string{"", "a", "<call>t a=\"", "<call>t</call>", "<call>t("} {
		p, err := parse.NewParser(nil, parse.Options{})
		if err != nil {
			t.Fatal(err)
		}
		readOut(p, text)
		if got := readOut(p, "b", "<call>t a=1</call>", "\""); got != "" {
			t.Errorf("after %q and Close: %s", text, got)
		}
	}
}

// A kind that there is not has a name.
func TestKindThatThereIsNot(t *testing.T) {
	if got := parse.Kind(5).String(); got != "Kind(5)" {
		t.Error(got)
	}
}

// What cannot be skipped is not: fewer bytes than none, and more than a message can have.
func TestSkipWhatIsNot(t *testing.T) {
	for _, p := range []parse.Protocol{nil, protocol.Wire, protocol.Hermes, protocol.MorphXML, protocol.Any(protocol.Wire, protocol.Hermes)} {
		r, err := parse.NewReader(nil, parse.Options{Protocol: p})
		if err != nil {
			continue
		}
		for _, n := range []int{-1, math.MinInt, math.MaxInt, math.MaxInt/2 + 1} {
			if r.Skip(n, nil) {
				t.Errorf("%v: %d bytes were skipped", p, n)
			}
		}
		if !r.Skip(math.MaxInt/2-4, nil) || r.Skip(8, nil) || !r.Skip(2, nil) {
			t.Errorf("%v: what is left cannot be skipped, or more can", p)
		}
		r.Reset()
		r.Skip(3, nil)
		r.Feed([]byte(`<call>t</call> <tool_call>{"name":"t","arguments":{}}</tool_call> <t></t>`))
		for part := r.Next(); part != parse.NoPart; part = r.Next() {
			if s := r.Segment(); part == parse.CallPart && s.Start != 3 && s.Start != 18 && s.Start != 68 {
				t.Errorf("%v: a call at %d", p, s.Start)
			}
		}
	}
}
