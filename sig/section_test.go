package sig_test

import (
	"testing"

	"github.com/callwire/callwire/sig"
)

// What a tool's description says about its parameters moves to their comments.
func TestSections(t *testing.T) {
	const schema = `{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer","description":"How many"},"units":{"type":"string"}},"required":["city"]}`
	for _, c := range []struct{ name, description, want string }{
		{"of a docstring", "Get the weather.\n\nArgs:\n    city (str): A city,\n        or lat,lon\n    units: metric or imperial\n\nReturns:\n    The forecast.",
			"t city (A city, or lat,lon) days?:int (How many) units? (metric or imperial) - Get the weather. Returns: The forecast."},
		{"of a list", "Weather.\n## Parameters\n- `city` (string, required): A city\n- **units** - The units\nNothing else.",
			"t city (A city) days?:int (How many) units? (The units) - Weather. Nothing else."},
		{"without indentation", "Weather.\nParameters:\ncity: A city\nReturns: all", "t city (A city) days?:int (How many) units? - Weather. Returns: all"},
		{"what the schema says comes first", "Weather.\nArgs:\n  days: Another text", "t city days?:int (How many; Another text) units? - Weather."},
		{"entries on something else stay", "Weather.\nArgs:\n  city: A city\n  other: Something\n    else", "t city (A city) days?:int (How many) units? - Weather. Args: other: Something else"},
		{"no section", "Arguments: many. Args: none", "t city days?:int (How many) units? - Arguments: many. Args: none"},
		{"a section on other things", "Weather.\nArgs:\n  nothing: here", "t city days?:int (How many) units? - Weather. Args: nothing: here"},
	} {
		tools, err := sig.Compile([]sig.Tool{{Name: "t", Description: c.description, Schema: []byte(schema)}})
		if err != nil {
			t.Fatal(err)
		}
		if got := tools.Lookup([]byte("t")).Signature(); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
	}
}
