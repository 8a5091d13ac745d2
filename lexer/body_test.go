package lexer_test

import "testing"

func TestName(t *testing.T) {
	checkBody(t, []rule{
		{"letters, digits and joiners", "a-Z_9.x/y:z", "Name(a-Z_9.x/y:z)"},
		{"an underscore begins a name", "_t", "Name(_t)"},
		{"a dollar begins a name", "$t", "Name($t)"},
		{"an at sign begins a name", "@t/x", "Name(@t/x)"},
		{"letters beyond ASCII are name bytes", "über.ähnlich", "Name(über.ähnlich)"},
		{"whitespace may follow", "t \n", "Name(t) _"},
		{"a brace may follow", `t{}`, "Name(t) { }"},
	})
}

func TestPath(t *testing.T) {
	checkBody(t, []rule{
		{"a key and a value", "t a=1", "Name(t) _ Key(a) = Bare(1)"},
		{"arguments are separated by whitespace of any kind", "t a=1\n\tb=2 \r\nc=3", "Name(t) _ Key(a) = Bare(1) _ Key(b) = Bare(2) _ Key(c) = Bare(3)"},
		{"dots nest", "t a.b.c=1", "Name(t) _ Key(a) . Key(b) . Key(c) = Bare(1)"},
		{"a key may hold - $ @ : / and digits", "t 0-a$@:/=1", "Name(t) _ Key(0-a$@:/) = Bare(1)"},
		{"a key may hold letters beyond ASCII", "t größe.é=1", "Name(t) _ Key(größe) . Key(é) = Bare(1)"},
		{"a key may hold a backslash and parentheses", `t a\(b)=1`, `Name(t) _ Key(a\(b)) = Bare(1)`},
		{"nothing after = is the empty word", "t a= b=1", "Name(t) _ Key(a) = Bare() _ Key(b) = Bare(1)"},
		{"nothing after = before the close tag too", "t a=", "Name(t) _ Key(a) = Bare()"},
	})
}

func TestBareWord(t *testing.T) {
	checkBody(t, []rule{
		{"a word ends at whitespace", "t a=x\tb=y", "Name(t) _ Key(a) = Bare(x) _ Key(b) = Bare(y)"},
		{"a word ends at the close tag", "t a=x", "Name(t) _ Key(a) = Bare(x)"},
		{"a word may hold = and brackets", "t a=x=[{y}],z", "Name(t) _ Key(a) = Bare(x=[{y}],z)"},
		{"a word may hold <", "t a=a<b</cal", "Name(t) _ Key(a) = Bare(a<b</cal)"},
		{"a word has no escapes", `t a=C:\n\"x"`, `Name(t) _ Key(a) = Bare(C:\n\"x")`},
		{"an apostrophe is ordinary", "t a=O'Brien", "Name(t) _ Key(a) = Bare(O'Brien)"},
		{"a word may hold controls", "t a=x\x00y", "Name(t) _ Key(a) = Bare(x\x00y)"},
		{"a word may hold runes", "t a=é😀", "Name(t) _ Key(a) = Bare(é😀)"},
	})
}

// A word that holds half a pair of quotes looks like a quoted string that lost
// its beginning.
func TestOpenQuote(t *testing.T) {
	checkBody(t, []rule{
		{"one double quote", `t a=x"`, `Name(t) _ Key(a) = Bare(x")+Opened`},
		{"two double quotes", `t a=x"y"`, `Name(t) _ Key(a) = Bare(x"y")`},
		{"three double quotes", `t a=r"a"b"`, `Name(t) _ Key(a) = Bare(r"a"b")+Opened`},
		{"one single quote after a letter", `t a=x'`, `Name(t) _ Key(a) = Bare(x')`},
		{"one single quote after =", `t a=='x`, `Name(t) _ Key(a) = Bare(='x)+Opened`},
		{"one single quote after a parenthesis", `t a=f('x`, `Name(t) _ Key(a) = Bare(f('x)+Opened`},
		{"one single quote after a colon", `t a=f:'x`, `Name(t) _ Key(a) = Bare(f:'x)+Opened`},
		{"one single quote after a comma", `t a=f,'x`, `Name(t) _ Key(a) = Bare(f,'x)+Opened`},
		{"two single quotes after =", `t a=='x'`, `Name(t) _ Key(a) = Bare(='x')`},
		{"one double quote in an item", `t a=[r"x]`, `Name(t) _ Key(a) = [ Bare(r"x)+Opened ]`},
		{"a word does not count the quotes of the one before", `t a=x" b=y"`, `Name(t) _ Key(a) = Bare(x")+Opened _ Key(b) = Bare(y")+Opened`},
		{"nor does an item", `t a=[x",y]`, `Name(t) _ Key(a) = [ Bare(x")+Opened , Bare(y) ]`},
	})
}

func TestJSONBody(t *testing.T) {
	checkBody(t, []rule{
		{"an empty object", "t {}", "Name(t) _ { }"},
		{"whitespace around it", "t\n{ }\n", "Name(t) _ { _ } _"},
		{"members", `t {"a":1,"b":{"c":[]}}`, `Name(t) _ { String("a")+MemberKey : Bare(1) , String("b")+MemberKey : { String("c")+MemberKey : [ ] } }`},
	})
}
