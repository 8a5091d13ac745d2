package bench_test

import (
	"fmt"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
)

func ExampleReadCalls() {
	calls, err := bench.ReadCalls([]byte(`{"name": "getWeather", "arguments": "{\"location\": \"Austin\"}"}`))
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s %s\n", calls[0].Name, calls[0].Input)
	// Output: getWeather {"location":"Austin"}
}
