package runner

import (
	"slices"
	"testing"

	"github.com/callwire/callwire/corpus"
)

func TestShrink(t *testing.T) {
	all := corpus.Every(1, 1, 500)
	for _, want := range [][]int{{}, {1}, {499}, {250}, {3, 4}, {1, 499}, {7, 100, 101, 400}} {
		asked := 0
		got := shrink(all, func(cuts []int) bool {
			asked++
			for _, cut := range want {
				if !slices.Contains(cuts, cut) {
					return false
				}
			}
			return true
		})
		if !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
		if asked > 200 {
			t.Errorf("%v: asked %d times", want, asked)
		}
	}
}
