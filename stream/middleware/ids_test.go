package middleware

import (
	"regexp"
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/rawjson"
)

// TestIDs differ by everything that they are derived from, and by nothing else.
func TestIDs(t *testing.T) {
	seen := make(map[string]bool)
	for _, request := range []string{"1", "2"} {
		x := &exchange{dialect: chatAPI, first: []byte(request)}
		for _, response := range []string{"", "r", "1/r"} {
			for choice := range 12 {
				for n := range 12 {
					id := x.callID(response, choice, n)
					if seen[id] {
						t.Fatalf("%s twice, for %q %d %d", id, response, choice, n)
					}
					seen[id] = true
					if id != x.callID(response, choice, n) {
						t.Fatal("another id for the same call")
					}
					if !regexp.MustCompile(`^call_[0-9a-f]{24}$`).MatchString(id) {
						t.Fatalf("id %q", id)
					}
				}
			}
		}
	}
}

// TestIDsComeBack: the id that the application gets finds its call again when the
// result comes, and no step has an id of another, though this server gives every
// response the same id.
func TestIDsComeBack(t *testing.T) {
	u := &upstream{replies: []string{completion("stop", "<call>getWeather location=Rome</call><call>now</call>")}}
	request := `{"tools":[` + weatherTool + `,{"type":"function","function":{"name":"now"}}],"messages":[{"role":"user","content":"Hi"}]}`
	seen := make(map[string]bool)
	for range 3 {
		_, calls := (&shape{path: chat}).readCalls(t, u.post(t, Options{}, chat, request), false)
		var made, results string
		for i, c := range calls {
			if seen[c.ID] {
				t.Errorf("id %s twice", c.ID)
			}
			seen[c.ID] = true
			if i > 0 {
				made += ","
			}
			made += `{"id":"` + c.ID + `","type":"function","function":{"name":"` + c.Name + `","arguments":` + string(rawjson.Quote(c.Arguments)) + `}}`
			results = `,{"role":"tool","tool_call_id":"` + c.ID + `","content":"of ` + c.Name + `"}` + results // in another order
		}
		request = strings.TrimSuffix(request, "]}") + `,{"role":"assistant","content":null,"tool_calls":[` + made + `]}` + results + `]}`
	}
	last := u.bodies[len(u.bodies)-1]
	for _, name := range []string{"getWeather", "now"} {
		if n := strings.Count(last, `<tool-result name=\"`+name+`\">\nof `+name+`\n</tool-result>`); n != 2 {
			t.Errorf("%d results of %s in %s", n, name, last)
		}
	}
}
