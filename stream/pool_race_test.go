//go:build race

package stream_test

// lossy says that sync.Pool forgets at random, as it does under the race detector.
const lossy = true
