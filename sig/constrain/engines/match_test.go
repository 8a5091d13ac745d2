package engines

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"testing"
)

// question is a question for match.mjs.
type question struct {
	GBNF  string   `json:"gbnf,omitempty"`
	EBNF  string   `json:"ebnf,omitempty"`
	Tag   string   `json:"tag,omitempty"`
	Texts []string `json:"texts"`
}

// answer is its answer: for each engine a list of verdicts, or why it does not accept
// the grammar.
type answer struct{ Llama, Xgrammar, Tag verdicts }

type verdicts struct {
	list  []bool
	fault string
}

func (v *verdicts) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		return json.Unmarshal(data, &v.fault)
	}
	return json.Unmarshal(data, &v.list)
}

// engines is a process that answers questions.
type engines struct {
	in  io.WriteCloser
	out *bufio.Reader
}

// startEngines starts the engines, for as long as the test runs.
func startEngines(t *testing.T) *engines {
	t.Helper()
	cmd := exec.Command("node", "match.mjs")
	cmd.Dir = "node"
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
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
	return &engines{in, bufio.NewReaderSize(out, 1<<20)}
}

func (e *engines) ask(t *testing.T, q question) answer {
	t.Helper()
	line, err := json.Marshal(q)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.in.Write(append(line, '\n')); err != nil {
		t.Fatal(err)
	}
	line, err = e.out.ReadBytes('\n')
	if err != nil {
		t.Fatalf("the engines have stopped: %v", err)
	}
	var a answer
	if err := json.Unmarshal(line, &a); err != nil {
		t.Fatalf("%v: %s", err, line)
	}
	return a
}
