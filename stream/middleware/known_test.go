package middleware

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
)

// growing is a conversation that an application goes on with as it likes.
type growing struct {
	rng   *rand.Rand
	api   string
	turns []string
	n     int      // of steps
	late  []string // results that come later
}

// knownAPIs are those that a conversation is held in, and the keys of their messages.
var knownAPIs = []struct{ path, key, head, tail string }{
	{chat, "messages", `{"model":"m",`, `,"tools":[` + weatherTool + `,{"type":"custom","custom":{"name":"sh"}}]}`},
	{chat, "messages", `{"tools":[` + weatherTool + `],"model":"m",`, `,"stream":true}`},
	{messages, "messages", `{"system":"Be brief.",`, `,"max_tokens":9,"tools":[` + weatherToolA + `]}`},
	{"/responses", "input", `{"tools":[{"type":"function","name":"getWeather","parameters":{}}],`, `}`},
	{"/models/g:generateContent", "contents", `{`, `,"tools":[{"functionDeclarations":[{"name":"getWeather"}]}]}`},
	{"/../api/chat", "messages", `{ `, `, "tools":[` + weatherTool + `]}`},
}

// step adds a turn of the user, or a step of the model with calls and results.
func (g *growing) step() {
	g.n++
	id := func(k int) string {
		switch g.rng.IntN(12) {
		case 0:
			return "again"
		case 1:
			return ""
		}
		return fmt.Sprintf("c%d_%d", g.n, k)
	}
	say := func(role, text string) {
		if g.api == "contents" {
			g.turns = append(g.turns, fmt.Sprintf(`{"role":%q,"parts":[{"text":%q}]}`, strings.Replace(role, "assistant", "model", 1), text))
		} else {
			g.turns = append(g.turns, fmt.Sprintf(`{"role":%q, "content":%q}`, role, text))
		}
	}
	if g.n == 1 || g.rng.IntN(6) == 0 {
		say("user", fmt.Sprintf("Question %d <call>", g.n))
		return
	}
	if len(g.late) > 0 && g.rng.IntN(2) == 0 {
		g.turns = append(g.turns, g.late...)
		g.late = nil
	}
	switch g.rng.IntN(8) {
	case 0:
		say("assistant", "So it is.")
		return
	case 1:
		if g.api == "messages" || g.api == "input" {
			say("system", "A rule.")
			return
		}
	}
	var made, results []string
	for k := range 1 + g.rng.IntN(3) {
		id, city := id(k), fmt.Sprintf("City %d", k)
		answer := id
		if g.rng.IntN(15) == 0 {
			answer = "orphan"
		}
		weather := strings.Repeat(fmt.Sprintf("%d degrees ", k), 9)
		switch g.api {
		case "contents":
			made = append(made, fmt.Sprintf(`{"functionCall":{"id":%q,"name":"getWeather","args":{"location":%q}}}`, id, city))
			results = append(results, fmt.Sprintf(`{"role":"user","parts":[{"functionResponse":{"id":%q,"name":"getWeather","response":{"output":%q}}}]}`, answer, weather))
		case "input":
			made = append(made, fmt.Sprintf(`{"type":"function_call","call_id":%q,"name":"getWeather","arguments":%q}`, id, `{"location":"`+city+`"}`))
			results = append(results, fmt.Sprintf(`{"type":"function_call_output","call_id":%q,"output":%q}`, answer, weather))
		default:
			if g.n%2 == 0 {
				made = append(made, fmt.Sprintf(`{"type":"tool_use","id":%q,"name":"getWeather","input":{"location":%q}}`, id, city))
				results = append(results, fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"content":%q}]}`, answer, weather))
			} else {
				kind := []string{"function", "custom"}[g.rng.IntN(5)/4]
				made = append(made, fmt.Sprintf(`{"id":%q,"type":%q,%[2]q:{"name":"getWeather","arguments":%q}}`, id, kind, `{"location":"`+city+`"}`))
				results = append(results, fmt.Sprintf(`{"role":"tool","tool_call_id":%q,"content":%q}`, answer, weather))
			}
		}
	}
	g.rng.Shuffle(len(results), func(i, j int) { results[i], results[j] = results[j], results[i] })
	if n := g.rng.IntN(6); n < len(results) {
		g.late, results = append(g.late, results[:n]...), results[n:]
	}
	switch {
	case g.api == "contents":
		g.turns = append(g.turns, `{"role":"model","parts":[{"text":"Let me see."},`+strings.Join(made, ",")+`]}`)
	case g.api == "input":
		g.turns = append(g.turns, `{"type":"reasoning","id":"r","summary":[]}`)
		g.turns = append(g.turns, made...)
	case strings.HasPrefix(made[0], `{"type":"tool_use"`):
		g.turns = append(g.turns, `{"role":"assistant","content":[`+strings.Join(made, ",")+`]}`)
	default:
		content := []string{"null", `""`, `"Let me see."`}[g.rng.IntN(3)]
		g.turns = append(g.turns, `{"role":"assistant","content":`+content+`,"tool_calls":[`+strings.Join(made, ",")+`]}`)
	}
	g.turns = append(g.turns, results...)
}

// rewritten sends a request and returns it as the model gets it, and how many bytes
// of it were found again.
func rewritten(t testing.TB, do func(*http.Request, func(*http.Request) (*http.Response, error)) (*http.Response, error), path, body string) string {
	t.Helper()
	req, err := http.NewRequest("POST", "http://upstream.test/v1"+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	sent := ""
	do(req, func(out *http.Request) (*http.Response, error) {
		data, err := io.ReadAll(out.Body)
		sent = string(data)
		return nil, err
	})
	return sent
}

// TestKnown: what is known of a conversation changes nothing, however applications
// go on with it: they repeat and edit requests, branch off, move marks of a cache,
// give results late, in another order, of no call, and the same ids again.
func TestKnown(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	known, all := 0, 0
	for range 50 {
		a := knownAPIs[rng.IntN(len(knownAPIs))]
		do := Middleware(Options{OnRewrite: func(r Rewrite) { known, all = known+r.Known, all+len(r.Before) }})
		branches := []*growing{{rng: rng, api: a.key}}
		for range 24 {
			g := branches[rng.IntN(len(branches))]
			for range rng.IntN(3) {
				g.step()
			}
			switch rng.IntN(20) {
			case 0: // another one with the same beginning
				b := *g
				b.turns = append([]string(nil), g.turns...)
				branches = append(branches, &b)
			case 1: // edited
				if n := len(g.turns); n > 0 {
					k := rng.IntN(n)
					g.turns[k] = strings.Replace(g.turns[k], "degrees", "grad", 1)
				}
			}
			turns := append([]string(nil), g.turns...)
			if n := len(turns); n > 0 && a.path == messages && rng.IntN(2) == 0 {
				turns[n-1] = strings.Replace(turns[n-1], `"type":"t`, `"cache_control":{"type":"ephemeral"},"type":"t`, 1)
			}
			tail := a.tail
			if rng.IntN(10) == 0 {
				more := []string{`"x":1`, `"":[1]`, `"` + a.key + `":[]`}
				tail = strings.TrimSuffix(tail, "}") + "," + more[rng.IntN(len(more))] + "}"
			}
			body := a.head + `"` + a.key + `":[` + strings.Join(turns, []string{",", ", "}[rng.IntN(20)/19]) + `]` + tail
			if got, want := rewritten(t, do, a.path, body), rewritten(t, Middleware(Options{}), a.path, body); got != want {
				t.Fatalf("%s\nbecomes\n%s\nwithout what is known\n%s", body, got, want)
			}
		}
	}
	if known*5 < all {
		t.Errorf("of %d bytes %d were found again", all, known)
	}
}

// TestKnownIsLinear: of a conversation of 500 steps each byte is read a few times at
// most, also where the mark of a cache moves along.
func TestKnownIsLinear(t *testing.T) {
	for _, moving := range []bool{false, true} {
		read, last := 0, 0
		do := Middleware(Options{OnRewrite: func(r Rewrite) { read, last = read+len(r.Before)-r.Known, len(r.Before) }})
		var turns []string
		for i := range 500 {
			turns = append(turns, fmt.Sprintf(`{"role":"assistant","content":[{"type":"tool_use","id":"c%d","name":"getWeather","input":{"location":"Rome"}}]}`, i),
				fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result","tool_use_id":"c%d","content":%q}]}`, i, strings.Repeat("sun ", 9)))
			sent := append([]string{`{"role":"user","content":"Go on."}`}, turns...)
			if moving {
				sent[len(sent)-1] = strings.Replace(sent[len(sent)-1], `{"type"`, `{"cache_control":{"type":"ephemeral"},"type"`, 1)
			}
			rewritten(t, do, messages, `{"messages":[`+strings.Join(sent, ",")+`],"max_tokens":9,"tools":[`+weatherToolA+`]}`)
		}
		// A request has 400 bytes of tools after the conversation.
		if read > 3*last+500*600 {
			t.Errorf("of the %d bytes of a conversation %d were read (the mark moves: %t)", last, read, moving)
		}
	}
}
