package middleware

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/rawjson"
)

func messageBody(stop string, blocks ...string) string {
	return fmt.Sprintf(`{"id":"msg_01","type":"message","role":"assistant","model":"m-1","content":[%s],"stop_reason":%q,"stop_sequence":null,"usage":{"input_tokens":9,"output_tokens":12}}`, strings.Join(blocks, ","), stop)
}

func textBlock(text string) string {
	return `{"type":"text","text":` + string(rawjson.Quote(text)) + `}`
}

func TestMessage(t *testing.T) {
	thinking := `{"type":"thinking","thinking":"<call>getWeather</call>","signature":"sig=="}`
	use := func(location string) string {
		return `{"type":"tool_use","id":"ID","name":"getWeather","input":{"location":"` + location + `"}}`
	}
	const rome, oslo = "<call>getWeather location=Rome</call>", "<call>getWeather location=Oslo</call>"
	for _, c := range []struct{ name, in, want string }{
		{"no call", messageBody("end_turn", textBlock("a < b"), thinking), messageBody("end_turn", textBlock("a < b"), thinking)},
		{"calls", messageBody("end_turn", thinking, textBlock("Look:\n"+rome+"\n"+oslo+"\n")), messageBody("tool_use", thinking, textBlock("Look:\n"), use("Rome"), use("Oslo"))},
		{"text behind", messageBody("end_turn", textBlock(rome+" so"), textBlock("b"+oslo)), messageBody("tool_use", use("Rome"), textBlock(" so"), textBlock("b"), use("Oslo"))},
		{"cut off", messageBody("max_tokens", textBlock(rome)), messageBody("max_tokens", use("Rome"))},
		{"citations", messageBody("end_turn", `{"type":"text","citations":[{"a":1.0}],"text":"a`+rome+`"}`), messageBody("tool_use", `{"type":"text","citations":[{"a":1.0}],"text":"a"}`, use("Rome"))},
	} {
		u := &upstream{replies: []string{c.in}}
		got := u.post(t, Options{}, messages, weatherRequestA)
		ids := regexp.MustCompile(`toolu_[0-9a-f]{24}`).FindAllString(got, -1)
		for i, id := range ids {
			if i > 0 && id == ids[i-1] {
				t.Errorf("%s: an id twice", c.name)
			}
			got = strings.Replace(got, id, "ID", 1)
		}
		if got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
	u := &upstream{replies: []string{messageBody("end_turn", textBlock("<call>getWeather location=[</call>"), textBlock(rome))}}
	if got := u.post(t, Options{}, messages, weatherRequestA); strings.Contains(got, "tool_use") || strings.Count(got, "<tool-error") != 2 {
		t.Errorf("after a malformed one: %s", got)
	}
}
