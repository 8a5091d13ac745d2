package serve

import (
	"strings"
	"testing"
)

func TestManual(t *testing.T) {
	const tools = `[{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}}]`
	for _, c := range []struct{ request, want string }{
		{`"op":"sig","tools":` + tools, `"lines":["t a:int"]`},
		{`"op":"sig","tools":` + tools + `,"options":{"style":"classic","syntax":"json"}`, `"lines":["t: {a:int}"]`},
		{`"op":"sig","tools":[]`, `"lines":[]`},
		{`"op":"sig"`, `need tools`},
		{`"op":"sig","tools":` + tools + `,"options":{"style":"nice"}`, `compact or classic`},
		{`"op":"sig","tools":` + tools + `,"options":{"other":1}`, `unknown field`},
		{`"op":"sig","tools":[{"name":"t","inputSchema":{"properties":{"a b":{}}}}],"options":{"fallback":"error"}`, `a b`},
		{`"op":"manual","tools":` + tools + `,"options":{"header":"H"}`, `"text":"H\nt a:int"`},
		{`"op":"manual","tools":` + tools + `,"options":{"lazy":["t"],"header":"H"}`, `names=[\"t\"]</call>\nt"`},
		{`"op":"manual","tools":` + tools + `,"options":{"open":"((","close":"))"}`, `((t a=3))`},
		{`"op":"manual","tools":` + tools + `,"options":{"open":"(("}`, `open and close`},
		{`"op":"manual","tools":` + tools + `,"options":{"protocol":"hermes"}`, `<tool_call>\n{\"name\"`},
		{`"op":"manual","tools":` + tools + `,"options":{"protocol":"none"}`, `there is no protocol`},
		{`"op":"manual"`, `need tools`},
	} {
		got := talk(t, `{"seq":1,`+c.request+"}\n")
		if !strings.HasPrefix(got, `{"seq":1,`) || !strings.Contains(got, c.want) {
			t.Errorf("%s\n got %s\nwant %s", c.request, got, c.want)
		}
	}
}
