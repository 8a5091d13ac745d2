package middleware

import (
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
)

// soupTools are catalogs of nested objects, lists and maps, as requests.
var soupTools = []string{
	`{"type":"object","properties":{"headers":{"type":"object","additionalProperties":{"type":"string"}},"n":{"type":"integer"}}}`,
	`{"type":"object","properties":{"rows":{"type":"array","items":{"type":"object","properties":{"k":{"type":"integer"},"a.b":{"enum":["x","y"]}},"required":["k"]}}},"required":["rows"]}`,
	`{"type":"object","properties":{"o":{"anyOf":[{"type":"object","properties":{"p":{"type":"object","properties":{"q":{"type":"boolean"}}}}},{"type":"array","items":{"type":"array","items":{"type":"number"}}}]}},"additionalProperties":false}`,
	`{"type":"object","patternProperties":{"^x":{"type":"object","additionalProperties":{"type":"array","items":{"const":1}}}},"additionalProperties":{"type":"null"}}`,
}

// cook makes a text of bytes: calls whose arguments go where the catalogs have
// objects, lists and maps, some of them damaged, and what may stand around them.
type cook struct {
	in  []byte
	out strings.Builder
}

// pick returns one of some words, as the next byte says.
func (c *cook) pick(words ...string) string {
	if len(c.in) == 0 {
		return words[0]
	}
	n := int(c.in[0])
	c.in = c.in[1:]
	return words[n%len(words)]
}

func (c *cook) key() string {
	return c.pick("headers", "a[-1]", "rows", "k", "a.b", "o", "p", "q", "n", "x1", "[0]", "a[99999999999999999999]", "é\u202e", "")
}

// value writes a value in JSON.
func (c *cook) value(depth int) {
	open := c.pick("5", "{", "[", `"x"`, "true", "null", "-1e3", `"5"`, "y")
	if depth > 3 {
		open = "5"
	}
	c.out.WriteString(open)
	switch open {
	case "{":
		for i := c.pick("", "1", "22"); i != ""; i = i[1:] {
			c.out.WriteString(`"` + c.key() + `":`)
			c.value(depth + 1)
			if len(i) > 1 {
				c.out.WriteByte(',')
			}
		}
		c.out.WriteString(c.pick("}", "}", "}", "]"))
	case "[":
		for i := c.pick("", "1", "22"); i != ""; i = i[1:] {
			c.value(depth + 1)
			if len(i) > 1 {
				c.out.WriteByte(',')
			}
		}
		c.out.WriteString(c.pick("]", "]", "]", ""))
	}
}

// text returns a text.
func (c *cook) text() string {
	for len(c.in) > 0 {
		c.out.WriteString(c.pick("", "", " so ", "<think>", "</think>", "<tool-result>", "<ca", "`", "<call>t [</call>", "<call>t x</call>"))
		c.out.WriteString(c.pick("<call>t ", "<call>t ", "<call>t ", "<call>u ", "<call>"))
		if c.pick("json", "args") == "json" {
			c.out.WriteString("{")
			c.out.WriteString(`"` + c.key() + `":`)
			c.value(0)
			c.out.WriteString("}")
		} else {
			for i := c.pick("1", "22", "333"); i != ""; i = i[1:] {
				c.out.WriteString(c.key() + c.pick("", ".k", ".p.q", "[0]", ".a[-1]") + "=")
				c.value(0)
				c.out.WriteByte(' ')
			}
		}
		c.out.WriteString(c.pick("</call>", "</call>", "</call>", ""))
	}
	return c.out.String()
}

// cooked returns the text that bytes make.
func cooked(in []byte) string {
	c := cook{in: in}
	return c.text()
}

// soupRequests ask with each of the catalogs, strictly and not.
var soupRequests = func() (all []string) {
	for _, schema := range soupTools {
		for _, strict := range []string{"false", "true"} {
			all = append(all, `{"stream":true,"tools":[{"type":"function","function":{"name":"t","strict":`+strict+`,"parameters":`+schema+`}}],"messages":[{"role":"user","content":"Hi"}]}`)
		}
	}
	return all
}()

// stir gives a model's text to the application under default options, for tools of
// nested objects: nothing panics, what comes out is well-formed, and how the text
// is cut does not matter.
func stir(t *testing.T, request, text string, cut int) {
	t.Helper()
	text = strings.ToValidUTF8(text, "?")
	cut = min(cut, len(text))
	for cut > 0 && cut < len(text) && text[cut]&0xc0 == 0x80 {
		cut--
	}
	whole := through1(t, request, chunks("stop", text))
	parts := through1(t, request, chunks("stop", text[:cut], text[cut:]))
	a, b := readChat(t, whole), readChat(t, parts)
	if a.Text != b.Text || len(a.Calls) != len(b.Calls) || a.Finish != b.Finish {
		t.Fatalf("%q, %s: %+v, cut at %d: %+v", text, request, a, cut, b)
	}
	for _, c := range a.Calls {
		if !validObject([]byte(c.Arguments)) {
			t.Fatalf("%q: arguments %s", text, c.Arguments)
		}
	}
}

var soupMiddleware = Middleware(shown(Options{}))

// through1 reads a stream through a Middleware of default options. A message that
// is sent back gets no better one.
func through1(t *testing.T, request, stream string) string {
	req, err := http.NewRequest("POST", "http://upstream.test/v1"+chat, strings.NewReader(request))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	resp, err := soupMiddleware(req, func(*http.Request) (*http.Response, error) {
		body := stream
		if n++; n > 1 {
			body = strings.ReplaceAll(stream, `"index":0`, `"index":0,"x":1`)
		}
		return streaming(strings.NewReader(body)), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestSoup stirs texts of calls.
func TestSoup(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range often(1200) {
		in := make([]byte, 4+rng.IntN(40))
		for i := range in {
			in[i] = byte(rng.IntN(256))
		}
		stir(t, soupRequests[rng.IntN(len(soupRequests))], cooked(in), rng.IntN(60))
	}
}

// FuzzMiddleware stirs any text, and texts of calls, with one of the requests.
func FuzzMiddleware(f *testing.F) {
	for world := range byte(2 * len(soupRequests)) {
		f.Add([]byte("<call>t [</call><call>t {\"headers\":{\"a\":5}}</call>"), byte(9), world)
		f.Add([]byte(`<call>t rows=[{"k":x,"a.b":z}] o.p.q=7</call>`), byte(12), world)
		f.Add([]byte{8, 0, 0, 0, 1, 1, 1, 0, 0}, byte(3), world)
	}
	f.Fuzz(func(t *testing.T, in []byte, cut, world byte) {
		text := string(in)
		if world%2 == 1 {
			text = cooked(in[:min(len(in), 64)])
		}
		stir(t, soupRequests[int(world)/2%len(soupRequests)], text, int(cut))
	})
}
