package main

import (
	"strings"
	"testing"
)

// TestRepair: what has another type and means the right one is put right, what
// fits stays, and what does neither is told.
func TestRepair(t *testing.T) {
	for _, c := range []struct {
		in, want string
		code     int
	}{
		{`{"name":"runTests","input":{"packages":["a"],"flags":{"count":2}}}`, `{"name":"runTests","input":{"packages":["a"],"flags":{"count":2}}}`, exitOK},
		{`{"name":"runTests","input":{"packages":"a","flags":"{\"count\":\"2\"}"}}`, `{"name":"runTests","input":{"packages":["a"],"flags":{"count":2}},"issues":[{"code":"coerced","path":"packages","at":12},{"code":"coerced","path":"flags","at":24},{"code":"coerced","path":"flags.count","at":24}]}`, exitOK},
		{`{"name":"readFile","arguments":"{\"path\":7}"}`, `{"name":"readFile","input":{"path":"7"},"issues":[{"code":"coerced","path":"path","at":8}]}`, exitOK},
		{`{"name":"readFile","input":{}}`, `{"name":"readFile","input":{},"issues":[{"code":"missing-argument","path":"path","at":1}]}`, exitFound},
	} {
		got := callwire(c.in, "repair", "--tools", sampleTools)
		if got != (result{c.code, c.want + "\n", ""}) {
			t.Errorf("%s:\n got %+v\nwant %s, %d", c.in, got, c.want, c.code)
		}
	}
	if got := callwire(`{"name":"nope","input":{}}`, "repair", "--tools", sampleTools); got.code != exitFound || !strings.HasPrefix(got.stderr, "callwire: line 1: unknown-tool") {
		t.Errorf("%+v", got)
	}
	if got := callwire("", "repair"); got.code != exitFailed || !strings.Contains(got.stderr, "needs the tools") {
		t.Errorf("%+v", got)
	}
}
