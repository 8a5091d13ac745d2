package bench

import (
	"encoding/json"
	"testing"
)

func TestJSON(t *testing.T) {
	for want, v := range map[string]any{
		`"a<b>&\n"`:     "a<b>&\n",
		`{"a":1.50}`:    map[string]json.RawMessage{"a": json.RawMessage(" 1.50")},
		`{"a":"é\"\\"}`: map[string]string{"a": `é"\`},
	} {
		if got, err := JSON(v); err != nil || string(got) != want {
			t.Errorf("%s, %v; want %s", got, err, want)
		}
	}
	if got, err := JSON(make(chan int)); err == nil {
		t.Errorf("a channel is %s", got)
	}
}
