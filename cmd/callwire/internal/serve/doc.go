// Package serve answers a conformance runner: one line of JSON for each request, at once
// and in order. Package protocol has the shapes of both; callwire serve --help tells the
// protocol.
package serve
