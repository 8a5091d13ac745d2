package tokens

import (
	"sync"

	tiktoken "github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
)

// Vocabularies are the names of the vocabularies that Counter knows.
var Vocabularies = []string{"o200k_base", "cl100k_base"}

// offline makes tiktoken use the vocabularies that are part of the program.
var offline = sync.OnceFunc(func() { tiktoken.SetBpeLoader(loader.NewOfflineLoader()) })

// Counter returns a function that counts the tokens of a text, in which no token is special. The
// first Counter of a vocabulary takes about half a second.
func Counter(vocabulary string) (func(text string) int, error) {
	offline()
	encoding, err := tiktoken.GetEncoding(vocabulary)
	if err != nil {
		return nil, err
	}
	return func(text string) int { return len(encoding.EncodeOrdinary(text)) }, nil
}
