package table_test

import (
	"testing"

	"github.com/callwire/callwire/internal/table"
)

func TestAlign(t *testing.T) {
	rows := [][]string{
		{"form", "none", "total", "say"}, {"é", "", "12", "yes"}, {"native", "", "+3 %", ""},
	}
	for _, x := range []struct {
		markdown bool
		want     string
	}{
		{false, "form    total  say\né          12  yes\nnative   +3 %\n"},
		{true, "| form   | total | say |\n|--------|------:|-----|\n" +
			"| é      |    12 | yes |\n| native |  +3 % |     |\n"},
	} {
		if got := table.Align(rows, x.markdown, nil); got != x.want {
			t.Errorf("%s\nwant\n%s", got, x.want)
		}
	}
}
