package tokens_test

import (
	"fmt"

	"github.com/callwire/callwire/cmd/callwire/internal/bench"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/tokens"
)

func ExampleMeasure() {
	suite, err := bench.Published()
	if err != nil {
		panic(err)
	}
	report, err := tokens.Measure(suite, tokens.Options{})
	if err != nil {
		panic(err)
	}
	for _, count := range report.Counts {
		fmt.Println(count.Vocabulary, count.Total[tokens.Wire], "of", count.Total[tokens.Native])
	}
	// Output:
	// o200k_base 465 of 762
	// cl100k_base 461 of 758
}
