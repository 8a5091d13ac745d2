package parse_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/callwire/callwire/fuzz/ratio"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// benchTools is a catalog of everyday tools.
const benchTools = `[
{"name":"getWeather","inputSchema":{"type":"object","properties":{"location":{"type":"string"},"units":{"type":"string","enum":["metric","imperial"]}},"required":["location"]}},
{"name":"getTime","inputSchema":{"type":"object","properties":{"timezone":{"type":"string"}},"required":["timezone"]}},
{"name":"sendEmail","inputSchema":{"type":"object","properties":{"to":{"type":"string"},"subject":{"type":"string"},"body":{"type":"string"},"priority":{"type":"string","enum":["low","normal","high"]}},"required":["to","subject","body"]}},
{"name":"searchProducts","inputSchema":{"type":"object","properties":{"query":{"type":"string"},"maxResults":{"type":"integer"},"inStock":{"type":"boolean"}},"required":["query"]}},
{"name":"webFetch","inputSchema":{"type":"object","properties":{"url":{"type":"string"},"method":{"type":"string","enum":["GET","POST"]}},"required":["url"]}},
{"name":"calculate","inputSchema":{"type":"object","properties":{"expression":{"type":"string"}},"required":["expression"]}},
{"name":"listFiles","inputSchema":{"type":"object","properties":{"directory":{"type":"string"},"recursive":{"type":"boolean"}},"required":["directory"]}},
{"name":"setReminder","inputSchema":{"type":"object","properties":{"message":{"type":"string"},"atIso":{"type":"string"},"channel":{"type":"string","enum":["push","email","sms"]}},"required":["message","atIso"]}},
{"name":"askDb","inputSchema":{"type":"object","properties":{"sql":{"type":"string"},"limit":{"type":"integer"}},"required":["sql"]}},
{"name":"bookMeeting","inputSchema":{"type":"object","properties":{"title":{"type":"string"},"date":{"type":"string"},"duration":{"type":"integer"},"attendees":{"type":"array","items":{"type":"string"}},"room":{"type":"string"},"requiresProjector":{"type":"boolean"}},"required":["title","date","duration","attendees","room"]}},
{"name":"updateUserProfile","inputSchema":{"type":"object","properties":{"userId":{"type":"string"},"profile":{"type":"object","properties":{"displayName":{"type":"string"},"bio":{"type":"string"},"address":{"type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"},"country":{"type":"string"}},"required":["street","city","country"]},"preferences":{"type":"object","properties":{"theme":{"type":"string","enum":["light","dark","system"]},"notifications":{"type":"boolean"}}}},"required":["displayName","address"]}},"required":["userId","profile"]}},
{"name":"toggleFeature","inputSchema":{"type":"object","properties":{"name":{"type":"string"},"enable":{"type":"boolean"}},"required":["name","enable"]}},
{"name":"analyzeSentiment","inputSchema":{"type":"object","properties":{"text":{"type":"string"},"language":{"type":"string"}},"required":["text"]}}]`

// benchCalls are calls of these tools, as {name, input}.
var benchCalls = []struct{ name, input string }{
	{"getWeather", `{"location":"Austin"}`},
	{"getWeather", `{"location":"New York","units":"metric"}`},
	{"getWeather", `{"location":"México City"}`},
	{"getTime", `{"timezone":"Asia/Tokyo"}`},
	{"sendEmail", `{"to":"alice@example.com","subject":"Lunch?","body":"Free at 12:30?","priority":"normal"}`},
	{"sendEmail", `{"to":"ceo@co.com","subject":"Quote of the day","body":"The CEO said \"great job everyone\" at the all-hands"}`},
	{"searchProducts", `{"query":"noise cancelling headphones","maxResults":5,"inStock":true}`},
	{"webFetch", `{"url":"https://example.com"}`},
	{"calculate", `{"expression":"(12 + 7) * 3"}`},
	{"listFiles", `{"directory":"./src","recursive":true}`},
	{"listFiles", `{"directory":"."}`},
	{"setReminder", `{"message":"stand up","atIso":"2026-05-01T17:00:00Z","channel":"push"}`},
	{"askDb", `{"sql":"SELECT * FROM users WHERE active = true","limit":100}`},
	{"askDb", `{"sql":"SELECT u.name, u.email, o.total, o.status FROM users u JOIN orders o ON u.id = o.user_id WHERE o.status = \"pending\" AND o.total > 100 ORDER BY o.created_at DESC","limit":50}`},
	{"bookMeeting", `{"title":"Sprint Review","date":"2026-05-15","duration":60,"attendees":["alice@co.com","bob@co.com"],"room":"A","requiresProjector":true}`},
	{"bookMeeting", `{"title":"Quick Sync","date":"2026-06-01","duration":30,"attendees":["me@co.com"],"room":"B"}`},
	{"updateUserProfile", `{"userId":"abc123","profile":{"displayName":"Alice","bio":"Engineer","address":{"street":"123 Main St","city":"Austin","country":"US"},"preferences":{"theme":"dark","notifications":false}}}`},
	{"toggleFeature", `{"name":"new-dashboard","enable":true}`},
	{"analyzeSentiment", `{"text":"I love this product!","language":"en"}`},
}

func benchCatalog(tb testing.TB) *sig.Catalog {
	c, err := sig.Compile(benchTools)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// native is a call as JSON envelopes write it.
type native struct {
	Type  string          `json:"type"`
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

// both returns the calls in a shuffled order, in the wire format and as native
// JSON.
func both(tb testing.TB, catalog *sig.Catalog) (wire, natives [][]byte) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 10 {
		for _, i := range r.Perm(len(benchCalls)) {
			c := benchCalls[i]
			w, err := parse.Format(catalog, c.name, []byte(c.input))
			if err != nil {
				tb.Fatal(err)
			}
			n, err := json.Marshal(native{"tool_use", "toolu_01ABCDEFG", c.name, json.RawMessage(c.input)})
			if err != nil {
				tb.Fatal(err)
			}
			wire, natives = append(wire, []byte(w)), append(natives, n)
		}
	}
	return wire, natives
}

// readCall reads one call and returns the length of its input.
func readCall(p *parse.Parser, in []byte) (n int) {
	p.Feed(in)
	for part := p.Next(); part != parse.NoPart; part = p.Next() {
		if part == parse.CallPart {
			n = len(p.Segment().Input)
		}
	}
	return n
}

// BenchmarkCall reads one call to its JSON arguments, each call a chunk of its
// own, 19 everyday calls shuffled. The metric ratio is the time against
// encoding/json decoding the same call as native JSON, both measured in turn,
// 1900 calls at a time, in this process. With every check on; 0 allocs/op.
func BenchmarkCall(b *testing.B) {
	catalog := benchCatalog(b)
	wire, natives := both(b, catalog)
	p, err := parse.NewParser(catalog, parse.Options{WholeCalls: true})
	if err != nil {
		b.Fatal(err)
	}
	ours := func() {
		for _, in := range wire {
			if readCall(p, in) == 0 {
				b.Fatalf("no call in %q", in)
			}
		}
	}
	theirs := func() {
		var v native
		for _, in := range natives {
			v = native{}
			if err := json.Unmarshal(in, &v); err != nil || len(v.Input) == 0 {
				b.Fatalf("no call in %q: %v", in, err)
			}
		}
	}
	b.Run("wire", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			ours()
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(wire)), "ns/call")
	})
	b.Run("json", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			theirs()
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(wire)), "ns/call")
	})
	b.Run("ratio", func(b *testing.B) { reportRatio(b, rounds(ours), rounds(theirs), 1) })
}

// BenchmarkSalvage reads calls that need no repair. The metric ratio is the time against
// that without Salvage.
func BenchmarkSalvage(b *testing.B) {
	catalog := benchCatalog(b)
	wire, _ := both(b, catalog)
	text := bytes.Join(wire, nil)
	reader := func(o parse.Options) *parse.Parser {
		p, err := parse.NewParser(catalog, o)
		if err != nil {
			b.Fatal(err)
		}
		return p
	}
	for _, whole := range []bool{true, false} {
		plain := reader(parse.Options{WholeCalls: whole})
		salvaging := reader(parse.Options{WholeCalls: whole, Salvage: true})
		each := func(p *parse.Parser) func() {
			return func() {
				for _, in := range wire {
					readCall(p, in)
				}
			}
		}
		b.Run(fmt.Sprintf("whole=%t/ratio", whole), func(b *testing.B) { ratio.Report(b, each(salvaging), each(plain), 1) })
		for _, size := range []int{64, 16, 4} {
			b.Run(fmt.Sprintf("whole=%t/chunk=%d/ratio", whole, size), func(b *testing.B) {
				ratio.Report(b, func() { readChunks(salvaging, text, size) }, func() { readChunks(plain, text, size) }, 1)
			})
		}
	}
}

// rounds repeats f, so that it is measured and not the way of its code and data
// back into the caches after the other's.
func rounds(f func()) func() {
	return func() {
		for range 10 {
			f()
		}
	}
}

// reportRatio reports, as the metric ratio, the median of the times of ours
// against theirs, measured in turn; scale is the work of theirs in units of that
// of ours.
func reportRatio(b *testing.B, ours, theirs func(), scale float64) {
	took := func(f func()) float64 {
		start := time.Now()
		f()
		return float64(time.Since(start))
	}
	ours()
	theirs()
	var ratios []float64
	for b.Loop() {
		ratios = append(ratios, took(ours)/took(theirs)*scale)
	}
	b.ReportMetric(median(ratios), "ratio")
	b.ReportMetric(0, "ns/op")
}

func median(x []float64) float64 {
	// Benchmarks take thousands of samples: a partial sort would not matter.
	for i := 1; i < len(x); i++ {
		for j := i; j > 0 && x[j] < x[j-1]; j-- {
			x[j], x[j-1] = x[j-1], x[j]
		}
	}
	return x[len(x)/2]
}

// stringCall is a call with one string argument of n bytes.
func stringCall(n int) []byte {
	return []byte(`<call>t s="` + strings.Repeat("plain text, no escapes. ", n/24+1)[:n] + `"</call>`)
}

// readChunks reads one message in chunks of the given size.
func readChunks(p *parse.Parser, in []byte, size int) {
	p.Reset()
	for i := 0; i < len(in); i += size {
		p.Feed(in[i:min(len(in), i+size)])
		for p.Next() != parse.NoPart {
		}
	}
}

// BenchmarkString reads one long string argument. The metric ratio is the time
// of a byte in a string of 1 MB against one of 16 KB.
func BenchmarkString(b *testing.B) {
	p, err := parse.NewParser(nil, parse.Options{})
	if err != nil {
		b.Fatal(err)
	}
	small, large := stringCall(16<<10), stringCall(1<<20)
	for _, size := range []int{1, 4096, 1 << 30} {
		name := strconv.Itoa(size)
		if size == 1<<30 {
			name = "whole"
		}
		b.Run("chunk="+name+"/1MB", func(b *testing.B) {
			b.SetBytes(int64(len(large)))
			b.ReportAllocs()
			readChunks(p, large, size)
			for b.Loop() {
				readChunks(p, large, size)
			}
		})
		b.Run("chunk="+name+"/ratio", func(b *testing.B) {
			reportRatio(b, func() { readChunks(p, large, size) }, func() {
				for range 64 {
					readChunks(p, small, size)
				}
			}, 1)
		})
	}
}
