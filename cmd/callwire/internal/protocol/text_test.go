package protocol

import (
	"encoding/json"
	"testing"
)

func TestTextRoundTrip(t *testing.T) {
	for text, want := range map[string]string{
		"":            `""`,
		"<a> & \"é\"": `"<a> & \"é\""`,
		"\xff\xfe":    `{"b64":"//4="}`,
		"🎉\u2028\x00": `"🎉\u2028\u0000"`,
	} {
		got, err := Text(text).MarshalJSON()
		if err != nil || string(json.RawMessage(got)) != want && string(got) != want+"\n" {
			t.Errorf("%q: %s, %v; want %s", text, got, err, want)
		}
		var back Text
		if err := json.Unmarshal(got, &back); err != nil || string(back) != text || back == nil {
			t.Errorf("%q comes back as %q, %v", text, back, err)
		}
	}
}

func TestTextUnmarshal(t *testing.T) {
	for data, want := range map[string]string{
		`"\ud83c\udf89 \uFFFD \\ud800 \u00e9"`: "🎉 \ufffd \\ud800 é",
		`{"b64":"/w=="}`:                       "\xff",
		`{"b64":""}`:                           "",
	} {
		var got Text
		if err := json.Unmarshal([]byte(data), &got); err != nil || string(got) != want || got == nil {
			t.Errorf("%s: %q, %v", data, got, err)
		}
	}
	for _, data := range []string{
		`7`, `null`, `[]`, `{}`, `{"b64":7}`, `{"b64":"?"}`, `{"b64":null}`, "\"\xff\"",
		`"\ud800"`, `"\udc00"`, `"\ud800\ud800"`, `"\ud800\u0041"`, `"\ud800x"`, `"\\\ud800"`,
	} {
		var got Text
		if err := json.Unmarshal([]byte(data), &got); err == nil {
			t.Errorf("%s is accepted as %q", data, got)
		}
	}
}
