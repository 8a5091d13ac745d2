package proxy

import (
	"expvar"
	"fmt"
	"io"
	"strings"
)

// metrics counts what a proxy does, by series as Prometheus reads them.
type metrics struct{ expvar.Map }

// counters are what is counted. The log of a request has those with a key.
var counters = []struct{ name, key, help string }{
	{"callwire_requests_open", "", "Requests being answered."},
	{"callwire_calls_total", "call", "Calls that were delivered."},
	{"callwire_repaired_total", "repaired", "Calls that were repaired, by repair."},
	{"callwire_malformed_total", "malformed", "Malformed calls that were not delivered."},
	{"callwire_corrections_total", "retry", "Messages that were sent back to the model."},
	{"callwire_loads_total", "load", "Messages that asked for tools on demand."},
	{"callwire_invented_total", "invented", "Messages that ended in an invented result."},
	{"callwire_failures_total", "", "Requests that were answered with an error, by status."},
	{"callwire_request_bytes_total", "", "Bytes of rewritten requests, " +
		"as the program sent them and as the model got them."},
	{"callwire_requests_total", "", "Requests to model APIs, by outcome."},
}

// add adds n to a series, which is formatted.
func (m *metrics) add(n int, format string, args ...any) {
	m.Add(fmt.Sprintf(format, args...), int64(n))
}

// write writes the metrics in a stable order.
func (m *metrics) write(w io.Writer) {
	for _, c := range counters {
		kind := "counter"
		if !strings.HasSuffix(c.name, "_total") {
			kind = "gauge"
		}
		fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n", c.name, c.help, c.name, kind)
		m.Do(func(series expvar.KeyValue) {
			name, _, _ := strings.Cut(series.Key, "{")
			if name == c.name {
				fmt.Fprintf(w, "%s %v\n", series.Key, series.Value)
			}
		})
	}
}
