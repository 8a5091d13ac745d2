package parse

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/sig"
)

// TestLacks: an object is asked for its properties only where one that is required
// may be missing, however many are declared.
func TestLacks(t *testing.T) {
	var properties []string
	for i := range 10000 {
		properties = append(properties, fmt.Sprintf(`"p%d":{}`, i))
	}
	for required, want := range map[string]bool{``: false, `"p0"`: true, `"p63"`: true, `"p64"`: true, `"p9999"`: true} {
		c, err := sig.Compile([]sig.Tool{{Name: "t", Schema: fmt.Appendf(nil, `{"type":"object","properties":{%s},"required":[%s]}`, strings.Join(properties, ","), required)}})
		if err != nil {
			t.Fatal(err)
		}
		args := c.Tools()[0].Args
		if got := lacks(args, 0); got != want {
			t.Errorf("required %s: an empty object may lack something: %v", required, got)
		}
		if got := lacks(args, 1<<63|1); got != (want && required != `"p0"` && required != `"p63"`) {
			t.Errorf("required %s: an object with the 1st and the 64th may lack something: %v", required, got)
		}
	}
	if lacks(nil, 0) {
		t.Error("nothing is required where nothing is said")
	}
}
