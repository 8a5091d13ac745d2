// Package scripted is a fake model for tests and demonstrations: it answers the requests of
// OpenAI's chat completions and responses, of Anthropic's messages, of Gemini and of Ollama,
// streamed and whole, with texts that were written beforehand, and records the requests.
//
//	model := &scripted.Model{
//		Replies: []scripted.Reply{
//			{Text: `Let me look. <call>getWeather location=Oslo</call>`},
//			{Text: `18 degrees in Oslo.`},
//		},
//		Shape: scripted.Shape{Write: 1}, // one byte at a time
//	}
//	client := &http.Client{Transport: &middleware.Transport{Base: model}}
//
// A [Model] is an http.RoundTripper, which needs no network, and an http.Handler for a server on
// the loopback. A [Shape] makes its streams as awkward as the standard allows: networks that cut
// inside runes and inside "data:", comments, carriage returns, data in several lines.
// [Model.Requests] returns the requests; [Request.Turns] shows one as the model sees it.
//
// Everything is deterministic: ids count requests, tokens are four bytes, and the
// time never changes.
package scripted
