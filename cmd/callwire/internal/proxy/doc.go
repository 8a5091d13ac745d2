// Package proxy stands between a program and a model: an HTTP proxy over
// [middleware.Transport], with what a proxy needs beside it. The program declares tools
// and gets native calls, the model is asked in text and answers in text.
//
// [Options.Run] listens (server.go), the handler answers (handler.go) within limits of
// time (times.go), tells people what happens, but no keys (log.go, summary.go), and
// counts (metrics.go).
package proxy
