//go:build !race

package stream_test

const lossy = false
