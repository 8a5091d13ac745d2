package middleware

import (
	"testing"

	"github.com/callwire/callwire/manual"
)

func TestNewToolset(t *testing.T) {
	if set := newToolset([]byte("["+weatherTool+"]"), 1, &manual.Options{}); set.problem != "" || set.catalog.Len() != 1 || set.manual.String() == "" {
		t.Errorf("%+v", set)
	}
	for _, tools := range []string{`[{"type":"function","function":{"name":"a b"}}]`, `[{"type":"function","function":{}}]`, `7`} {
		if set := newToolset([]byte(tools), 1, &manual.Options{}); set.problem == "" {
			t.Errorf("%s: no problem", tools)
		}
	}
}
