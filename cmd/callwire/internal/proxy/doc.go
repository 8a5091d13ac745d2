// Package proxy is an HTTP proxy over [middleware.Transport]. A program in any language
// declares tools and gets native calls; the model reads about the tools in text and
// writes calls in its text.
//
//	o := proxy.Default()
//	o.Upstream = "https://api.openai.com"
//	err := o.Run(ctx)
//
// Run listens, and a handler answers each request through [httputil.ReverseProxy]. The
// log, in the format of log/slog, and the metrics never contain conversations or keys;
// under [Options].Debug, the conversation is shown as well.
package proxy
