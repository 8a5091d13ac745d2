package bnf

import "testing"

func TestCharset(t *testing.T) {
	for _, c := range []struct {
		set  Charset
		want string
	}{
		{Chars("a"), "[a]"}, {Between('a', 'c'), "[a-c]"}, {Chars("ab"), "[ab]"}, {Chars("^-]\\[\""), `[\u0022\u002d\u005b-\u005e]`}, {Chars("\x00\n~"), `[\u0000\u000a~]`},
		{Anything.Without(Chars("<")), "[^<]"}, {Anything.Without(Between(0, 0x1f)), `[^\u0000-\u001f]`}, {Charset{high: true}, `[^\u0000-\u007f]`},
	} {
		if got := string(appendClass(nil, c.set)); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
		for r := range rune(0x82) {
			if in := c.set.Has(byte(r&0x7f)) && r < 0x80 || r >= 0x80 && c.set.high; c.set.Contains(r) != in {
				t.Errorf("%s: %U", c.want, r)
			}
		}
	}
	if c, ok := Chars("x").single(); !ok || c != 'x' {
		t.Error(c, ok)
	}
	if _, ok := (Charset{high: true}).single(); ok {
		t.Error("the set of all other characters is a single one")
	}
}
