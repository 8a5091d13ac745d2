package engines

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"testing"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig/constrain"
)

// A model with random weights writes under each grammar, through llama.cpp. Every text
// that it completes reads back.
func TestRandomModelCannotMissTheFormat(t *testing.T) {
	cmd := exec.Command("node", "generate.mjs", t.TempDir())
	cmd.Dir = "node"
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		cmd.Wait()
	})
	out := bufio.NewReaderSize(pipe, 1<<20)
	ask := json.NewEncoder(in)

	type question struct {
		GBNF  string   `json:"gbnf"`
		Seeds []uint32 `json:"seeds"`
		Most  int      `json:"most"`
	}
	const atLeast = 20 // catalogs
	names, list := catalogs(t, atLeast)
	written, calls := 0, 0
	for i, c := range list {
		for _, o := range []constrain.Options{{}, {Required: true, Last: true}} {
			g, err := constrain.New(c, o)
			if err != nil {
				t.Fatal(err)
			}
			q := question{GBNF: g.GBNF(), Most: 400}
			for seed := range volume(8) {
				q.Seeds = append(q.Seeds, uint32(1000*i+seed))
			}
			if err := ask.Encode(q); err != nil {
				t.Fatal(err)
			}
			line, err := out.ReadBytes('\n')
			if err != nil {
				t.Fatalf("%s: the model has stopped: %v", names[i], err)
			}
			var answer struct{ Texts []*string }
			if err := json.Unmarshal(line, &answer); err != nil {
				t.Fatalf("%v: %s", err, line)
			}
			for _, text := range answer.Texts {
				if text == nil {
					continue // not complete, or not UTF-8
				}
				written++
				n := 0
				strict := &parse.Options{Strict: true, AllowInCode: true, AllowAfterMalformed: true}
				segments, err := parse.Message(c, *text, strict)
				if err != nil {
					t.Fatal(err)
				}
				for _, s := range segments {
					if s.Err != nil || s.Call != nil && len(s.Call.Issues) > 0 {
						t.Errorf("%s: %q: %v %v", names[i], *text, s.Err, s.Call)
					}
					if s.Call != nil {
						n++
					}
				}
				if o.Last && n != 1 {
					t.Errorf("%s: %q has %d calls", names[i], *text, n)
				}
				calls += n
			}
		}
	}
	if written < 200 || calls < 100 {
		t.Errorf("only %d texts with %d calls under the grammars of %d catalogs were completed", written, calls, len(list))
	}
	t.Logf("%d texts with %d calls, under the grammars of %d catalogs", written, calls, len(list))
}
