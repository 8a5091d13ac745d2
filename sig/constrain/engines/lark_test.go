package engines

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"slices"
	"testing"

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
	e := startEngines(t)
	names, list := catalogs(t, volume(3))
	names, list = append(names, "hostile"), append(list, compile(t, hostile))
	for i, c := range list {
		if len(c.Tools()) > 9 && volume(1) == 1 {
			continue // Lark is slow
		}
		t.Run(names[i], func(t *testing.T) {
			g, err := constrain.New(c, constrain.Options{})
			if err != nil {
				t.Fatal(err)
			}
			derived, others := texts(t, g, c, constrain.Options{}, uint64(i), volume(3))
			isLong := func(text string) bool { return len(text) >= 70 }
			all := slices.DeleteFunc(append(derived, others...), isLong)
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
			a := e.ask(t, question{GBNF: g.GBNF(), Texts: all})
			for i, text := range all {
				if verdicts[i] != a.Llama.list[i] {
					t.Errorf("%q: %t by Lark", text, verdicts[i])
				}
			}
		})
	}
}
