package lexer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/lexer"
)

// After the first messages a lexer allocates no more, whatever the chunks.
func TestNoAllocations(t *testing.T) {
	in := []byte(`Let me see, a < b. <call>tool a=1 b.c="x y" d=[1, "z", {k: v}] e='\u00e9é'</call>` +
		`<call>tool {"a":{"b":[1,2,{"c":"d"}]}}</call><call> </call><call>tool("</call>")</call> done. ` +
		`<call>tool s="` + strings.Repeat("a long string that crosses chunks ", 200) + `"</call>`)
	for _, size := range []int{1, 3, 64, 4096, len(in)} {
		t.Run(fmt.Sprintf("chunks of %d", size), func(t *testing.T) {
			l, err := lexer.New(lexer.Config{})
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			read := func() {
				l.Reset(lexer.Config{})
				n = 0
				for i := 0; i < len(in); i += size {
					l.Feed(in[i:min(len(in), i+size)])
					for toks := l.Tokens(); len(toks) > 0; toks = l.Tokens() {
						n += len(toks)
					}
				}
				l.Close()
				for toks := l.Tokens(); len(toks) > 0; toks = l.Tokens() {
					n += len(toks)
				}
			}
			read()
			read()
			if got := testing.AllocsPerRun(10, read); got != 0 {
				t.Errorf("%v allocations a message", got)
			}
			if n < 30 {
				t.Errorf("%d tokens: the message is not read", n)
			}
		})
	}
}
