package engines

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"testing"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/sig/constrain"
)

// python returns a Python that has Lark, or "".
func python() string {
	for _, name := range []string{"python3", "/usr/bin/python3"} { // the second has Debian's packages
		if exec.Command(name, "-c", "import lark").Run() == nil {
			return name
		}
	}
	return ""
}

func TestLarkAgrees(t *testing.T) {
	program := python()
	if program == "" {
		t.Skip("Lark is not there: apt-get install python3-lark")
	}
	names, list := catalogs(t, volume(3))
	names, list = append(names, "hostile"), append(list, compile(t, hostile))
	for i, c := range list {
		if c.Len() > 9 && volume(1) == 1 {
			continue // Lark is slow
		}
		t.Run(names[i], func(t *testing.T) {
			g, err := constrain.New(c, constrain.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var all []string
			for _, text := range texts(t, g, c, format.Tags{}, uint64(i), volume(3)) {
				if len(text) < 70 {
					all = append(all, text)
				}
			}
			line, err := json.Marshal(map[string]any{"lark": g.Lark(), "texts": all})
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(program, "match.py")
			cmd.Stdin = bytes.NewReader(append(line, '\n'))
			var said bytes.Buffer
			cmd.Stderr = &said
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v: %s\n%s", err, said.Bytes(), g.Lark())
			}
			var verdicts []bool
			if err := json.Unmarshal(out, &verdicts); err != nil || len(verdicts) != len(all) {
				t.Fatalf("%v: %s", err, out)
			}
			own := readGBNF(t, g.GBNF())
			for i, text := range all {
				if verdicts[i] != own.match(text) {
					t.Errorf("%q: %t by Lark", text, verdicts[i])
				}
			}
		})
	}
}
