package actor

import (
	"context"
	"encoding/json"
	"errors"
	"net/http/httptest"
	"reflect"
	"testing"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/endpoint"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/score"
	"github.com/callwire/callwire/sig"
)

// TestServer: an answer is the same through both APIs, streamed and whole, and says
// that it is played.
func TestServer(t *testing.T) {
	catalog, err := sig.Compile(`[{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":"string"},"n":{"type":"integer"}}}}]`)
	if err != nil {
		t.Fatal(err)
	}
	call := score.Call{Name: "t", Input: json.RawMessage(`{"a":"New York","n":5}`)}
	server := httptest.NewServer(&Server{Scenes: []Scene{{Prompt: "Go.", Catalog: catalog, Steps: [][]score.Call{{call}}, Last: "Done."}}})
	defer server.Close()
	ask := func(api endpoint.API, whole bool, r endpoint.Request) *endpoint.Answer {
		c, err := endpoint.New(server.URL, api, endpoint.Options{Whole: whole})
		if err != nil {
			t.Fatal(err)
		}
		a, err := c.Ask(context.Background(), r, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !a.Scripted || a.Usage.Input == 0 || a.Usage.Output == 0 || a.Usage.Estimated {
			t.Errorf("%s: %+v", api, a)
		}
		return a
	}
	for _, api := range []endpoint.API{endpoint.OpenAI, endpoint.Anthropic} {
		for _, whole := range []bool{false, true} {
			native := endpoint.Request{Model: "scripted-perfect", MaxTokens: 9, Tools: catalog.Tools(), Messages: []endpoint.Message{{Role: "user", Text: "Go."}}}
			a := ask(api, whole, native)
			if want := []endpoint.Call{{ID: "call_scripted_0", Name: "t", Arguments: string(call.Input)}}; !reflect.DeepEqual(a.Calls, want) || a.Text != "" {
				t.Errorf("%s: %+v", api, a)
			}
			native.Messages = append(native.Messages, endpoint.Message{Role: "assistant", Calls: a.Calls},
				endpoint.Message{Role: "user", Results: []endpoint.Result{{ID: a.Calls[0].ID, Text: "fine"}}})
			if a := ask(api, whole, native); a.Text != "Done." || a.Calls != nil {
				t.Errorf("%s: %+v", api, a)
			}
			text := endpoint.Request{Model: "scripted-drifts-spaces", MaxTokens: 9, System: "Write <call>t a=b</call>.", Messages: native.Messages[:1]}
			if a := ask(api, whole, text); a.Text != "I use a tool for that.\n<call>t a = \"New York\" n=5</call>" || a.Calls != nil {
				t.Errorf("%s: %+v", api, a)
			}
			text.System = ""
			if a := ask(api, whole, text); a.Text != "I have no tools." {
				t.Errorf("%s: %+v", api, a)
			}
		}
	}
	c, err := endpoint.New(server.URL, endpoint.OpenAI, endpoint.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Ask(context.Background(), endpoint.Request{Model: "gpt"}, nil)
	if e := new(endpoint.Error); !errors.As(err, &e) || e.Code != endpoint.NotFound {
		t.Errorf("a model that there is not: %v", err)
	}
}

func TestForget(t *testing.T) {
	for text, want := range map[string]string{
		`<call>t a="x y" b="z w"</call>`: `<call>t a=x y b="z w"</call>`,
		`<call>t a='say "x y"'</call>`:   `<call>t a=say "x y"</call>`,
		`<call>t a="x"</call>`:           `<call>t a="x"</call>`,
		`{"a":"x y","b":1}`:              `{"a":x y,"b":1}`,
		`{"a":"x \"y\" z"}`:              `{"a":x \"y\" z}`,
	} {
		if got := forget(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestStringified(t *testing.T) {
	for input, want := range map[string]string{
		`{"a":1,"b":true,"c":[1],"d":{"e":-2.5e3},"f":"1"}`: `{"a":"1","b":"true","c":[1],"d":{"e":"-2.5e3"},"f":"1"}`,
		`{"s":"\":1,","t":2}`:                               `{"s":"\":1,","t":"2"}`,
	} {
		if got := string(stringified([]byte(input))); got != want {
			t.Errorf("%s: %s, want %s", input, got, want)
		}
	}
}
