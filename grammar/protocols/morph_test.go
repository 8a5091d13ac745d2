package protocols_test

import (
	"testing"

	"github.com/callwire/callwire/grammar"
	"github.com/callwire/callwire/grammar/protocols"
)

func TestMorphXML(t *testing.T) {
	o := grammar.Options{
		Known: func(name string) bool { return name == "t" },
		Text:  func(_, argument string) bool { return argument == "s" },
	}
	for _, tt := range []struct{ text, want string }{
		{"a <b> <t/><t ></t>", `text [0,6); t {} [6,10); t {} [10,18)`},
		{"<t><k>1</k><k>a</k><o><x/><y>2</y></o></t>", `t {"k":[1,"a"],"o":{"x":"","y":2}} [0,42)`},
		{"<t><k><item>a</item> <item/></k></t>", `t {"k":["a",""]} [0,36)`},
		{"<t><s>a</s> &amp; <![CDATA[</s></t>]]></s></t>", `t {"s":"a</s> & </s></t>"} [0,46) ambiguous-text@6`},
		{"<t><!-- </t> --><k>a<!-- x -->b</k></t>", `t {"k":"ab"} [0,39)`},
		{"<t><k>a<b/></k></t>", `t {"k":"a<b/>"} [0,19) ambiguous-text@6`},
		{"<t>x</t>", `expected-key@3 [0,8) true`},
		{"<t><k a='1'></k></t>", `expected-equals@6 [0,20) true`},
		{"<t><k>1</j></t>", `expected-close@7 [0,15) true`},
		{"<t><s>1</s><s>2</s></t>", `duplicate-key@12 [0,23) true`},
		{"<t><k><a/><b/><a/></k></j></t>", `duplicate-key@15 [0,30) true`},
		{"<t><k>1", `unterminated-call@7 [0,7) false`},
	} {
		if got := show(protocols.ByName("morph-xml").Read(tt.text, o)); got != tt.want {
			t.Errorf("%q\ngot  %s\nwant %s", tt.text, got, tt.want)
		}
	}
}
