package scripted_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/callwire/callwire/stream/middleware/scripted"
)

// A model that writes one answer, one byte at a time.
func Example() {
	model := &scripted.Model{
		Replies: []scripted.Reply{{Text: "18 degrees in Oslo."}},
		Shape:   scripted.Shape{Write: 1, Names: true},
	}
	client := &http.Client{Transport: model}
	answer, err := client.Post("http://model/v1/messages", "application/json", strings.NewReader(
		`{"model":"any","stream":true,"messages":[{"role":"user","content":"How warm is it in Oslo?"}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	stream, _ := io.ReadAll(answer.Body)
	fmt.Println(strings.Count(string(stream), "text_delta"), "deltas")
	for _, turn := range model.Requests()[0].Turns() {
		fmt.Printf("%s: %s\n", turn.Role, turn.Text)
	}
	// Output:
	// 4 deltas
	// user: How warm is it in Oslo?
}
