package proxy

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/callwire/callwire/stream/middleware"
)

// metrics counts what a proxy does. It is written as Prometheus reads it.
type metrics struct {
	mu     sync.Mutex
	counts map[series]int64
	open   int // requests that are being answered
}

// series is one line of the metrics.
type series struct{ name, labels string }

// metricHelp says what is counted.
var metricHelp = map[string]string{
	"callwire_requests_total":      "Requests that have to do with tools, by what became of them.",
	"callwire_request_bytes_total": "Bytes of rewritten requests, as the program sent them and as the model got them.",
	"callwire_calls_total":         "Calls that were delivered.",
	"callwire_repaired_total":      "Calls that were read by a repair, by its name.",
	"callwire_malformed_total":     "Malformed calls that were given to the program as text.",
	"callwire_corrections_total":   "Messages that were sent back to the model.",
	"callwire_invented_total":      "Messages that were cut off where the model invented a result.",
	"callwire_failures_total":      "Requests that got no answer of the upstream, by status.",
}

// add adds to a series; labels are name, value, name, value.
func (m *metrics) add(n int64, name string, labels ...string) {
	var b strings.Builder
	for i := 0; i+1 < len(labels); i += 2 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%s=%q", labels[i], labels[i+1])
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.counts == nil {
		m.counts = make(map[series]int64)
	}
	m.counts[series{name, b.String()}] += n
}

// enter counts a request that is being answered, until the function that it
// returns is called.
func (m *metrics) enter() (leave func()) {
	step := func(n int) {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.open += n
	}
	step(1)
	return func() { step(-1) }
}

// rewrite counts what was rewritten.
func (m *metrics) rewrite(r middleware.Rewrite) {
	switch r.Stage {
	case middleware.Request:
		m.add(1, "callwire_requests_total", "api", r.API, "outcome", "rewritten")
		m.add(int64(len(r.Before)), "callwire_request_bytes_total", "side", "program")
		m.add(int64(len(r.After)), "callwire_request_bytes_total", "side", "model")
	case middleware.Untouched:
		m.add(1, "callwire_requests_total", "api", r.API, "outcome", "passed_on")
	case middleware.Call:
		m.add(1, "callwire_calls_total")
		for _, repair := range r.Repairs {
			m.add(1, "callwire_repaired_total", "repair", repair)
		}
	case middleware.Malformed:
		m.add(1, "callwire_malformed_total")
	case middleware.Retry:
		m.add(1, "callwire_corrections_total")
	case middleware.Invented:
		m.add(1, "callwire_invented_total")
	}
}

// write writes the metrics in an order that does not change.
func (m *metrics) write(w io.Writer) {
	m.mu.Lock()
	defer m.mu.Unlock()
	fmt.Fprintf(w, "# HELP callwire_requests_open Requests that are being answered.\n# TYPE callwire_requests_open gauge\ncallwire_requests_open %d\n", m.open)
	for _, name := range slices.Sorted(maps.Keys(metricHelp)) {
		fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s counter\n", name, metricHelp[name], name)
		var lines []string
		for s, n := range m.counts {
			if s.name != name {
				continue
			}
			if s.labels == "" {
				lines = append(lines, fmt.Sprintf("%s %d\n", name, n))
			} else {
				lines = append(lines, fmt.Sprintf("%s{%s} %d\n", name, s.labels, n))
			}
		}
		slices.Sort(lines)
		io.WriteString(w, strings.Join(lines, ""))
	}
}
