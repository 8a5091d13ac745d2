// Package clients tests the middleware with common SDKs: their requests, their
// accumulators and their conversations. It exports nothing.
//
// It is a separate module, so that callwire does not depend on these SDKs. The
// README explains how to run it.
package clients
