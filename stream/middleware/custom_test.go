package middleware

import (
	"github.com/callwire/callwire/internal/engines"
	"strings"
	"testing"

	callformat "github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/rawjson"
	"github.com/callwire/callwire/sig/constrain"
)

// customGrammar returns the grammar of what is written in the custom tool, as a JSON
// string.
func customGrammar(t *testing.T, tools string, o constrain.Options) string {
	t.Helper()
	catalog := compileTools(t, tools)
	o.Bare, o.Required = true, true
	g, err := constrain.New(catalog, o)
	if err != nil {
		t.Fatal(err)
	}
	return string(rawjson.Quote(g.Lark()))
}

// TestCustomToolRequests: in place of the functions there is one custom tool, beside
// those of the upstream's own, and it is what has to be called.
func TestCustomToolRequests(t *testing.T) {
	const native = `{"type":"custom","custom":{"name":"call"}}`
	const nativeR = `{"type":"custom","name":"call"}`
	tools := "[" + weatherTool + "]"
	_, rest, _ := strings.Cut(weatherRequestR, `"tools":[`)
	toolR := strings.TrimSuffix(rest, "]}")
	chatTool := func(name string, o constrain.Options) string {
		return `{"type":"custom","custom":{"name":"` + name + `","description":$D,"format":{"type":"grammar","grammar":{"syntax":"lark","definition":` + customGrammar(t, tools, o) + `}}}}`
	}
	itemTool := func(name string, o constrain.Options) string {
		return `{"type":"custom","name":"` + name + `","description":$D,"format":{"type":"grammar","syntax":"lark","definition":` + customGrammar(t, tools, o) + `}}`
	}
	for _, c := range []struct{ name, path, in, want string }{
		{"chat", chat, `"tools":[` + weatherTool + `]`, `"tools":[` + chatTool("call", constrain.Options{}) + `]`},
		{"chat, required", chat, `"tool_choice":"required","tools":[` + weatherTool + `]`,
			`"tools":[` + chatTool("call", constrain.Options{}) + `],"tool_choice":{"type":"custom","custom":{"name":"call"}}`},
		{"chat, one call of one tool", chat, `"parallel_tool_calls":false,"tool_choice":{"type":"function","function":{"name":"getWeather"}},"tools":[` + weatherTool + `]`,
			`"tools":[` + chatTool("call", constrain.Options{Last: true, Tools: []string{"getWeather"}}) + `],"tool_choice":{"type":"custom","custom":{"name":"call"}},"parallel_tool_calls":false`},
		{"chat, tools of the upstream's", chat, `"tools":[` + native + "," + weatherTool + `]`, `"tools":[` + native + "," + chatTool("calls", constrain.Options{}) + `]`},
		{"responses", "/responses", `"tools":[` + toolR + `]`, `"tools":[` + itemTool("call", constrain.Options{}) + `]`},
		{"responses, required", "/responses", `"tool_choice":"required","tools":[` + nativeR + "," + toolR + `]`,
			`"tools":[` + nativeR + "," + itemTool("calls", constrain.Options{}) + `],"tool_choice":{"type":"custom","name":"calls"}`},
	} {
		conversation := `"messages":[{"role":"user","content":"Hi"}]`
		if c.path == "/responses" {
			conversation = `"input":"Hi"`
		}
		got, reason := sent(t, Options{Constrain: engines.Custom}, c.path, `{`+conversation+`,`+c.in+`}`)
		o := rawjson.ParseObject([]byte(got))
		var kept object
		for _, key := range []string{"tools", "tool_choice", "parallel_tool_calls"} {
			if value := o.Get(key); value != nil {
				kept = kept.Set(key, value)
			}
		}
		list := o.Array("tools")
		own := rawjson.ParseObject(list[len(list)-1])
		if inner := own.Object("custom"); inner != nil {
			own = inner
		}
		want := "{" + strings.Replace(c.want, "$D", string(own.Get("description")), 1) + "}"
		if text := string(kept.Append(nil)); text != want || reason != "" || !strings.Contains(got, "getWeather location") {
			t.Errorf("%s: %s, sent\n%s\nwant\n%s", c.name, reason, text, want)
		}
	}
	d := callformat.Tags{Open: "<<", Close: ">>"}
	opts := Options{Constrain: engines.Custom}
	opts.Manual.Tags.Open, opts.Manual.Tags.Close = d.Open, d.Close
	if got, _ := sent(t, opts, chat, weatherRequest); !strings.Contains(got, customGrammar(t, tools, constrain.Options{Tags: d})) || !strings.Contains(got, "between << and >>") {
		t.Errorf("sent %s", got)
	}
}
