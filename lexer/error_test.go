package lexer_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/callwire/callwire/lexer"
)

// faults are malformed calls. The mark ¦ stands before the byte where the fault
// is, ¶ at the end of the damage where that is not the end of the text. Limits
// are in limits_test.go, what is of meaning in package parse.
var faults = []struct {
	code lexer.Code
	name string
	text string
}{
	{lexer.ExpectedName, "an envelope", `<call>¦{"name":"t"}</call>`},
	{lexer.ExpectedName, "an array after whitespace", `<call> ¦[1]</call>¶ x`},

	{lexer.BadName, "a parenthesis", `<call>t¦(a=1)</call>`},
	{lexer.BadName, "a bracket", `<call>t¦[1]</call>`},
	{lexer.BadName, "an equals sign", `<call>t¦=1</call>`},
	{lexer.BadName, "a quote", `<call>t¦"a"</call>`},
	{lexer.BadName, "a comma", `<call>t¦, a=1</call>`},
	{lexer.BadName, "a control", "<call>t¦\x00</call>"},
	{lexer.BadName, "no close tag", `<call>t¦</cal></call>`},
	{lexer.BadName, "an opener", `<call>t¦¶<call>u</call>`},
	{lexer.BadName, "a long name", `<call>a-very_long.name/of:a-tool¦!</call>`},

	{lexer.ExpectedKey, "an equals sign", `<call>t ¦=1</call>`},
	{lexer.ExpectedKey, "a quoted key", `<call>t ¦"a"=1</call>`},
	{lexer.ExpectedKey, "a leading dot", `<call>t ¦.a=1</call>`},
	{lexer.ExpectedKey, "a comma between arguments", `<call>t a=x ¦,b=2</call>`},
	{lexer.ExpectedKey, "a trailing dot", `<call>t a.¦=1</call>`},
	{lexer.ExpectedKey, "two dots", `<call>t a.¦.b=1</call>`},
	{lexer.ExpectedKey, "a dot before whitespace", `<call>t a.¦ b=1</call>`},
	{lexer.ExpectedKey, "a dot before the close tag", `<call>t a.¦</call>`},
	{lexer.ExpectedKey, "an object after an argument", `<call>t a=1 ¦{"b":2}</call>`},
	{lexer.ExpectedKey, "a control", "<call>t ¦\x01a=1</call>"},
	{lexer.ExpectedKey, "an opener", `<call>t a=1 ¦¶<call>u</call>`},
	{lexer.ExpectedKey, "a number as a key of an object is one, a bracket is not", `<call>t a={1:x,¦[:2}</call>`},
	{lexer.ExpectedKey, "two commas in an object", `<call>t a={k:1,¦,}</call>`},
	{lexer.ExpectedKey, "a colon in an object", `<call>t a={¦:1}</call>`},
	{lexer.ExpectedKey, "the close tag in an object", `<call>t a={¦</call>`},

	{lexer.ExpectedEquals, "whitespace before =", `<call>t a¦ = 1</call>`},
	{lexer.ExpectedEquals, "a word alone", `<call>t a¦</call>`},
	{lexer.ExpectedEquals, "a comma", `<call>t a=1 b¦,c=2</call>`},
	{lexer.ExpectedEquals, "a bracket", `<call>t a¦[0]=1</call>`},
	{lexer.ExpectedEquals, "a quote", `<call>t a¦"=1</call>`},
	{lexer.ExpectedEquals, "a half tag", `<call>t a¦</cal></call>`},
	{lexer.ExpectedEquals, "a second path segment", `<call>t a.b¦ c=1</call>`},

	{lexer.ExpectedSpace, "a word after a string", `<call>t a="x"¦y</call>`},
	{lexer.ExpectedSpace, "a string after a string", `<call>t a="x"¦"y"</call>`},
	{lexer.ExpectedSpace, "an unescaped inner quote", `<call>t a="say "¦hi" now"</call>`},
	{lexer.ExpectedSpace, "a comma after an array", `<call>t a=[1]¦, b=2</call>`},
	{lexer.ExpectedSpace, "a brace after an object", `<call>t a={k:1}¦}</call>`},
	{lexer.ExpectedSpace, "an opener", `<call>t a="x"¦¶<call>u</call>`},

	{lexer.ExpectedValue, "a comma that begins an array", `<call>t a=[¦,1]</call>`},
	{lexer.ExpectedValue, "two commas", `<call>t a=[1,¦,2]</call>`},
	{lexer.ExpectedValue, "a brace in an array", `<call>t a=[¦}]</call>`},
	{lexer.ExpectedValue, "a member without a value", `<call>t a={k:¦}</call>`},
	{lexer.ExpectedValue, "a comma after a colon", `<call>t a={k: ¦,l:1}</call>`},
	{lexer.ExpectedValue, "the close tag in an array", `<call>t a=[¦</call>`},

	{lexer.ExpectedComma, "two strings", `<call>t a=["x" ¦"y"]</call>`},
	{lexer.ExpectedComma, "the wrong bracket", `<call>t a=[1¦}</call>`},
	{lexer.ExpectedComma, "the wrong brace", `<call>t a={k:1¦]</call>`},
	{lexer.ExpectedComma, "the close tag after an item", `<call>t a=[1¦</call>`},
	{lexer.ExpectedComma, "a line end after an item", "<call>t a=[1\n¦2]</call>"},
	{lexer.ExpectedComma, "a word after a string", `<call>t a=["x"¦y]</call>`},
	{lexer.ExpectedComma, "a word after an array", `<call>t a=[[1] ¦x]</call>`},

	{lexer.ExpectedColon, "a comma", `<call>t a={k¦,l:1}</call>`},
	{lexer.ExpectedColon, "an equals sign", `<call>t a={k¦=1}</call>`},
	{lexer.ExpectedColon, "a dotted key", `<call>t a={k¦.l:1}</call>`},
	{lexer.ExpectedColon, "a closing brace", `<call>t {"a"¦}</call>`},
	{lexer.ExpectedColon, "whitespace and no colon", `<call>t {"a" ¦1}</call>`},
	{lexer.ExpectedColon, "the close tag", `<call>t a={k¦</call>`},

	{lexer.ExpectedClose, "an argument after a JSON body", `<call>t {"a":1} ¦b=2</call>`},
	{lexer.ExpectedClose, "a second object", `<call>t {}¦{}</call>`},
	{lexer.ExpectedClose, "a brace too many", `<call>t {"a":1}¦}</call>`},
	{lexer.ExpectedClose, "an opener", `<call>t {} ¦¶<call>u</call>`},

	{lexer.NestedCall, "an opener in a bare word", `<call>t a=x¦¶<call>u</call>`},
	{lexer.NestedCall, "an opener that begins a bare word", `<call>t a=¦¶<call>u</call>`},
	{lexer.NestedCall, "an opener in an item", `<call>t a=[x ¦¶<call>u</call>`},
	{lexer.NestedCall, "an opener without a call in a bare word", `<call>t a=x¦<call></call>`},

	{lexer.InvalidUTF8, "a continuation alone", "<call>t a=¦\x80</call>"},
	{lexer.InvalidUTF8, "a byte that begins nothing", "<call>t a=x¦\xff</call>"},
	{lexer.InvalidUTF8, "an overlong form", "<call>t a=¦\xc0\x80</call>"},
	{lexer.InvalidUTF8, "a surrogate", "<call>t a=\xed¦\xa0\x80</call>"},
	{lexer.InvalidUTF8, "beyond the last code point", "<call>t a=\xf4¦\x90\x80\x80</call>"},
	{lexer.InvalidUTF8, "a rune that breaks off", "<call>t a=\xe2\x82¦</call>"},
	{lexer.InvalidUTF8, "in a name", "<call>t\xc3¦ </call>"},
	{lexer.InvalidUTF8, "in a key", "<call>t k\xc3¦=1</call>"},
	{lexer.InvalidUTF8, "in a string", "<call>t a=\"é\xe2¦x</call>\"</call>"},
	{lexer.InvalidUTF8, "in a quoted key", "<call>t {\"¦\xff\":1}</call>"},
	{lexer.InvalidUTF8, "in an item", "<call>t a=[x\xc3¦]</call>"},
	{lexer.InvalidUTF8, "in a member's key", "<call>t a={\xc3¦:1}</call>"},
	{lexer.InvalidUTF8, "before a backslash", "<call>t a=\"\xc3¦\\n\"</call>"},
	{lexer.InvalidUTF8, "where the syntax refuses any byte", "<call>t a=\"x\"¦\xff</call>"},

	{lexer.Unterminated, "at the end of input", `<call>t a="x¦`},
}

// place reads the marks of a text: where the fault is, and where the damage
// ends.
func place(marked string) (text string, at, end int) {
	before, after, _ := strings.Cut(marked, "¦")
	after, rest, _ := strings.Cut(after, "¶")
	return before + after + rest, len(before), len(before) + len(after)
}

func TestFaults(t *testing.T) {
	for _, f := range faults {
		t.Run(fmt.Sprintf("%s/%s", f.code, f.name), func(t *testing.T) {
			text, at, end := place(f.text)
			everySplit(text, func(chunks ...string) {
				checkFault(t, lexer.Config{}, chunks, f.code, at, end)
			})
		})
	}
}

// checkFault reads chunks, which must be malformed once, from the beginning to
// offset end, with code at offset at.
func checkFault(t *testing.T, c lexer.Config, chunks []string, code lexer.Code, at, end int) {
	t.Helper()
	got := read(t, c, chunks...)
	for i, p := range got {
		if p.Kind != lexer.Fault {
			continue
		}
		for i++; i < len(got) && got[i].Kind == lexer.Damage; i++ {
		}
		if p.code != code || p.fault != at || got[i].End != end {
			t.Errorf("chunks %q: %s@%d, damage ends at %d; want %s@%d, %d", chunks, p.code, p.fault, got[i].End, code, at, end)
		}
		closed := strings.HasSuffix(strings.Join(chunks, "")[:end], c.Delims.OrDefault().Close)
		if closed != (got[i].Kind == lexer.Close) {
			t.Errorf("chunks %q: damage ends with %v", chunks, got[i].Kind)
		}
		return
	}
	t.Errorf("chunks %q: no fault in %s", chunks, show(got))
}

// Every code of the lexer is in the tables of tests.
func TestFaultsAreAll(t *testing.T) {
	seen := map[lexer.Code]bool{}
	for _, f := range faults {
		seen[f.code] = true
	}
	for _, code := range []lexer.Code{
		lexer.ExpectedName, lexer.BadName, lexer.ExpectedKey, lexer.ExpectedEquals, lexer.ExpectedSpace,
		lexer.ExpectedValue, lexer.ExpectedComma, lexer.ExpectedColon, lexer.ExpectedClose,
		lexer.NestedCall, lexer.InvalidUTF8, lexer.Unterminated,
	} {
		if !seen[code] {
			t.Errorf("no fault of the table is %s", code)
		}
	}
}

// The codes are stable: other programs compare them.
func TestCodes(t *testing.T) {
	want := strings.Fields(`
		expected-name bad-name expected-key expected-equals expected-space expected-value
		expected-comma expected-colon expected-close nested-call invalid-utf8 unterminated-call
		unknown-tool duplicate-key path-conflict
		call-too-long name-too-long too-deep too-many-arguments after-malformed
		type-mismatch not-in-enum coerced ambiguous-escape open-quote ambiguous-text unknown-argument missing-argument
		wrong-opener in-code repaired doubtful unwritable-value
		invalid-json invalid-yaml not-an-object unpaired-surrogate`)
	var got []string
	for _, c := range lexer.Codes() {
		got = append(got, string(c.Code))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// The table of codes says of each what was expected and how to mend it, and an
// error says both, with what was found and where.
func TestMessages(t *testing.T) {
	codes := lexer.Codes()
	seen := map[lexer.Code]bool{}
	for _, c := range codes {
		if c.At == "" || c.Expected == "" || c.Fix == "" || seen[c.Code] {
			t.Errorf("row %+v", c)
		}
		seen[c.Code] = true
		for _, r := range string(c.Code) {
			if r != '-' && r != '8' && (r < 'a' || r > 'z') {
				t.Errorf("code %q is not of lower-case words", c.Code)
			}
		}
		err := error(&lexer.Error{Code: c.Code, Offset: 4711, Path: "a.b[0]", Tool: "someTool", Found: "<fou\nnd>"})
		for _, part := range []string{string(c.Code), c.Expected, c.Fix, "4711", "a.b[0]", "someTool", `<fou\nnd>`} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%q says nothing of %q", err, part)
			}
		}
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("%q is more than one line", err)
		}
		var typed *lexer.Error
		if !errors.As(fmt.Errorf("wrapped: %w", err), &typed) || typed.Code != c.Code {
			t.Errorf("%s: errors.As finds %v", c.Code, typed)
		}
	}
	codes[0].Expected = ""
	if lexer.Codes()[0].Expected == "" {
		t.Error("the table belongs to its callers")
	}
}

// What is not known is left out of a message.
func TestShortMessage(t *testing.T) {
	short := (&lexer.Error{Code: lexer.BadName, Offset: 7}).Error()
	for _, part := range []string{`""`, "argument"} {
		if strings.Contains(short, part) {
			t.Errorf("%q holds %q", short, part)
		}
	}
}

// What stands beyond the limit on bytes is not kept; it is not the end.
func TestMessageBeyondTheLimit(t *testing.T) {
	for code, end := range map[lexer.Code]bool{lexer.CallTooLong: false, lexer.Unterminated: true} {
		if m := (&lexer.Error{Code: code}).Error(); strings.Contains(m, "found the end") != end {
			t.Errorf("%q", m)
		}
	}
}

func TestExcerpt(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"twelve bytes are all of it", "0123456789ab", "0123456789ab"},
		{"more are cut", "0123456789abc", "0123456789ab"},
		{"a rune that fits is whole", "0123456789éx", "0123456789é"},
		{"a rune that does not is left out", "0123456789a😀x", "0123456789a"},
		{"a longer rune too", "012345678😀x", "012345678"},
		{"what is no UTF-8 is cut anywhere", strings.Repeat("\x80", 20), strings.Repeat("\x80", 8)},
	} {
		got := lexer.Excerpt([]byte(c.text))
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
		if utf8.ValidString(c.text) && !utf8.ValidString(got) {
			t.Errorf("%s: %q is cut inside a rune", c.name, got)
		}
	}
}

// Faults under tags that begin with what means something else.
func TestFaultsByOtherTags(t *testing.T) {
	for _, c := range []struct {
		name       string
		open, done string
		code       lexer.Code
		text       string
	}{
		{"no opener can stand after a JSON body, not even half of one", "(t", ")t", lexer.ExpectedClose, "(tt {}¦("},
		{"half a close tag can", "(t", ")t", lexer.Unterminated, "(tt {})¦"},
		{"half an opener can be a key", "(t", ")t", lexer.Unterminated, "(tt a=1 (¦"},
		{"a colon ends a key, though a tag begins with it", ":c", ":/c", lexer.ExpectedColon, ":ct {a¦}:/c"},
		{"a colon after a key is one, though a tag begins with it", ":c", ":/c", lexer.NestedCall, ":ct {a::¦¶:cu:/c"},
		{"a colon begins no member, though a tag begins with it", ":c", ":/c", lexer.ExpectedKey, ":ct {¦:"},
		{"the end of an opener without a call can begin the close tag", "_@$", "$$", lexer.BadName, "_@$t¦(_@$$"},
		{"the opener ends a name", "@c", "@/c", lexer.BadName, "@ct¦¶@cu@/c"},
		{"the opener ends a key", "@c", "@/c", lexer.ExpectedEquals, "@ct k¦¶@cu@/c"},
		{"the close tag ends a key", "@c", "@/c", lexer.ExpectedEquals, "@ct k¦@/c"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, at, end := place(c.text)
			config := lexer.Config{Delims: lexer.Delims{Open: c.open, Close: c.done}}
			everySplit(text, func(chunks ...string) {
				checkFault(t, config, chunks, c.code, at, end)
			})
		})
	}
}

// The message of an error hides nothing of what it repeats.
func TestErrorIsVisible(t *testing.T) {
	const hidden = "a\u202e\u2028\u0085\x1b"
	for _, c := range []struct{ path, want string }{{"a.b[0].é", "argument a.b[0].é:"}, {hidden, `argument "a\u202e\u2028\u0085\x1b":`}, {`a"b`, `argument "a\"b":`}} {
		e := &lexer.Error{Code: lexer.TypeMismatch, Path: c.path, Tool: hidden, Found: hidden}
		if got := e.Error(); !strings.Contains(got, c.want) || strings.ContainsAny(got, "\u202e\u2028\u0085\x1b") {
			t.Errorf("%q: %q", c.path, got)
		}
	}
}
