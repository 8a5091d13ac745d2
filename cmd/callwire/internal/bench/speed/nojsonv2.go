//go:build !goexperiment.jsonv2

package speed

// readJSONv2 is nil: this toolchain has no encoding/json/v2, or is not told to
// use it by GOEXPERIMENT=jsonv2.
var readJSONv2 func(pieces [][]byte, size int) (calls, argumentBytes int)
