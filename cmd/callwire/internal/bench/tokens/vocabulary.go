package tokens

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/binary"
	"fmt"
	"io"
	"path"
	"strings"
	"sync"

	tiktoken "github.com/pkoukk/tiktoken-go"
)

// Vocabularies are the names of the vocabularies that tokens are counted by.
var Vocabularies = []string{"o200k_base", "cl100k_base"}

// packed has a file for each vocabulary: the tokens in the order of their ranks, each
// after its length, compressed. In their published form they are four times as large.
//
//go:embed vocabularies/*.gz
var packed embed.FS

// embedded loads vocabularies from this program only.
type embedded struct{}

// LoadTiktokenBpe returns the ranks of the tokens of a vocabulary, which the address of
// its published form names.
func (embedded) LoadTiktokenBpe(address string) (map[string]int, error) {
	name := strings.TrimSuffix(path.Base(address), ".tiktoken")
	file, err := packed.ReadFile("vocabularies/" + name + ".gz")
	if err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("vocabulary %s: %w", name, err)
	}
	all, err := io.ReadAll(z)
	if err != nil {
		return nil, fmt.Errorf("vocabulary %s: %w", name, err)
	}
	ranks := map[string]int{}
	for text := string(all); text != ""; {
		length, n := binary.Uvarint([]byte(text[:min(len(text), binary.MaxVarintLen64)]))
		if n <= 0 || length > uint64(len(text)-n) {
			return nil, fmt.Errorf("vocabulary %s: token %d is cut off", name, len(ranks))
		}
		ranks[text[n:n+int(length)]] = len(ranks)
		text = text[n+int(length):]
	}
	return ranks, nil
}

// offline makes tiktoken load vocabularies from this program only.
var offline = sync.OnceFunc(func() { tiktoken.SetBpeLoader(embedded{}) })

var (
	counters      = map[string]func(string) int{}
	countersMutex sync.Mutex
)

// Counter returns a function that counts the tokens of a text, in which no
// token is special. A vocabulary is loaded once, which takes a tenth of a second.
func Counter(vocabulary string) (func(text string) int, error) {
	countersMutex.Lock()
	defer countersMutex.Unlock()
	if count := counters[vocabulary]; count != nil {
		return count, nil
	}
	offline()
	encoding, err := tiktoken.GetEncoding(vocabulary)
	if err != nil {
		return nil, err
	}
	count := func(text string) int { return len(encoding.EncodeOrdinary(text)) }
	counters[vocabulary] = count
	return count, nil
}
