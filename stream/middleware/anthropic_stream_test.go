package middleware

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func readA(t *testing.T, opts Options, stream string) messageReply {
	t.Helper()
	u := &upstream{replies: []string{stream}}
	return readMessage(t, u.post(t, opts, messages, weatherRequestA))
}

// kinds returns the types of the blocks, and what is in them.
func kinds(r messageReply) []string {
	var out []string
	for _, b := range r.Blocks {
		switch b.Type {
		case "text":
			out = append(out, "text:"+b.Text)
		case "tool_use":
			out = append(out, b.Name+b.Input)
		default:
			out = append(out, b.Type+":"+b.Thinking)
		}
	}
	return out
}

func TestTransparencyOfMessages(t *testing.T) {
	plain := events("end_turn", []string{"Hello", " wor", "ld a < b"})
	thinking := "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"\"}}\n\n" +
		"event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"thinking_delta\",\"thinking\":\"<call>getWeather</call>\"}}\n\n" +
		"event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"signature_delta\",\"signature\":\"EqQB\"}}\n\n" +
		"event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n"
	for name, stream := range map[string]string{
		"plain":       plain,
		"CRLF":        strings.ReplaceAll(plain, "\n", "\r\n"),
		"two blocks":  events("end_turn", []string{"a"}, []string{"b"}),
		"empty":       events("end_turn"),
		"empty block": events("end_turn", []string{}),
		"max_tokens":  events("max_tokens", []string{"a"}),
		"thinking":    strings.Replace(strings.ReplaceAll(plain, `"index":0`, `"index":1`), "event: content_block_start", thinking+"event: content_block_start", 1),
		"error":       strings.Replace(plain, "event: message_delta", "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"<call>x</call>\"}}\n\nevent: message_delta", 1),
		"new event":   strings.Replace(plain, "event: message_stop", "event: new\ndata: {\"type\":\"new\",\"index\":9}\n\nevent: message_stop", 1),
		"citation":    strings.Replace(plain, "event: content_block_stop", "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"citations_delta\",\"citation\":{}}}\n\nevent: content_block_stop", 1),
	} {
		t.Run(name, func(t *testing.T) {
			for _, cuts := range [][]byte{nil, {0}, {1, 2, 40}} {
				u := &upstream{replies: []string{stream}, cuts: cuts}
				if got := u.post(t, Options{}, messages, weatherRequestA); order(got) != order(stream) {
					t.Fatalf("cuts %v: got\n%q\nwant\n%q", cuts, got, stream)
				}
			}
		})
	}
}

// order moves the ping, which comes while a block that has no text yet waits.
func order(stream string) string {
	stream = strings.ReplaceAll(stream, "\r", "")
	return strings.Replace(stream, "event: ping\ndata: {\"type\": \"ping\"}\n\n", "", 1)
}

func TestBlocks(t *testing.T) {
	const rome, oslo = "<call>getWeather location=Rome</call>", "<call>getWeather location=Oslo</call>"
	const callRome, callOslo = `getWeather{"location":"Rome"}`, `getWeather{"location":"Oslo"}`
	for _, c := range []struct {
		name   string
		blocks [][]string
		want   []string
		stop   string
	}{
		{"a call alone", [][]string{{rome}}, []string{callRome}, "tool_use"},
		{"text, calls with white space", [][]string{{"Let me see.\n", rome[:9], rome[9:], "\n", oslo, "\n"}}, []string{"text:Let me see.\n", callRome, callOslo}, "tool_use"},
		{"white space before text", [][]string{{" \n", rome, "\n", " and", " more"}}, []string{callRome, "text:\n and more"}, "tool_use"},
		{"a block behind it", [][]string{{rome}, {"b", oslo, "c"}, {"d"}}, []string{callRome, "text:b", callOslo, "text:c", "text:d"}, "tool_use"},
		{"white space only", [][]string{{" ", "\n"}}, []string{"text: \n"}, "end_turn"},
		{"half a tag at the end of a block", [][]string{{"a<ca"}, {"ll>getWeather</call>"}}, []string{"text:a<ca", "text:ll>getWeather</call>"}, "end_turn"},
	} {
		for _, cut := range []bool{false, true} {
			blocks := c.blocks
			if cut {
				blocks = nil
				for _, b := range c.blocks {
					blocks = append(blocks, strings.Split(strings.Join(b, ""), ""))
				}
			}
			got := readA(t, Options{}, events("end_turn", blocks...))
			if !reflect.DeepEqual(kinds(got), c.want) || got.Stop != c.stop || !got.Ended || got.Starts != 1 {
				t.Errorf("%s, cut %v: %q, stop %s", c.name, cut, kinds(got), got.Stop)
			}
		}
	}
}

// TestStopAfterMalformedBlocks: what is malformed in one block counts for the
// next.
func TestStopAfterMalformedBlocks(t *testing.T) {
	stream := events("end_turn", []string{"<call>getWeather location=[</call>"}, []string{"<call>getWeather location=Rome</call>"})
	got := readA(t, Options{}, stream)
	if len(got.Blocks) != 2 || got.Blocks[1].Type != "text" || got.Stop != "end_turn" || !strings.Contains(got.Blocks[1].Text, "after-malformed") {
		t.Errorf("%+v", got)
	}
	if got := readA(t, Options{AllowAfterMalformed: true}, stream); len(got.Blocks) != 2 || got.Blocks[1].Type != "tool_use" || got.Stop != "tool_use" {
		t.Errorf("%+v", got)
	}
}

// TestOtherBlocks get new numbers after a call.
func TestOtherBlocks(t *testing.T) {
	other := func(i int) string {
		return fmt.Sprintf("event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":%d,\"content_block\":{\"type\":\"thinking\",\"thinking\":\"\"}}\n\n", i) +
			fmt.Sprintf("event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":%d,\"delta\":{\"type\":\"thinking_delta\",\"thinking\":\"<call>x\"}}\n\n", i) +
			fmt.Sprintf("event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":%d}\n\n", i)
	}
	stream := strings.Replace(events("end_turn", []string{"a<call>getWeather location=Rome</call>b"}), "event: message_delta", other(1)+"event: message_delta", 1)
	if got := kinds(readA(t, Options{}, stream)); !reflect.DeepEqual(got, []string{"text:a", `getWeather{"location":"Rome"}`, "text:b", "thinking:<call>x"}) {
		t.Errorf("%q", got)
	}
}

// TestErrorInTheMiddleOfAMessage: what was held back comes before the error of
// the upstream, in a block that stays open as the upstream left it, and nothing
// after the error is read.
func TestErrorInTheMiddleOfAMessage(t *testing.T) {
	const failure = "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n"
	const stop = "event: content_block_stop"
	for held, want := range map[string][]string{
		"a":                                    {"text:a"},
		"a <ca":                                {"text:a <ca"},
		" \n":                                  {"text: \n"},
		"<call>getWeather location=A</call> ":  {`getWeather{"location":"A"}`},
		"<call>getWeather location=A</call> <": {`getWeather{"location":"A"}`, "text: <"},
	} {
		begun, _, _ := strings.Cut(events("end_turn", []string{held}), stop)
		_, rest, _ := strings.Cut(events("end_turn", []string{"<call>getWeather location=Rome</call>"}), `"type": "ping"}`+"\n\n")
		u := &upstream{replies: []string{begun + failure + rest}}
		out := u.post(t, Options{Retries: 1}, messages, weatherRequestA)
		before, after, found := strings.Cut(out, failure)
		if got := readMessage(t, before); !found || !reflect.DeepEqual(kinds(got), want) || len(u.bodies) != 1 {
			t.Errorf("%q: before the error %q, in\n%s", held, kinds(got), out)
		}
		if stops := strings.Count(before, stop); stops != strings.Count(before, "tool_use") {
			t.Errorf("%q: %d blocks end in\n%s", held, stops, before)
		}
		if after != rest {
			t.Errorf("%q: behind the error\n%s", held, after)
		}
	}
}
