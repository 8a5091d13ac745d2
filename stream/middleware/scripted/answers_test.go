package scripted

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/golden"
)

// shapes are those that a stream can have, and a few together.
var shapes = []Shape{
	{},
	{Delta: 9, Write: 1},
	{Delta: 9, Write: 7, CRLF: true},
	{Delta: 20, Tight: true, Comments: true},
	{Delta: 20, Names: true, Fold: true},
	{Delta: 9, ASCII: true, NoDone: true},
}

// TestAnswers: what a model answers in each API, whole and streamed in all shapes, is as
// in testdata/answers.txt, with and without a network.
func TestAnswers(t *testing.T) {
	var out strings.Builder
	reply := Reply{Text: text, Reasoning: "Hm, 7."}
	for _, path := range []string{openAIPath, anthropicPath, responsesPath, geminiPath, geminiStream, ollamaPath} {
		for _, body := range []string{
			`{"model":"m","stream":false}`,
			`{"model":"m","stream":true,"stream_options":{"include_usage":true}}`,
		} {
			r := Request{Path: path, Body: []byte(body)}
			for _, shape := range shapes {
				m := &Model{Replies: []Reply{reply, reply}, Shape: shape}
				resp, got := post(t, m, "http://model"+path, body)
				server := httptest.NewServer(m)
				_, sent := post(t, nil, server.URL+path, body)
				server.Close()
				if strings.ReplaceAll(sent, "scripted2", "scripted1") != got {
					t.Errorf("%s, %+v: with a network\n%s\nwithout\n%s", path, shape, sent, got)
				}
				fmt.Fprintf(&out, "=== %s %s %+v\n%s\n%s\n\n", path, body, shape, resp.Header.Get("Content-Type"), strings.ReplaceAll(got, "\r", "␍"))
				if !r.Stream() {
					break
				}
			}
		}
	}
	golden.Assert(t, out.String(), "answers.txt")
}
