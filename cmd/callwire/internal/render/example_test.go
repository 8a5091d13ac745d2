package render_test

import (
	"os"
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/render"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/sig"
)

func ExampleOptions() {
	show := render.Options{Screen: terminal.Screen{Width: 60}}
	text := "Let me see.\n<call>getWeather location=Oslo</call>\n<call>getWeather location = Oslo</call>"
	if _, err := show.Read(strings.NewReader(text), sig.AnyTool, os.Stdout); err != nil {
		panic(err)
	}
	// Output:
	// Let me see.
	// ▶ getWeather {"location": "Oslo"}
	// ✗ getWeather expected-equals at 3:26 (byte 75)
	//     3 │ <call>getWeather location = Oslo</call>
	//       │                          ^
	//     expected = after the key, found " = Oslo</cal…"
	//     write key=value without spaces around the =, and quote values that hold spaces
	//
	// 1 call, 1 malformed
}
