package sig

import "testing"

func TestMembers(t *testing.T) {
	got, _ := compileProperty(t, `{"enum":["a\u00e9\"","1",1.0,-2.50,true,null,{"k" : [1, 2]},[ ]]}`)
	for i, want := range []struct {
		Kind Kinds
		JSON []byte
		Text string
	}{
		{String, []byte(`"a\u00e9\""`), `aé"`},
		{String, []byte(`"1"`), `1`},
		{Integer, []byte(`1.0`), `1.0`},
		{Number, []byte(`-2.50`), `-2.50`},
		{Boolean, []byte(`true`), `true`},
		{Null, []byte(`null`), `null`},
		{Object, []byte(`{"k":[1,2]}`), `{"k":[1,2]}`},
		{Array, []byte(`[]`), `[]`},
	} {
		m := got.Enum[i]
		if m.Kind != want.Kind || string(m.JSON) != string(want.JSON) || m.Text != want.Text {
			t.Errorf("%d: %v %s %q", i, m.Kind, m.JSON, m.Text)
		}
	}
	for _, c := range []struct {
		kind Kinds
		text string
		want int // index, -1 for none
	}{
		{String, `aé"`, 0}, {String, `b`, -1}, {String, `1`, 1}, {String, `1.0`, -1},
		{Integer, `1`, 2}, {Number, `1`, 2}, {Integer, `10e-1`, 2}, {Integer, `2`, -1}, {Number, `-25E-1`, 3},
		{Boolean, `true`, 4}, {Boolean, `false`, -1}, {Null, `null`, 5}, {String, `null`, -1},
		{Object, `{"k":[1,2]}`, 6}, {Array, `[]`, 7}, {Object, `[]`, -1}, {Array, `{"k":[1,2]}`, -1},
		{Object, ` { "\u006b" : [ 1.0 , 20e-1 ] } `, 6}, {Object, `{"\u006b":[1,2]}`, 6}, {Object, `{"k":[2,1]}`, -1}, {Object, `{"k":[1,2],"l":1}`, -1},
		// Text that is not JSON is not a member.
		{Number, ``, -1}, {Number, `-`, -1}, {Integer, `1.`, -1}, {Array, ``, -1}, {Array, `[`, -1}, {Array, `]`, -1}, {Array, `1`, -1}, {Object, `{"`, -1}, {Object, `{"\`, -1}, {Array, `[é]`, -1}, {Array, `[[]]`, -1}, {Object, `{}`, -1},
	} {
		m := got.Member(c.kind, []byte(c.text))
		if c.want < 0 && m != nil || c.want >= 0 && m != &got.Enum[c.want] {
			t.Errorf("%v %s: got %v", c.kind, c.text, m)
		}
	}
	if (*Type)(nil).Member(String, []byte("a")) != nil {
		t.Error("a nil type has a member")
	}
	text := []byte("10e-1")
	if n := testing.AllocsPerRun(100, func() { got.Member(Integer, text) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
