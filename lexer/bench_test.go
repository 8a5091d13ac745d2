package lexer

import "testing"

func BenchmarkLexCall(b *testing.B) {
	for _, s := range []string{`<call>getWeather location="New York" units=metric</call>`, `<call>t</call>`, `plain text`} {
		b.Run(s[:10], func(b *testing.B) {
			l, _ := New(Config{})
			in := []byte(s)
			n := 0
			for b.Loop() {
				l.Feed(in)
				for !l.Idle() {
					n += len(l.Tokens())
				}
			}
		})
	}
}
