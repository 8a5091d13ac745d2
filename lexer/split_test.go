package lexer

import (
	"fmt"
	"testing"
)

func lexAll(t testing.TB, c Config, chunks ...[]byte) string {
	l, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	var last Token
	prev := 0
	add := func() {
		for {
			toks := l.Tokens()
			if len(toks) == 0 {
				return
			}
			for _, k := range toks {
				if k.Start != prev || k.End < k.Start {
					t.Fatalf("token %v [%d,%d) after %d", k.Kind, k.Start, k.End, prev)
				}
				prev = k.End
				s := string(l.Slice(k.Start, k.End))
				if k.Kind == Damage {
					s = ""
				}
				join := len(out) > 0 && last.Kind == k.Kind && (k.Kind == Text || k.Kind == Space || k.Kind == Damage || k.Kind == String && k.Flags&First == 0)
				x := fmt.Sprintf("%v(%s)", k.Kind, s)
				if k.Kind == Fault {
					c, at := l.Fault()
					x = fmt.Sprintf("Fault(%s@%d)", c, at)
				}
				if join {
					o := out[len(out)-1]
					out[len(out)-1] = o[:len(o)-1] + s + ")"
				} else {
					out = append(out, x)
				}
				last = k
			}
		}
	}
	for _, c := range chunks {
		b := append([]byte(nil), c...)
		l.Feed(b)
		add()
		for i := range b {
			b[i] = 'Z'
		}
	}
	l.Close()
	add()
	return fmt.Sprint(out)
}

func TestShow(t *testing.T) {
	for _, s := range []string{
		`hi <call>getWeather location="New York" units=metric</call> bye`,
		`<call>t a.b=1 c=[red, New York, "x"] d={k: 'v', "z":[1,2,],}</call><call> u {"a":{"b":1}} </call>`,
		`<call>{"name":"x</call>"}</call>`,
		`<call>t("</call><call>d a=1</call>")</call>x<call></call><call>`,
		`<call>t a=b<call>u</call>`,
		"<call>t a=\"\xe2\x82\"</call><call>t a=\xff</call> \xff",
		`<call>t a="é\u00e9\d\"😀 x`,
		`<call>t a=1</cal`,
	} {
		whole := lexAll(t, Config{}, []byte(s))
		t.Log(whole)
		var ones [][]byte
		for i := range s {
			_ = i
		}
		for i := 0; i < len(s); i++ {
			ones = append(ones, []byte{s[i]})
		}
		if got := lexAll(t, Config{}, ones...); got != whole {
			t.Errorf("bytewise %s\nwhole %s", got, whole)
		}
		for i := 0; i <= len(s); i++ {
			for j := i; j <= len(s); j++ {
				if got := lexAll(t, Config{}, []byte(s[:i]), []byte(s[i:j]), []byte(s[j:])); got != whole {
					t.Fatalf("split %d %d %s\nwhole %s", i, j, got, whole)
				}
			}
		}
	}
}
