// Command bench prints how long reading calls takes, beside fastjson and sonic on the native form
// of the same calls. It is a module of its own, so that callwire does not depend on these
// libraries; run it in a workspace:
//
//	go work init . ./internal/bench
//	go run ./internal/bench
//
// Times are the least CPU time of many rounds in random order. A ratio is to fastjson's Parse,
// which itself takes up to a quarter longer depending on what else the process does, so compare the
// nanoseconds too.
package main
