package tokens

import (
	"fmt"
	"testing"
)

// TestCounter counts texts whose tokens are known. A special token is text.
func TestCounter(t *testing.T) {
	for _, c := range []struct {
		vocabulary, text string
		want             int
	}{
		{"o200k_base", "", 0},
		{"o200k_base", "hello world", 2},
		{"o200k_base", `{"type":"tool_use","id":"toolu_01ABCDEFG","name":"getWeather","input":{"location":"Austin"}}`, 25},
		{"o200k_base", "<call>getWeather location=Austin</call>", 11},
		{"cl100k_base", "hello world", 2},
		{"cl100k_base", "tiktoken is great!", 6},
		{"cl100k_base", "<|endoftext|>", 7},
	} {
		count, err := Counter(c.vocabulary)
		if err != nil {
			t.Fatal(err)
		}
		if got := count(c.text); got != c.want {
			t.Errorf("%s: %q has %d tokens, want %d", c.vocabulary, c.text, got, c.want)
		}
	}
	if _, err := Counter("none"); err == nil {
		t.Error("there is a vocabulary none")
	}
}

func Example_counter() {
	count, err := Counter("o200k_base")
	if err != nil {
		panic(err)
	}
	fmt.Println(count("<call>getWeather location=Austin</call>"))
	// Output: 11
}
