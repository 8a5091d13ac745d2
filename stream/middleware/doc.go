// Package middleware lets any client of an OpenAI-compatible or Anthropic
// endpoint use the wire format by one line: the application declares tools and
// receives tool calls as ever, and the model is asked in text and answers in
// text.
//
//	client := openai.NewClient(option.WithMiddleware(middleware.Middleware(middleware.Options{})))
//	client := &http.Client{Transport: &middleware.Transport{}}
package middleware
