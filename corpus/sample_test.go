package corpus_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/callwire/callwire/corpus"
)

func TestSample(t *testing.T) {
	text, tools := corpus.Sample()
	var list []struct{ Name string }
	if err := json.Unmarshal(tools, &list); err != nil || len(list) == 0 {
		t.Fatal(list, err)
	}
	for _, tool := range list {
		if !bytes.Contains(text, []byte("<call>"+tool.Name)) {
			t.Errorf("the text calls no %s", tool.Name)
		}
	}
}
