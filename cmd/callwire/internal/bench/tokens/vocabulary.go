package tokens

import (
	"sync"

	tiktoken "github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
)

// Vocabularies are the names of the vocabularies that tokens are counted by.
var Vocabularies = []string{"o200k_base", "cl100k_base"}

// offline makes tiktoken load vocabularies from this program only.
var offline = sync.OnceFunc(func() { tiktoken.SetBpeLoader(loader.NewOfflineLoader()) })

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
