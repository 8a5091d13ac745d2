package corpus

import "embed"

//go:embed samples/agent.txt samples/tools.json
var samples embed.FS

// Sample returns the text of an agent with calls in it, a malformed one among
// them, and the tools that it has, a JSON array: something to try a reader on.
func Sample() (text, tools []byte) { return sample("agent.txt"), sample("tools.json") }

func sample(name string) []byte {
	data, err := samples.ReadFile("samples/" + name)
	if err != nil {
		panic("corpus: " + err.Error()) // it is embedded
	}
	return data
}
