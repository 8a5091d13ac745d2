package tokens

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"maps"
	"os"
	"testing"

	"github.com/callwire/callwire/internal/golden"
	loader "github.com/pkoukk/tiktoken-go-loader"
)

// TestVocabularies: those in the program are the published ones.
func TestVocabularies(t *testing.T) {
	for _, name := range Vocabularies {
		want, err := loader.NewOfflineLoader().LoadTiktokenBpe(name + ".tiktoken")
		if err != nil {
			t.Fatal(err)
		}
		if *golden.Update {
			if err := os.WriteFile("vocabularies/"+name+".gz", pack(t, want), 0o666); err != nil {
				t.Fatal(err)
			}
			continue // the next run sees what is embedded
		}
		got, err := embedded{}.LoadTiktokenBpe("https://example.com/" + name + ".tiktoken")
		if err != nil || !maps.Equal(got, want) {
			t.Errorf("%s has %d tokens, %v, want %d (go test -update writes it anew)", name, len(got), err, len(want))
		}
	}
	if _, err := (embedded{}).LoadTiktokenBpe("https://example.com/none.tiktoken"); err == nil {
		t.Error("there is a vocabulary none")
	}
}

// pack writes a vocabulary as the program has it.
func pack(t *testing.T, ranks map[string]int) []byte {
	t.Helper()
	tokens := make([]string, len(ranks))
	for token, rank := range ranks {
		tokens[rank] = token // ranks have no gaps, else this is out of range
	}
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	for _, token := range tokens {
		if _, err := z.Write(append(binary.AppendUvarint(nil, uint64(len(token))), token...)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

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
