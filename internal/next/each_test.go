package next

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"
	"time"

	cwparse "github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"

	"github.com/callwire/callwire/internal/next/parse"
)

func TestEach(t *testing.T) {
	if os.Getenv("EACH") == "" {
		t.Skip()
	}
	root := "../../cmd/callwire/internal/bench/"
	b, _ := os.ReadFile(root + "catalog.json")
	cat, _ := sig.Compile(b)
	b, _ = os.ReadFile(root + "calls.json")
	var calls []struct {
		Name  string
		Input json.RawMessage
	}
	json.Unmarshal(b, &calls)
	var sumA, sumB float64
	for _, c := range calls {
		w, _ := cwparse.Format(cat, c.Name, c.Input)
		p := newParser(cat, parse.Options{WholeCalls: true})
		m, _ := cwparse.NewReader(cat, cwparse.Options{WholeCalls: true})
		in := []byte(w)
		best := func(f func()) float64 {
			low := 1e9
			for range 30 {
				t := time.Now()
				for range 2000 {
					f()
				}
				low = min(low, float64(time.Since(t))/2000)
			}
			return low
		}
		x := best(func() { p.Feed(in) })
		y := best(func() {
			m.Feed(in)
			for e := m.Next(); e != cwparse.NoPart; e = m.Next() {
			}
		})
		sumA += x
		sumB += y
		fmt.Printf("%6.1f %6.1f  %.90s\n", x, y, w)
	}
	fmt.Println(sumA/float64(len(calls)), sumB/float64(len(calls)))
}
