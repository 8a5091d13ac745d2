package manual

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/sig"
)

func officeTools(t testing.TB) []sig.Tool { return toolsOf(t, office) }

func toolsOf(t testing.TB, text string) (tools []sig.Tool) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &tools); err != nil {
		t.Fatal(err)
	}
	return tools
}

func notTime(t *sig.Tool) bool { return t.Name != "getTime" }

// Another lazy tool never changes earlier bytes of the prompt, so prompt caches hold.
func TestLazyToolsAreAppended(t *testing.T) {
	for _, hidden := range []bool{false, true} {
		o := &Options{Lazy: Lazy{HideNames: hidden}}
		tools := officeTools(t)
		before := ""
		for n := range 30 {
			tools = append(tools, sig.Tool{Name: fmt.Sprintf("lazy%d", n), Lazy: true})
			m, err := New(compile(t, tools), o)
			if err != nil {
				t.Fatal(err)
			}
			if n > 0 && !strings.HasPrefix(m.String(), before) {
				t.Fatalf("with %d tools:\n%s\nbefore:\n%s", n+1, m, before)
			}
			before = m.String()
		}
	}
}

// The loader is there only if a tool is lazy and not listed. A tool of its name is the loader.
func TestLoaderIsAdded(t *testing.T) {
	never := func(*sig.Tool) bool { return false }
	own := append(officeTools(t), sig.Tool{Name: defaultLoader, Description: "Mine."})
	for _, c := range []struct {
		tools  []sig.Tool
		lazy   Lazy
		format *parse.Format
		loader string
		n      int
	}{
		{officeTools(t), Lazy{}, nil, "", 3},
		{officeTools(t), Lazy{Tool: never}, nil, "", 3},
		{officeTools(t), Lazy{Tool: notTime}, nil, defaultLoader, 4},
		{officeTools(t), Lazy{Tool: notTime}, protocol.Hermes, "", 3}, // it lists all tools
		{officeTools(t), Lazy{Tool: notTime, Loader: "more"}, nil, "more", 4},
		{own, Lazy{Tool: notTime}, nil, "", 4},
	} {
		m, err := New(compile(t, c.tools), &Options{Lazy: c.lazy, Format: c.format})
		if err != nil {
			t.Fatal(err)
		}
		if m.Loader() != c.loader || len(m.Catalog().Tools()) != c.n {
			t.Errorf("%+v: loader %q of %d tools", c.lazy, m.Loader(), len(m.Catalog().Tools()))
		}
		if c.loader == "" && len(c.tools) == 3 && strings.Contains(m.String(), defaultLoader) {
			t.Errorf("the loader is announced:\n%s", m)
		}
	}
}

// A result that is the loader's answer is shown with its examples, and in no other place.
func TestAnswersOfTheLoaderInHistory(t *testing.T) {
	m := must(compile(t, office), Options{Lazy: Lazy{Tool: notTime}})
	input := []byte(`{"names":["setProfile"]}`)
	answer := m.Load(input)
	for _, c := range []struct {
		name, output string
		isShown      bool
	}{
		{defaultLoader, answer, true}, {defaultLoader, answer + " ", false}, {"getTime", answer, false},
	} {
		out, _ := m.Rewrite([]Message{
			{Role: Assistant, Parts: []Part{{Kind: Call, ID: "1", Name: c.name, Input: input}}},
			{Role: ToolRole, Parts: []Part{{Kind: Result, ID: "1", Text: c.output}}},
		})
		if got := strings.Contains(out[1].Parts[0].Text, "<call>setProfile"); got != c.isShown {
			t.Errorf("%s: %s", c.name, out[1].Parts[0].Text)
		}
	}
}

// The work for the examples of a prompt is bounded, however many properties share a large type.
func TestExamplesAreBounded(t *testing.T) {
	allocs := func(n int) float64 {
		ref, many := `{"$ref":"#/$defs/big"}`, `"q0":{"type":"string"}`
		properties, required := `"p0":`+ref, `"q0"`
		for i := 1; i < n; i++ {
			properties += fmt.Sprintf(`,"p%d":%s`, i, ref)
		}
		for i := 1; i < 1000; i++ {
			many += fmt.Sprintf(`,"q%d":{"type":"string"}`, i)
			required += fmt.Sprintf(`,"q%d"`, i)
		}
		c := compile(t, `[{"name":"t","inputSchema":{"type":"object","properties":{`+properties+
			`},"$defs":{"big":{"type":"object","properties":{`+many+`},"required":[`+required+`]}}}}]`)
		return testing.AllocsPerRun(1, func() { must(c, Options{}) })
	}
	if few, many := allocs(10), allocs(200); many > 2*few {
		t.Errorf("%v allocations, and %v for 20 times as many properties", few, many)
	}
}
