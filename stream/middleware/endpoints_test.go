package middleware

import (
	"strings"
)

// endpoints are requests with the tool getWeather to each API, streamed and whole.
var endpoints = map[string]struct{ path, request string }{
	"chat":            {"/v1" + chat, weatherRequest},
	"chat whole":      {"/v1" + chat, strings.Replace(weatherRequest, `"stream":true`, `"stream":false`, 1)},
	"messages":        {"/v1" + messages, weatherRequestA},
	"messages whole":  {"/v1" + messages, strings.Replace(weatherRequestA, `"stream":true`, `"stream":false`, 1)},
	"responses":       {"/v1/responses", weatherRequestR},
	"responses whole": {"/v1/responses", strings.Replace(weatherRequestR, `"stream":true`, `"stream":false`, 1)},
	"gemini":          {geminiStream, weatherRequestG},
	"gemini whole":    {geminiPath, weatherRequestG},
	"ollama":          {ollamaPath, weatherRequestO},
	"ollama whole":    {ollamaPath, strings.Replace(weatherRequestO, `"model"`, `"stream":false,"model"`, 1)},
}
