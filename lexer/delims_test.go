package lexer_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/callwire/callwire/lexer"
)

// What is legal in a tag, rule by rule. Each rule is asked of either tag.
func TestDelims(t *testing.T) {
	for _, c := range []struct {
		rule, tag string
		legal     bool
	}{
		{"two bytes are enough", "<t", true},
		{"one byte is not", "<", false},
		{"none is not", "", false},
		{"32 bytes fit", "<" + strings.Repeat("t", 31), true},
		{"33 do not", "<" + strings.Repeat("t", 32), false},
		{"printable ASCII", "<!~", true},
		{"no letter beyond ASCII", "<é>", false},
		{"no byte beyond ASCII", "<\xff>", false},
		{"no control", "<\x01>", false},
		{"no delete", "<\x7f>", false},
		{"no blank", "<a b>", false},
		{"no tab", "<a\t>", false},
		{"no line end", "<a\n", false},
		{"digits and quotes later on", `<1"'\=[]{}.,`, true},
		{"no letter first", "call>", false},
		{"no capital first", "Call>", false},
		{"no digit first", "1>", false},
	} {
		checkDelims(t, c.rule, c.tag, c.legal)
	}
	for b := byte('!'); b < 0x7f; b++ {
		alnum := '0' <= b && b <= '9' || 'A' <= b && b <= 'Z' || 'a' <= b && b <= 'z'
		legal := !alnum && !strings.ContainsRune(`"'\=[]{}.,`, rune(b))
		checkDelims(t, "first byte", string(b)+"t1", legal)
	}
}

func checkDelims(t *testing.T, rule, tag string, legal bool) {
	t.Helper()
	for _, d := range []lexer.Delims{{Open: tag, Close: "|!|"}, {Open: "|!|", Close: tag}} {
		err := d.Validate()
		if legal != (err == nil) {
			t.Errorf("%s: %+v: %v", rule, d, err)
		}
		var typed *lexer.DelimsError
		if err != nil && (!errors.As(err, &typed) || typed.Delims != d || typed.Tag != tag || typed.Reason == "") {
			t.Errorf("%s: %v", rule, err)
		}
	}
}

func TestDelimsMeet(t *testing.T) {
	for _, c := range []struct {
		rule        string
		open, close string
		legal       bool
	}{
		{"the default tags", "<call>", "</call>", true},
		{"one tag alone", "<call>", "<call>", false},
		{"the close tag begins with the opener", "<c", "<c>", false},
		{"the opener begins with the close tag", "<c>", "<c", false},
		{"one ends with the other", "<<c>", "<c>", false},
		{"one is inside the other", "<!<c>!>", "<c>", false},
		{"a common beginning is none", "<call>", "<calm>", true},
		{"a tag that overlaps itself", "<<", ">>", true},
		{"an opener that overlaps itself, and a letter follows", "|call|", "|end|", false},
		{"and an underscore follows", "__", "_/", false},
		{"and a dollar follows", "$$", "##", false},
		{"and an at sign follows", "@@@", "##", false},
		{"and a brace follows", "|{|", "|}|", false},
		{"and a bracket follows", "|[|", "|]|", false},
		{"and a letter follows a longer overlap", "<(x<(", "</x>", false},
		{"and a digit follows", "|1|", "|2|", true},
		{"and a minus follows", "--", "-/", true},
		{"a close tag may overlap itself", "<call>", "|end|", true},
		{"a letter after what is no overlap", "|ca", "|/ca", true},
	} {
		if err := (lexer.Delims{Open: c.open, Close: c.close}).Validate(); c.legal != (err == nil) {
			t.Errorf("%s: %v", c.rule, err)
		}
	}
}

func TestDelimsOrDefault(t *testing.T) {
	if got := (lexer.Delims{}).OrDefault(); got != lexer.DefaultDelims {
		t.Errorf("no tags are %+v", got)
	}
	half := lexer.Delims{Open: "<t>"}
	if got := half.OrDefault(); got != half {
		t.Errorf("half a pair is %+v", got)
	}
	if _, err := lexer.New(lexer.Config{Delims: half}); err == nil {
		t.Error("half a pair is taken")
	}
}

// A lexer reads under the tags of the last Reset: text, if these are not legal.
func TestResetOfTags(t *testing.T) {
	l, err := lexer.New(lexer.Config{Delims: lexer.Delims{Open: "((", Close: "))"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		open, close string
		want        lexer.Kind
	}{{"x", "y", lexer.Text}, {"((", "))", lexer.Open}, {"", "", lexer.Text}} {
		err := l.Reset(lexer.Config{Delims: lexer.Delims{Open: c.open, Close: c.close}})
		if (err != nil) != (c.open == "x") {
			t.Errorf("%q: %v", c.open, err)
		}
		l.Feed([]byte("((t))"))
		if k := l.Tokens()[0]; k.Kind != c.want {
			t.Errorf("%q: got %v", c.open, k.Kind)
		}
	}
}
