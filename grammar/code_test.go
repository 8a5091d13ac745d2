package grammar

import (
	"strings"
	"testing"
)

// A broken text begins with a malformed span. The mark ¦ is before the byte of the
// fault; ¶ is at the end of the span, unless that is the end of the text.
type broken struct {
	text    string
	code    Code
	options Options
}

func (b broken) check(t *testing.T, g *Grammar) {
	t.Helper()
	text := strings.Replace(b.text, "¶", "", 1)
	at := strings.Index(text, "¦")
	text = strings.Replace(text, "¦", "", 1)
	end := strings.Index(strings.Replace(b.text, "¦", "", 1), "¶")
	if end < 0 {
		end = len(text)
	}
	got := g.Read([]byte(text), b.options)
	s := got[0]
	if s.Kind != MalformedSegment || s.Code != b.code || s.At != at || s.Start != 0 || s.End != end {
		t.Errorf("%q: %s, want %s@%d[0:%d]", b.text, describe(got), b.code, at, end)
	}
	if closed := strings.HasSuffix(text[:end], g.frame.close); s.Closed != closed && end > at {
		t.Errorf("%q: closed = %v", b.text, s.Closed)
	}
}

func knowsNothing(name string) bool { return false }

var allBroken = []broken{
	{text: `<call>¦{"name":"t"}</call>`, code: ExpectedName},
	{text: `<call>¦[</call>`, code: ExpectedName},
	{text: `<call> ¦{"name":"x</call>"}</call>¶ y`, code: ExpectedName},

	{text: `<call>t¦[</call>`, code: BadName},
	{text: `<call>t¦"a"</call>`, code: BadName},
	{text: `<call>t¦(a=1)</call>`, code: BadName},
	{text: `<call>t¦=1</call>`, code: BadName},
	{text: `<call>t¦,</call>`, code: BadName},
	{text: "<call>t¦\x00</call>", code: BadName},
	{text: `<call>t¦</cal></call>`, code: BadName},
	{text: `<call>t¦¶<call>u</call>`, code: BadName},

	{text: `<call>t ¦[</call>`, code: ExpectedKey},
	{text: `<call>t ¦=1</call>`, code: ExpectedKey},
	{text: `<call>t ¦"a"=1</call>`, code: ExpectedKey},
	{text: `<call>t ¦.a=1</call>`, code: ExpectedKey},
	{text: "<call>t ¦\x01a=1</call>", code: ExpectedKey},
	{text: "<call>t ¦\x7fa=1</call>", code: ExpectedKey},
	{text: `<call>t a.¦=1</call>`, code: ExpectedKey},
	{text: `<call>t a.¦.b=1</call>`, code: ExpectedKey},
	{text: `<call>t a.¦ b=1</call>`, code: ExpectedKey},
	{text: `<call>t a.¦</call>`, code: ExpectedKey},
	{text: `<call>t a=1 ¦{"b":2}</call>`, code: ExpectedKey},
	{text: `<call>t a= ¦"x"</call>`, code: ExpectedKey},
	{text: `<call>t a=1 ¦, b=2</call>`, code: ExpectedKey},
	{text: `<call>t a=1 ¦¶<call>u</call>`, code: ExpectedKey},
	{text: `<call>t a=1 ¦<call></call>`, code: ExpectedKey},
	{text: `<call>t a={¦=:1}</call>`, code: ExpectedKey},
	{text: `<call>t a={¦,}</call>`, code: ExpectedKey},
	{text: `<call>t a={x:1,¦,}</call>`, code: ExpectedKey},
	{text: `<call>t a={¦:1}</call>`, code: ExpectedKey},
	{text: "<call>t a={¦\x0cx:1}</call>", code: ExpectedKey},
	{text: `<call>t a={¦</call>`, code: ExpectedKey},

	{text: `<call>t a¦ =1</call>`, code: ExpectedEquals},
	{text: `<call>t a¦</call>`, code: ExpectedEquals},
	{text: `<call>t a¦,b=1</call>`, code: ExpectedEquals},
	{text: `<call>t a.b¦[0]=1</call>`, code: ExpectedEquals},
	{text: "<call>t a¦\x00=1</call>", code: ExpectedEquals},
	{text: `<call>t a¦¶<call>u</call>`, code: ExpectedEquals},
	{text: `<call>deploy to¦ the server</call>`, code: ExpectedEquals},

	{text: `<call>t a="x"¦y</call>`, code: ExpectedSpace},
	{text: `<call>t a="x"¦"y"</call>`, code: ExpectedSpace},
	{text: `<call>t a="say "¦hi" x"</call>`, code: ExpectedSpace},
	{text: `<call>t a='x'¦,b=1</call>`, code: ExpectedSpace},
	{text: `<call>t a=[1]¦]</call>`, code: ExpectedSpace},
	{text: `<call>t a={}¦{}</call>`, code: ExpectedSpace},
	{text: `<call>t a="x"¦¶<call>u</call>`, code: ExpectedSpace},

	{text: `<call>t a=[¦</call>`, code: ExpectedValue},
	{text: `<call>t a=[¦,]</call>`, code: ExpectedValue},
	{text: `<call>t a=[1,¦,]</call>`, code: ExpectedValue},
	{text: `<call>t a=[¦}]</call>`, code: ExpectedValue},
	{text: `<call>t a={x:¦}</call>`, code: ExpectedValue},
	{text: `<call>t a={x: ¦]}</call>`, code: ExpectedValue},
	{text: `<call>t a={x:¦,}</call>`, code: ExpectedValue},
	{text: `<call>t a={x:¦</call>`, code: ExpectedValue},

	{text: `<call>t a=["x" ¦"y"]</call>`, code: ExpectedComma},
	{text: `<call>t a=["x" ¦y]</call>`, code: ExpectedComma},
	{text: `<call>t a=[[] ¦1]</call>`, code: ExpectedComma},
	{text: `<call>t a=[x¦}]</call>`, code: ExpectedComma},
	{text: `<call>t a=[x¦</call>`, code: ExpectedComma},
	{text: `<call>t a=[x  ¦</call>`, code: ExpectedComma},
	{text: `<call>t a=["x"¦</call>`, code: ExpectedComma},
	{text: "<call>t a=[x\n¦y]</call>", code: ExpectedComma},
	{text: "<call>t a=[x\n ¦¶<call>u</call>", code: ExpectedComma},
	{text: `<call>t a=["x"¦¶<call>u</call>`, code: ExpectedComma},
	{text: `<call>t a={x:1¦]}</call>`, code: ExpectedComma},
	{text: `<call>t a={x:"1" ¦y:2}</call>`, code: ExpectedComma},
	{text: `<call>t a={x:"1"¦:2}</call>`, code: ExpectedComma},
	{text: "<call>t a={x:1\r¦y:2}</call>", code: ExpectedComma},

	{text: `<call>t a={x¦}</call>`, code: ExpectedColon},
	{text: `<call>t a={x¦=1}</call>`, code: ExpectedColon},
	{text: `<call>t a={x¦.y:1}</call>`, code: ExpectedColon},
	{text: `<call>t a={x ¦y:1}</call>`, code: ExpectedColon},
	{text: `<call>t a={"x" ¦1}</call>`, code: ExpectedColon},
	{text: `<call>t a={x¦</call>`, code: ExpectedColon},
	{text: `<call>t {"x"¦,}</call>`, code: ExpectedColon},

	{text: `<call>t {}¦x</call>`, code: ExpectedClose},
	{text: `<call>t {} ¦a=1</call>`, code: ExpectedClose},
	{text: `<call>t{}¦{}</call>`, code: ExpectedClose},
	{text: `<call>t {}¦¶<call>u</call>`, code: ExpectedClose},

	{text: `<call>t a=x¦¶<call>u</call>`, code: NestedCall},
	{text: `<call>t a=¦¶<call>u</call>`, code: NestedCall},
	{text: `<call>t a=x¦<call></call>`, code: NestedCall},
	{text: `<call>t a=x¦<call>`, code: NestedCall},
	{text: `<call>t a=[¦¶<call>u</call>`, code: NestedCall},
	{text: `<call>t a=[x ¦¶<call>u</call>`, code: NestedCall},
	{text: `<call>t a={x:¦¶<call>u</call>`, code: NestedCall},
	{text: `<call>t a={x:y ¦¶<call>u</call>`, code: NestedCall},

	{text: "<call>¦\x80</call>", code: InvalidUTF8},
	{text: "<call>t¦\xff a=1</call>", code: InvalidUTF8},
	{text: "<call>t\xc3¦ a=1</call>", code: InvalidUTF8},
	{text: "<call>t \xe2\x82¦=1</call>", code: InvalidUTF8},
	{text: "<call>t a=\xed¦\xa0\x80</call>", code: InvalidUTF8},
	{text: "<call>t a=x\xe2¦</call>", code: InvalidUTF8},
	{text: "<call>t a=\"x¦\xc0</call>\" b=1</call>¶ x", code: InvalidUTF8},
	{text: "<call>t a=\"x\xf0\x90¦\" b=\"</call>\"</call>", code: InvalidUTF8},
	{text: "<call>t a=\"\\¦\xff\"</call>", code: InvalidUTF8},
	{text: "<call>t a=[¦\xfe]</call>", code: InvalidUTF8},
	{text: "<call>t a=\"x\"¦\xff</call>", code: InvalidUTF8},
	{text: "<call>t a=\"x\"¦\xc3</call>", code: ExpectedSpace},
	{text: "<call>t {}¦\x80</call>", code: InvalidUTF8},

	{text: `<call>t¦`, code: UnterminatedCall},
	{text: `<call>t ¦`, code: UnterminatedCall},
	{text: `<call>t a¦`, code: UnterminatedCall},
	{text: `<call>t a=1¦`, code: UnterminatedCall},
	{text: `<call>t a="x</call>¦`, code: UnterminatedCall},
	{text: `<call>t a="x\"</call>¦`, code: UnterminatedCall},
	{text: `<call>t a="x\¦`, code: UnterminatedCall},
	{text: `<call>t a=[1¦`, code: UnterminatedCall},
	{text: `<call>t {"a"¦`, code: UnterminatedCall},
	{text: `<call>t {"a":1}¦`, code: UnterminatedCall},
	{text: `<call>t a=b</call¦`, code: UnterminatedCall},
	{text: `<call>t a=b<cal¦`, code: UnterminatedCall},
	{text: `<call>t<¦`, code: UnterminatedCall},
	{text: `<call>t a¦<`, code: ExpectedEquals},   // no tag can be there
	{text: `<call>t a=1 ¦<ca`, code: ExpectedKey}, // nor this one there
	{text: `<call>t a="x"<¦`, code: UnterminatedCall},
	{text: "<call>t a=\xe2\x82¦", code: UnterminatedCall},
	{text: "<call>t a=\"\xe2\x82¦", code: UnterminatedCall},

	{text: `<call>¦t</call>`, code: UnknownTool, options: Options{Known: knowsNothing}},
	{text: `<call> ¦t a=1</call>`, code: UnknownTool, options: Options{Known: knowsNothing}},
	{text: `<call>¦t{}</call>`, code: UnknownTool, options: Options{Known: knowsNothing}},
	{text: `<call>¦t a=[,</call>`, code: UnknownTool, options: Options{Known: knowsNothing}},
	{text: `<call>¦t a="</call>"</call>`, code: UnknownTool, options: Options{Known: knowsNothing}},
	{text: `<call>¦t a=1`, code: UnknownTool, options: Options{Known: knowsNothing}},
	{text: `<call>t¦(</call>`, code: BadName, options: Options{Known: knowsNothing}},
	{text: `<call>t¦`, code: UnterminatedCall, options: Options{Known: knowsNothing}},
	{text: `<call>t</c¦`, code: UnterminatedCall, options: Options{Known: knowsNothing}},
	{text: `<call>¦t`, code: UnknownTool, options: Options{Known: knowsNothing, AcceptAtEnd: true}},

	{text: `<call>t a=1 ¦a=2</call>`, code: DuplicateKey},
	{text: `<call>t a.b=1 c=2 ¦a.b=3</call>`, code: DuplicateKey},
	{text: `<call>t a={x:1, ¦x:2}</call>`, code: DuplicateKey},
	{text: `<call>t a={x:1, ¦"\u0078":2}</call>`, code: DuplicateKey},
	{text: `<call>t {"a":1,¦"a":2}</call>`, code: DuplicateKey},
	{text: `<call>t a=[{},{x:[], ¦'x':1}]</call>`, code: DuplicateKey},
	{text: `<call>t a=1 ¦a="x"y</call>`, code: DuplicateKey},
	{text: `<call>t a=1 a¦</call>`, code: ExpectedEquals},
	{text: `<call>t {"a":1,"a"¦}</call>`, code: ExpectedColon},
	{text: `<call>t a=1 ¦a=</call>`, code: DuplicateKey},
	{text: "<call>t a=1 ¦a=2\xff</call>", code: DuplicateKey},

	{text: `<call>t a=1 ¦a.b=2</call>`, code: PathConflict},
	{text: `<call>t a.b=1 ¦a=2</call>`, code: PathConflict},
	{text: `<call>t a={} ¦a.b=2</call>`, code: PathConflict},
	{text: `<call>t a.b.c=1 ¦a.b=2</call>`, code: PathConflict},
	{text: `<call>t a.b=1 ¦a.b.c.d=2</call>`, code: PathConflict},
}

func TestCodes(t *testing.T) {
	g := standard(t)
	for _, b := range allBroken {
		b.check(t, g)
	}
}

// Every code has a case.
func TestCodesAreCovered(t *testing.T) {
	covered := map[Code]bool{}
	for _, b := range append(allBroken, limited...) {
		covered[b.code] = true
	}
	for _, code := range []Code{
		ExpectedName, BadName, ExpectedKey, ExpectedEquals, ExpectedSpace,
		ExpectedValue, ExpectedComma, ExpectedColon, ExpectedClose,
		NestedCall, InvalidUTF8, UnterminatedCall, UnknownTool, DuplicateKey,
		PathConflict, CallTooLong, NameTooLong, TooDeep, TooManyArguments,
	} {
		if !covered[code] {
			t.Errorf("%s has no case", code)
		}
	}
}
