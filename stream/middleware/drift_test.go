package middleware

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

// TestRepairsAreTold: with Repair, drift is read at any split and reported by the names of
// the repairs. Without Repair it is not read.
func TestRepairsAreTold(t *testing.T) {
	for text, want := range map[string]string{
		"<call>getWeather location: Rome</call>":                             "colon",
		`<call>{"name":"getWeather","arguments":{"location":"Rome"}}</call>`: "envelope",
	} {
		var repairs []string
		opts := Options{OnRewrite: func(_ *http.Request, r Rewrite) { repairs = append(repairs, r.Repairs...) }}
		u := &upstream{replies: []string{chunks("stop", strings.Split(text, "")...), chunks("stop", rome)}}
		got := readChat(t, u.post(t, opts, chat, weatherRequest))
		if len(got.Calls) != 1 || got.Calls[0].Arguments != `{"location":"Rome"}` || len(u.bodies) != 1 || !slices.Contains(repairs, want) {
			t.Errorf("%s: asked %d times, repairs %q, want %s, %+v", text, len(u.bodies), repairs, want, got)
		}
	}
}
