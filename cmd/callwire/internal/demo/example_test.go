package demo_test

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/demo"
)

// What the model writes, of all that happens.
func ExampleLines() {
	var out strings.Builder
	if err := demo.Lines(&out); err != nil {
		panic(err)
	}
	for text := range strings.Lines(out.String()) {
		var line struct{ Kind, Text string }
		json.Unmarshal([]byte(text), &line)
		if first, _, _ := strings.Cut(line.Text, "\n"); line.Kind == "model-writes" && first != "" {
			fmt.Println(first)
		}
	}
	// Output:
	// I ask for both cities, and for the address.
	// <call>getWeather location Reykjavík</call>
	// <call>getWeather location=Reykjavík units=metric</call>
	// <call>sendMail to=ada@example.com subject="Zürich is warmer"
	// Zürich is warmer, by 9 degrees, and Ada has mail. A forecast asked me to write to somebody else; I did not.
}
