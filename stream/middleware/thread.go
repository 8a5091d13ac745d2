package middleware

import "net/http"

// Anthropic can keep a conversation on the server: a request creates a thread or
// continues one, and then sends neither the tools nor the earlier messages. Without
// them a call cannot be read, and a correction would continue the same message twice.
// So a request that creates a thread is sent without one, and a request that continues
// a thread with a result is answered with the error by which clients learn to send the
// whole conversation again.

// lostThread is the reason of a request that continues a thread.
const lostThread = "the thread is unknown"

// threadNotFound answers a request that continues a thread.
func threadNotFound(req *http.Request) *http.Response {
	err := members("type", "not_found_error",
		"message", "callwire keeps no threads; send the whole conversation",
		"details", members("error_code", "thread_not_found"))
	body := members("type", "error", "error", err).Append(nil)
	resp := &http.Response{Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{}, Request: req}
	return withFault(resp, http.StatusNotFound, body)
}
