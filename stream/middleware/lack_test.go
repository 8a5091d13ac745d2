package middleware

import (
	"net/http"
	"strings"
	"testing"

	"github.com/callwire/callwire/stream/middleware/scripted"
)

// TestLack: a model is told once that a call in Markdown code, or one without tags, was
// not executed, where its message ends with the first, or is the second, and has no other;
// whoever explains the format is not made to execute it.
func TestLack(t *testing.T) {
	const fenced = "Like this:\n```\n" + rome + "\n```\n"
	for _, c := range []struct {
		name, text, finish string
		opts               Options
		told               bool
	}{
		{"at the end", fenced, "stop", Options{}, true},
		{"two", fenced + "Or:\n" + fenced, "stop", Options{}, true},
		{"in backquotes", "Like `" + rome + "`", "stop", Options{}, true},
		{"text after it", fenced + "So it is written.", "stop", Options{}, false},
		{"in a sentence", "Write `" + rome + "`.", "stop", Options{}, false},
		{"of no tool", "Like this:\n```\n<call>other a=1</call>\n```", "stop", Options{}, false},
		{"broken", "Like this:\n```\n<call>getWeather location=[</call>\n```", "stop", Options{}, false},
		{"cut off", fenced, "length", Options{}, false},
		{"after a call", rome + "\n" + fenced, "stop", Options{}, false},
		{"without retries", fenced, "stop", Options{Retries: -1}, false},
		{"an envelope", `{"name":"getWeather","arguments":{"location":"Rome"}}`, "stop", Options{}, true},
		{"an envelope after reasoning", "<think>I call {}.</think>\n" + `{"name":"getWeather","arguments":{"location":"Rome"}}`, "stop", Options{}, true},
		{"an envelope in a fence", "```json\n{\"name\":\"getWeather\",\"arguments\":{\"location\":\"Rome\"}}\n```\n", "stop", Options{}, true},
		{"a function", `getWeather(location="Rome")`, "stop", Options{}, true},
		{"without tags", `getWeather location="Rome"`, "stop", Options{}, true},
		{"a function with text", `getWeather(location="Rome") would do it`, "stop", Options{}, false},
		{"an envelope with text", `I call {"name":"getWeather","arguments":{"location":"Rome"}}`, "stop", Options{}, false},
		{"an envelope of no tool", `{"name":"other","arguments":{"location":"Rome"}}`, "stop", Options{}, false},
		{"an envelope without arguments", `{"name":"getWeather","location":"Rome"}`, "stop", Options{}, true},
		{"a name", "getWeather", "stop", Options{}, false},
	} {
		for _, stream := range []bool{true, false} {
			for _, api := range []string{chat, messages, "/responses"} {
				finish := c.finish
				if api == messages {
					finish = map[string]string{"stop": "end_turn", "length": "max_tokens"}[finish]
				}
				m := &scripted.Model{Shape: scripted.Shape{Delta: 1}, Replies: []scripted.Reply{
					{Text: c.text, Finish: finish}, {Text: "\nIt was an example."}, {Text: "Done."},
				}}
				a := &agent{t: t, client: &http.Client{Transport: &Transport{Base: m, Options: shown(c.opts)}}, api: api, stream: stream}
				text := a.run()
				said := m.Requests()[len(m.Requests())-1].Turns()
				told := strings.Contains(said[len(said)-1].Text, "was not executed")
				if told != c.told || len(a.executed) > strings.Count(c.name, "after a call") {
					t.Errorf("%s, %s %t: told %t, executed %q, %q", c.name, api, stream, told, a.executed, text)
				}
				if told && !strings.HasSuffix(text, "example.") || !told && len(a.executed) == 0 && text != c.text {
					t.Errorf("%s, %s %t: the text is %q", c.name, api, stream, text)
				}
			}
		}
	}
}
