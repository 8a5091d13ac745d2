package middleware

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

const weatherRequestR = `{"model":"m","stream":true,"instructions":"Be brief.","input":"How warm is it?","tools":[{"type":"function","name":"getWeather","description":"Get the weather.","parameters":{"type":"object","properties":{"location":{"type":"string"},"units":{"enum":["metric","imperial"]}},"required":["location"]}}]}`

// respItemRead is an item of a response as a client sees it.
type respItemRead struct {
	Type, ID, Status, Name, Arguments, Role string
	CallID                                  string `json:"call_id"`
	Content                                 []struct{ Type, Text string }
	Summary                                 []struct{ Text string }
}

// respRead is what a client makes of a response.
type respRead struct {
	Items  []respItemRead
	Text   string
	Calls  []chatCall
	Status string
	ID     string
	Tools  []json.RawMessage
	Usage  struct {
		Input int `json:"input_tokens"`
		Total int `json:"total_tokens"`
	}
	Instructions string
	Failure      string
}

func (r *respRead) take(items []respItemRead) {
	r.Items, r.Text, r.Calls = items, "", nil
	for _, item := range items {
		for _, part := range item.Content {
			r.Text += part.Text
		}
		if item.Type == "function_call" {
			r.Calls = append(r.Calls, chatCall{item.CallID, item.Name, item.Arguments})
		}
	}
}

// readResponse reads a response, and holds a stream to the protocol: what comes in
// pieces is what comes as a whole, items and parts begin and end in order, and so
// do the numbers.
func readResponse(t testing.TB, out string) (r respRead) {
	t.Helper()
	type body struct {
		ID, Status, Instructions string
		Output                   []respItemRead
		Usage                    json.RawMessage
		Tools                    []json.RawMessage
	}
	finish := func(b body) {
		r.take(b.Output)
		r.ID, r.Status, r.Tools, r.Instructions = b.ID, b.Status, b.Tools, b.Instructions
		json.Unmarshal(b.Usage, &r.Usage)
	}
	if strings.HasPrefix(out, "{") {
		var b body
		if err := json.Unmarshal([]byte(out), &b); err != nil {
			t.Fatal(err)
		}
		finish(b)
		return r
	}
	var items []respItemRead
	var open, ended = map[int]bool{}, false
	number := 0
	in := newFrames(strings.NewReader(out), false, 1<<30)
	for in.next() {
		name, data := in.name, string(in.data)
		if data == "" {
			continue
		}
		var e struct {
			Type         string
			Number       int    `json:"sequence_number"`
			Output       int    `json:"output_index"`
			Content      int    `json:"content_index"`
			ItemID       string `json:"item_id"`
			Delta, Text  string
			Arguments    string
			Code         string
			Item         respItemRead
			Part         struct{ Type, Text string }
			Response     body
			SummaryIndex int `json:"summary_index"`
		}
		if err := json.Unmarshal([]byte(data), &e); err != nil {
			t.Fatalf("%v in %s", err, data)
		}
		if e.Type != name || e.Number != number || ended {
			t.Fatalf("event %q, number %d, want %d, holds %s", name, e.Number, number, data)
		}
		number++
		if strings.HasPrefix(e.Type, "response.output_item") && e.Type != "response.output_item.added" || e.ItemID != "" {
			if !open[e.Output] || e.ItemID != "" && items[e.Output].ID != e.ItemID {
				t.Fatalf("%s: no such item is open in\n%s", data, out)
			}
		}
		at := func() *respItemRead { return &items[e.Output] }
		switch e.Type {
		case "response.output_item.added":
			if e.Output != len(items) {
				t.Fatalf("item %d begins, want %d, in\n%s", e.Output, len(items), out)
			}
			for _, item := range items {
				if item.ID == e.Item.ID {
					t.Fatalf("a second item %s", item.ID)
				}
			}
			items, open[e.Output] = append(items, e.Item), true
		case "response.content_part.added":
			if e.Content != len(at().Content) {
				t.Fatalf("part %d, want %d", e.Content, len(at().Content))
			}
			at().Content = append(at().Content, e.Part)
		case "response.output_text.delta":
			at().Content[e.Content].Text += e.Delta
		case "response.output_text.done":
			if at().Content[e.Content].Text != e.Text {
				t.Fatalf("the deltas are %q, the text is %q", at().Content[e.Content].Text, e.Text)
			}
		case "response.content_part.done":
			if at().Content[e.Content] != e.Part {
				t.Fatalf("the part %+v is %+v in the end", at().Content[e.Content], e.Part)
			}
		case "response.function_call_arguments.delta":
			at().Arguments += e.Delta
		case "response.function_call_arguments.done":
			if at().Arguments != e.Arguments {
				t.Fatalf("the deltas are %q, the arguments %q", at().Arguments, e.Arguments)
			}
		case "response.output_item.done":
			if got := *at(); e.Item.Type != "reasoning" {
				if got.Status = e.Item.Status; !reflect.DeepEqual(got, e.Item) {
					t.Fatalf("the item %+v is %+v in the end", got, e.Item)
				}
			}
			*at(), open[e.Output] = e.Item, false
		case "response.completed", "response.incomplete":
			ended = true
			for i := range open {
				if open[i] {
					t.Fatalf("item %d is open at the end of\n%s", i, out)
				}
			}
			finish(e.Response)
			if len(items) != len(r.Items) || len(items) > 0 && !reflect.DeepEqual(items, r.Items) {
				t.Fatalf("the items are\n%+v, in the end\n%+v", items, r.Items)
			}
		case "error":
			r.Failure = e.Code
		}
	}
	if !ended {
		r.take(items)
	}
	return r
}
