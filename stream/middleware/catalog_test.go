package middleware

import (
	"fmt"
	"testing"

	"github.com/callwire/callwire/manual"
)

// TestToolsetCache compiles the same tools once, and forgets those that were not
// used for long.
func TestToolsetCache(t *testing.T) {
	var c toolsetCache
	compiled := 0
	get := func(name string) *toolset {
		tools := []byte(name)
		return c.get(tools, func() *toolset { compiled++; return &toolset{manual: name} })
	}
	first := get("a")
	if get("a") != first || compiled != 1 {
		t.Errorf("compiled %d times", compiled)
	}
	for i := range 10 * cacheSize {
		get(fmt.Sprint(i))
		if get("a") != first {
			t.Fatal("what is used was forgotten")
		}
	}
	if c.order.Len() != cacheSize || len(c.sets) != cacheSize {
		t.Errorf("%d and %d sets", c.order.Len(), len(c.sets))
	}
	big := string(make([]byte, cacheLimit))
	get(big)
	if c.order.Len() != 1 || c.bytes != len(big) {
		t.Errorf("%d sets of %d bytes", c.order.Len(), c.bytes)
	}
	if before := compiled; get("0").manual != "0" || compiled != before+1 {
		t.Error("what was forgotten was not compiled again")
	}
}

// TestToolsetOfARequest is the same for requests with the same tools.
func TestToolsetOfARequest(t *testing.T) {
	e := newEngine(Options{})
	do := func(body string) {
		u := &upstream{replies: []string{"{}"}}
		resp, err := e.do(mustRequest(body), u.RoundTrip)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
	for _, text := range []string{"a", "b", "c"} {
		do(`{"messages":[{"role":"user","content":"` + text + `"}],"tools":[` + weatherTool + `]}`)
	}
	if n := e.cache.order.Len(); n != 1 {
		t.Errorf("%d sets", n)
	}
}

func TestNewToolset(t *testing.T) {
	if set := newToolset([]byte("["+weatherTool+"]"), 1, manual.Options{}); set.problem != "" || set.catalog.Len() != 1 || set.manual == "" {
		t.Errorf("%+v", set)
	}
	for _, tools := range []string{`[{"type":"function","function":{"name":"a b"}}]`, `[{"type":"function","function":{}}]`, `7`} {
		if set := newToolset([]byte(tools), 1, manual.Options{}); set.problem == "" {
			t.Errorf("%s: no problem", tools)
		}
	}
}
