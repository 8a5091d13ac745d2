package grammar

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestFraming(t *testing.T) {
	g := standard(t)
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"text", "text[0:4]"},
		{"\xff\xfe", "text[0:2]"},
		{"<call></call>", "text[0:13]"},
		{"`<call>` and </call>", "text[0:20]"},
		{"<call>", "text[0:6]"},
		{"<call>  ", "text[0:8]"},
		{"<cal", "text[0:4]"},
		{"<CALL>t</CALL>", "text[0:14]"},
		{"a<call>t</call>b", "text[0:1] call[1:15] text[15:16]"},
		{"<call>t</call><call>u</call>", "call[0:14] call[14:28]"},
		{"<call><call>t</call>", "text[0:6] call[6:20]"},
		{"<call>t</call></call>", "call[0:14] text[14:21]"},
		{"<call>t(</call>b", "bad-name@7[0:15] text[15:16]"},
		{"<call>t(<call>u</call>", "bad-name@7[0:8]+ call[8:22]!"},
		{"<call>t(<call></call>b", "bad-name@7[0:21] text[21:22]"},
		{"<call>t a=x<call>u b=y<call>v</call>", "nested-call@11[0:11]+ nested-call@22[11:22]+ call[22:36]!"},

		// A fault other than a syntax error does not begin damage.
		{`<call>t a=1 a=2 b="</call>"</call><call>u</call>`, "duplicate-key@12[0:34] call[34:48]!"},
		{`<call>t a=1 a=2 b="</call>`, "duplicate-key@12[0:26]+"},
		{`<call>t a=1 a=2 b="x"y <call>u</call>`, "duplicate-key@12[0:23]+ call[23:37]!"},
	} {
		if got := describe(g.Read([]byte(test.text), Options{})); got != test.want {
			t.Errorf("%q\n got %s\nwant %s", test.text, got, test.want)
		}
	}
}

// D1: an opener that does not start a call does not hide one that begins inside it.
func TestOverlappingOpeners(t *testing.T) {
	g := between(t, "<<", ">>")
	for _, test := range []struct{ text, want string }{
		{"<<<t>>", "text[0:1] call[1:6]"},
		{"<<<<t>>", "text[0:2] call[2:7]"},
		{"<<t(<<<u>>", "bad-name@3[0:5]+ call[5:10]!"},
		{"<<t a=<<<u>>", "nested-call@6[0:7]+ call[7:12]!"},
	} {
		if got := describe(g.Read([]byte(test.text), Options{})); got != test.want {
			t.Errorf("%q: %s, want %s", test.text, got, test.want)
		}
	}
}

func TestAcceptAtEnd(t *testing.T) {
	g := standard(t)
	for _, test := range []struct {
		text string
		json string // empty if the call is not complete
	}{
		{`<call>t`, `{}`},
		{"<call>t \n", `{}`},
		{`<call>t a=1`, `{"a":1}`},
		{`<call>t a=`, `{"a":""}`},
		{`<call>t a= `, `{"a":""}`},
		{`<call>t a="x"`, `{"a":"x"}`},
		{`<call>t a=[1] `, `{"a":[1]}`},
		{`<call>t a={}`, `{"a":{}}`},
		{`<call>t {"a":1}`, `{"a":1}`},
		{`<call>t{} `, `{}`},
		{`<call>t a=1</call>`, `{"a":1}`},

		{`<call>t a`, ``},
		{`<call>t a.`, ``},
		{`<call>t a="x`, ``},
		{`<call>t a="x\"`, ``},
		{`<call>t a=[1`, ``},
		{`<call>t a=[1,`, ``},
		{`<call>t a={x`, ``},
		{`<call>t a={x:`, ``},
		{`<call>t {"a":1`, ``},
		{"<call>t a=\xe2\x82", ``},
		{"<call>t\xc3", ``},
		{`<call>t<`, ``},
		{`<call>t a=1</call`, ``},
		{`<call>t a=1 <`, ``},
		{`<call>t {}<`, ``},
	} {
		got := g.Read([]byte(test.text), Options{AcceptAtEnd: true})
		s := got[0]
		switch {
		case len(got) != 1 || s.Start != 0 || s.End != len(test.text):
			t.Errorf("%q: %s", test.text, describe(got))
		case test.json == "":
			if s.Kind != MalformedSegment || s.Code != UnterminatedCall || s.At != s.End || s.Closed {
				t.Errorf("%q: %s", test.text, describe(got))
			}
		case s.Kind != CallSegment || s.Closed != strings.HasSuffix(test.text, "</call>"):
			t.Errorf("%q: %s", test.text, describe(got))
		case string(s.Call.JSON()) != test.json:
			t.Errorf("%q: %s, want %s", test.text, s.Call.JSON(), test.json)
		}
	}
}

func TestAfterMalformed(t *testing.T) {
	g := standard(t)
	const good, bad, open = `<call>t</call>`, `<call>t(</call>`, `<call>t a=r"</call>`
	for _, test := range []struct{ text, marked, stopped string }{
		{good + bad + good + good,
			"call[0:14] bad-name@21[14:29] call[29:43]! call[43:57]!",
			"call[0:14] bad-name@21[14:29] after-malformed@29[29:43] after-malformed@43[43:57]"},
		{bad + "x" + bad,
			"bad-name@7[0:15] text[15:16] bad-name@23[16:31]",
			"bad-name@7[0:15] text[15:16] bad-name@23[16:31]"},
		{open + good,
			"call[0:19] call[19:33]!",
			"call[0:19] after-malformed@19[19:33]"},
		{bad + `<call>t a=1 a=2</call>`,
			"bad-name@7[0:15] duplicate-key@27[15:37]",
			"bad-name@7[0:15] duplicate-key@27[15:37]"},
	} {
		if got := describe(g.Read([]byte(test.text), Options{})); got != test.marked {
			t.Errorf("%q\n got %s\nwant %s", test.text, got, test.marked)
		}
		if got := describe(g.Read([]byte(test.text), Options{StopAfterMalformed: true})); got != test.stopped {
			t.Errorf("%q, stopping\n got %s\nwant %s", test.text, got, test.stopped)
		}
	}
}

func TestKnown(t *testing.T) {
	g := standard(t)
	known := func(name string) bool { return name == "größe" }
	got := describe(g.Read([]byte(`<call>größe a=1</call><call>grösse</call>`), Options{Known: known}))
	if want := "call[0:24] unknown-tool@30[24:44]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A syntax error is at the first byte that cannot be right: some text completes what
// is before it, and none completes what is there with it.
func TestFaultIsFirst(t *testing.T) {
	g := standard(t)
	var endings []string
	pieces := []string{"", `"`, "'", "1", "a", ":1", "=1", "]", "}", "]}"}
	for _, a := range pieces {
		for _, b := range pieces {
			for _, c := range pieces {
				endings = append(endings, a+b+c+"</call>")
			}
		}
	}
	completes := func(text string) bool {
		for _, ending := range endings {
			if s := g.Read([]byte(text+ending), Options{}); len(s) == 1 && s[0].Kind == CallSegment {
				return true
			}
		}
		return false
	}
	syntax := map[Code]bool{BadName: true, ExpectedKey: true, ExpectedEquals: true, ExpectedSpace: true,
		ExpectedValue: true, ExpectedComma: true, ExpectedColon: true, ExpectedClose: true, NestedCall: true}
	part := rapid.SampledFrom([]string{" ", "\n", "a", "a=", ".", "1", `"`, `"x"`, "[", "]", "{", "}", ",", ":", "k:", "</call>", "<call>"})
	rapid.Check(t, func(t *rapid.T) {
		body := strings.Join(rapid.SliceOfN(part, 0, 7).Draw(t, "body"), "")
		text := "<call>t" + body
		s := g.Read([]byte(text), Options{})[0]
		if !syntax[s.Code] {
			return
		}
		if !completes(text[:s.At]) {
			t.Fatalf("%q: %s at %d, but nothing completes what is before", text, s.Code, s.At)
		}
		end := s.At + 1
		for _, tag := range []string{"<call>", "</call>"} {
			if strings.HasPrefix(text[s.At:], tag) {
				end = s.At + len(tag)
			}
		}
		if completes(text[:end]) {
			t.Fatalf("%q: %s at %d, but something completes what is there", text, s.Code, s.At)
		}
	})
}

// The parser stops where the scanner does: the states of the scanner and the
// productions describe the same language independently.
func TestParserAgreesWithScanner(t *testing.T) {
	g := standard(t)
	rapid.Check(t, func(t *rapid.T) {
		text := "<call>t " + drawText(t)
		limits := Limits{}.OrDefault()
		r := &reader{g: g, limits: limits, text: text, frame: newFrame(g.frame, text, limits.Bytes)}
		tokens, _, _ := r.scan(0)
		if _, i := g.parse(tokens); i < len(tokens)-1 {
			t.Fatalf("%q: the parser stops at %q, token %d of %d", text, tokens[i].Value, i, len(tokens))
		}
	})
}
