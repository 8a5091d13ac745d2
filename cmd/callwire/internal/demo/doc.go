// Package demo is the demonstration of the whole round trip: an agent loop (agent.go), the
// middleware, and a scripted model (script.go), each seen from the other side. It is shown
// to people (page.go) or to programs (lines.go).
package demo
