package spec_test

import (
	"fmt"
	"strings"

	"github.com/callwire/callwire/spec"
)

func ExampleMarkdown() {
	text, err := spec.Markdown()
	if err != nil {
		fmt.Println(err)
		return
	}
	_, rest, _ := strings.Cut(string(text), "#### `value.empty`\n\n")
	sentence, _, _ := strings.Cut(rest, "\n")
	fmt.Println(sentence)
	// Output: *core* — **Nothing at all after the equals sign is the empty bare value.**
}
