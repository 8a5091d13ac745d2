package lexer_test

import "testing"

func TestArray(t *testing.T) {
	checkBody(t, []rule{
		{"an empty array", "t a=[]", "Name(t) _ Key(a) = [ ]"},
		{"an empty array with whitespace", "t a=[ \n]", "Name(t) _ Key(a) = [ _ ]"},
		{"JSON items", `t a=[1, "x",true,null]`, `Name(t) _ Key(a) = [ Bare(1) , _ String("x") , Bare(true) , Bare(null) ]`},
		{"whitespace anywhere", "t a=[ 1 ,\n2\t]", "Name(t) _ Key(a) = [ _ Bare(1) _ , _ Bare(2) _ ]"},
		{"arrays in arrays", "t a=[[1],[[]]]", "Name(t) _ Key(a) = [ [ Bare(1) ] , [ [ ] ] ]"},
		{"one trailing comma", "t a=[1,]", "Name(t) _ Key(a) = [ Bare(1) , ]"},
		{"single-quoted items", "t a=['x', 'y']", "Name(t) _ Key(a) = [ String('x') , _ String('y') ]"},
		{"an array, then an argument", "t a=[1] b=2", "Name(t) _ Key(a) = [ Bare(1) ] _ Key(b) = Bare(2)"},
	})
}

func TestBareItem(t *testing.T) {
	checkBody(t, []rule{
		{"an item may hold blanks", "t a=[red, New York]", "Name(t) _ Key(a) = [ Bare(red) , _ Bare(New York) ]"},
		{"blanks at its end are none of it", "t a=[New York \t, x]", "Name(t) _ Key(a) = [ Bare(New York) _ , _ Bare(x) ]"},
		{"a line end ends it", "t a=[New York\n, x\r]", "Name(t) _ Key(a) = [ Bare(New York) _ , _ Bare(x) _ ]"},
		{"a brace ends it in an array", "t a=[{k:x}]", "Name(t) _ Key(a) = [ { Key(k) : Bare(x) } ]"},
		{"an item may hold quotes", `t a=[it's, "x", a"b"]`, `Name(t) _ Key(a) = [ Bare(it's) , _ String("x") , _ Bare(a"b") ]`},
		{"an item may hold opening brackets, = and :", "t a=[a[0, b{1, c=d:e]", "Name(t) _ Key(a) = [ Bare(a[0) , _ Bare(b{1) , _ Bare(c=d:e) ]"},
		{"an item may hold <", "t a=[a<b, </cal]", "Name(t) _ Key(a) = [ Bare(a<b) , _ Bare(</cal) ]"},
		{"an item may hold runes", "t a=[é, 😀 ]", "Name(t) _ Key(a) = [ Bare(é) , _ Bare(😀) _ ]"},
	})
}

func TestObject(t *testing.T) {
	checkBody(t, []rule{
		{"an empty object", "t a={}", "Name(t) _ Key(a) = { }"},
		{"JSON members", `t a={"k":1,"l":"x"}`, `Name(t) _ Key(a) = { String("k")+MemberKey : Bare(1) , String("l")+MemberKey : String("x") }`},
		{"whitespace anywhere", `t a={ "k" : 1 , "l":2 }`, `Name(t) _ Key(a) = { _ String("k")+MemberKey _ : _ Bare(1) _ , _ String("l")+MemberKey : Bare(2) _ }`},
		{"bare keys", "t a={k: v, $l-2:w}", "Name(t) _ Key(a) = { Key(k) : _ Bare(v) , _ Key($l-2) : Bare(w) }"},
		{"single-quoted keys", "t a={'k':1}", "Name(t) _ Key(a) = { String('k')+MemberKey : Bare(1) }"},
		{"a bare value runs to the comma", "t a={a:1 b:2}", "Name(t) _ Key(a) = { Key(a) : Bare(1 b:2) }"},
		{"one trailing comma", "t a={k:1,}", "Name(t) _ Key(a) = { Key(k) : Bare(1) , }"},
		{"a quoted key with an escape", `t a={"\u006b":1}`, `Name(t) _ Key(a) = { String("\u006b")+MemberKey+Escaped : Bare(1) }`},
		{"objects in arrays in objects", "t a={k:[{l:[]}]}", "Name(t) _ Key(a) = { Key(k) : [ { Key(l) : [ ] } ] }"},
	})
}
