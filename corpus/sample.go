package corpus

import "embed"

//go:embed samples/agent.txt samples/tools.json
var samples embed.FS

// Sample returns a text with calls to try a reader on, and its tools as a JSON array. One of the
// calls is malformed.
func Sample() (text, tools []byte) { return sample("agent.txt"), sample("tools.json") }

func sample(name string) []byte {
	data, err := samples.ReadFile("samples/" + name)
	if err != nil {
		panic("corpus: " + err.Error()) // it is embedded
	}
	return data
}
