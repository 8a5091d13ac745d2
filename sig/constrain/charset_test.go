package constrain

import "testing"

func TestCharset(t *testing.T) {
	for _, c := range []struct {
		set  charset
		want string
	}{
		{chars("a"), "[a]"}, {between('a', 'c'), "[a-c]"}, {chars("ab"), "[ab]"}, {chars("^-]\\[\""), `[\u0022\u002d\u005b-\u005e]`}, {chars("\x00\n~"), `[\u0000\u000a~]`},
		{anything.without(chars("<")), "[^<]"}, {anything.without(between(0, 0x1f)), `[^\u0000-\u001f]`}, {charset{high: true}, `[^\u0000-\u007f]`},
	} {
		if got := string(appendClass(nil, c.set)); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
		for r := range rune(0x82) {
			if in := c.set.has(byte(r&0x7f)) && r < 0x80 || r >= 0x80 && c.set.high; c.set.contains(r) != in {
				t.Errorf("%s: %U", c.want, r)
			}
		}
	}
	if c, ok := chars("x").single(); !ok || c != 'x' {
		t.Error(c, ok)
	}
	if _, ok := (charset{high: true}).single(); ok {
		t.Error("the set of all other characters is a single one")
	}
}
