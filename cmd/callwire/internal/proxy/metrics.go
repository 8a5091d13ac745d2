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

// metrics counts what a proxy does, for Prometheus.
type metrics struct {
	mu     sync.Mutex
	counts map[string]int64 // by series, as it is written
}

// counters are what is counted; those with a stage count its reports.
var counters = []struct {
	name, help string
	stage      middleware.Stage
}{
	{"callwire_calls_total", "Calls that were delivered.", middleware.Call},
	{"callwire_corrections_total", "Messages that were sent back to the model.", middleware.Retry},
	{"callwire_failures_total", "Requests without an answer of the upstream, by status.", ""},
	{"callwire_invented_total", "Messages that ended in an invented result.", middleware.Invented},
	{"callwire_loads_total", "Messages that asked for tools on demand.", middleware.Load},
	{"callwire_malformed_total", "Malformed calls that were not delivered.", middleware.Malformed},
	{"callwire_repaired_total", "Calls that were repaired, by repair.", ""},
	{"callwire_request_bytes_total", "Bytes of rewritten requests, " +
		"as the program sent them and as the model got them.", ""},
	{"callwire_requests_total", "Requests to model APIs, by outcome.", ""},
}

// add adds to a series; labels are name, value, name, value.
func (m *metrics) add(n int, name string, labels ...string) {
	series := name
	for i := 0; i+1 < len(labels); i += 2 {
		sep := ","
		if i == 0 {
			sep = "{"
		}
		series += fmt.Sprintf("%s%s=%q", sep, labels[i], labels[i+1])
	}
	if len(labels) > 0 {
		series += "}"
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.counts == nil {
		m.counts = make(map[string]int64)
	}
	m.counts[series] += int64(n)
}

// rewrite counts what was rewritten.
func (m *metrics) rewrite(r middleware.Rewrite) {
	switch r.Stage {
	case middleware.Request:
		m.add(1, "callwire_requests_total", "api", r.API, "outcome", "rewritten")
		m.add(len(r.Before), "callwire_request_bytes_total", "side", "program")
		m.add(len(r.After), "callwire_request_bytes_total", "side", "model")
	case middleware.Untouched:
		m.add(1, "callwire_requests_total", "api", r.API, "outcome", "passed_on")
	}
	for _, c := range counters {
		if c.stage == r.Stage && c.stage != "" {
			m.add(1, c.name)
		}
	}
	for _, repair := range r.Repairs {
		m.add(1, "callwire_repaired_total", "repair", repair)
	}
}

// write writes the metrics in a stable order.
func (m *metrics) write(w io.Writer) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range counters {
		fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s counter\n", c.name, c.help, c.name)
		for _, series := range slices.Sorted(maps.Keys(m.counts)) {
			if series == c.name || strings.HasPrefix(series, c.name+"{") {
				fmt.Fprintf(w, "%s %d\n", series, m.counts[series])
			}
		}
	}
}
