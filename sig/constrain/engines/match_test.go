package engines

import (
	"bufio"
	"encoding/json"
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

// program is a program of the folder node that answers each line of JSON with another.
type program struct {
	in  *json.Encoder
	out *bufio.Reader
}

// start starts a program, for as long as the test runs.
func start(t *testing.T, args ...string) program {
	t.Helper()
	cmd := exec.Command("node", args...)
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
	return program{json.NewEncoder(in), bufio.NewReaderSize(out, 1<<20)}
}

// ask sends a question and reads the answer.
func (p program) ask(question, answer any) error {
	if err := p.in.Encode(question); err != nil {
		return err
	}
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		return err
	}
	return json.Unmarshal(line, answer)
}

// engines answers questions about grammars.
type engines struct{ program }

func startEngines(t *testing.T) engines { return engines{start(t, "match.mjs")} }

func (e engines) ask(t *testing.T, q question) (a answer) {
	t.Helper()
	if err := e.program.ask(q, &a); err != nil {
		t.Fatalf("the engines have stopped: %v", err)
	}
	return a
}

// model is llama.cpp with random weights.
type model struct{ program }

func startModel(t *testing.T) model { return model{start(t, "generate.mjs", t.TempDir())} }

// write returns what the model writes under a grammar from each seed, in so many tokens at most:
// nil for a text that is not complete, or not UTF-8.
func (m model) write(gbnf string, most int, seeds ...uint32) ([]*string, error) {
	var answer struct{ Texts []*string }
	err := m.ask(map[string]any{"gbnf": gbnf, "seeds": seeds, "most": most}, &answer)
	return answer.Texts, err
}
