package middleware

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/callwire/callwire/stream/middleware/scripted"
)

// TestPrefix: what the model sees of a conversation begins with what it saw of it
// before, wherever messages of the system come, so that caches of prompts hold.
func TestPrefix(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range often(200) {
		api := []string{chat, messages, "/responses"}[rng.IntN(3)]
		a := &agent{t: t, api: api}
		if rng.IntN(2) == 0 && api != messages {
			a.turns = append(a.turns, `{"role":"system","content":"Be brief."}`)
		}
		cached := api == messages && rng.IntN(2) == 0
		control := ""
		if cached {
			control = `,"cache_control":{"type":"ephemeral"}`
		}
		before := ""
		for step := range 8 {
			switch n := rng.IntN(4); {
			case n == 0 && api != messages && step > 0:
				a.turns = append(a.turns, fmt.Sprintf(`{"role":%q,"content":"Rule %d."}`, []string{"system", "developer"}[rng.IntN(2)], step))
				fallthrough
			case n == 1 || step == 0:
				a.turns = append(a.turns, fmt.Sprintf(`{"role":"user","content":[{"type":"text","text":"Question %d <call>"%s}]}`, step, control))
			default:
				var calls []chatCall
				for i := range n {
					calls = append(calls, chatCall{fmt.Sprintf("c%d_%d", step, i), "getWeather", fmt.Sprintf(`{"location":"City %d"}`, i)})
				}
				a.remember("Let me see.", calls)
			}
			if api != chat && api != messages { // parts have other names there
				for i := range a.turns {
					a.turns[i] = strings.ReplaceAll(a.turns[i], `"type":"text"`, `"type":"input_text"`)
				}
			}
			u := &upstream{replies: []string{"{}"}}
			u.post(t, Options{}, api, a.request())
			var seen strings.Builder
			for _, turn := range (scripted.Request{Path: api, Body: []byte(u.bodies[0])}).Turns() {
				fmt.Fprintf(&seen, "%s: %s\n", turn.Role, turn.Text)
			}
			// The last message may have grown at its end.
			if now := seen.String(); !strings.HasPrefix(now, strings.TrimSuffix(before, "\n")) {
				t.Fatalf("%s, step %d:\n%s\nbefore\n%s", api, step, now, before)
			} else {
				before = now
			}
			if !strings.Contains(before, "getWeather location") || cached && !strings.Contains(u.bodies[0], "cache_control") {
				t.Fatalf("%s", u.bodies[0])
			}
		}
	}
}
