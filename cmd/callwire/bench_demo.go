package main

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/bench/actor"
	benchagent "github.com/callwire/callwire/cmd/callwire/internal/bench/agent"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/endpoint"
	benchlive "github.com/callwire/callwire/cmd/callwire/internal/bench/live"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/record"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/tokens"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/trial"
	"github.com/callwire/callwire/cmd/callwire/internal/loopback"
	"github.com/callwire/callwire/lexer"
)

// demoModels are the models of the demonstration.
var demoModels = []string{"scripted-perfect", "scripted-forgets-quotes", "scripted-drifts-strings", "scripted-drifts-spaces", "scripted-native-only", "scripted-prose-only"}

// runDemo measures scripted models over HTTP on the loopback. With --report it writes
// records and a report into that folder. Without cases only the tasks are measured.
func (o *modelsOptions) runDemo(cmd *cobra.Command, cases []benchlive.Case, single bool) error {
	if o.out != "" {
		return errors.New("--out has no place beside --demo; --report names its folder")
	}
	folder, done, err := demoFolder(o.report)
	if err != nil {
		return err
	}
	defer done()
	arms, err := o.matrix()
	if err != nil {
		return modeError(err)
	}
	tasks, err := benchagent.Tasks()
	if err != nil {
		return err
	}
	server, err := newDemoServer(slices.Concat(benchlive.Scenes(cases), benchagent.Scenes(tasks)))
	if err != nil {
		return err
	}
	defer server.Close()
	client, err := endpoint.New(server.url, endpoint.OpenAI, endpoint.Options{Name: "scripted models", Base: &http.Transport{MaxIdleConnsPerHost: o.concurrency}, Retries: 9, Whole: o.whole})
	if err != nil {
		return err
	}
	params, err := o.params(cmd)
	if err != nil {
		return err
	}
	if params.Seed == nil {
		params.Seed = new(int64)
	}
	reps := o.reps
	if !cmd.Flags().Changed("reps") {
		reps = 3
	}
	var names []string
	for _, part := range []struct {
		name   string
		wanted bool
		trials func() ([]trial.Trial, error)
	}{
		{"live.jsonl", single, benchlive.Plan{Client: client, Models: demoModels, Params: params, Arms: arms, Cases: cases, Reps: reps}.Trials},
		{"agent.jsonl", true, benchagent.Plan{Client: client, Models: demoModels, Params: params, Arms: arms, Tasks: tasks, Reps: reps, Steps: 20}.Trials},
	} {
		if !part.wanted {
			continue
		}
		trials, err := part.trials()
		if err != nil {
			return err
		}
		name := filepath.Join(folder, part.name)
		if err := removeDemo(name); err != nil {
			return err
		}
		if err := o.measure(cmd, name, trials, nil); err != nil {
			return err
		}
		names = append(names, name)
	}
	return o.show(cmd, names...)
}

// demoFolder makes the folder of a demonstration. Without a name it is a temporary one,
// which done removes.
func demoFolder(name string) (folder string, done func(), err error) {
	if name == "" {
		folder, err = os.MkdirTemp("", "callwire-demo")
		return folder, func() { os.RemoveAll(folder) }, err
	}
	if err := os.MkdirAll(name, 0o777); err != nil {
		return "", nil, fmt.Errorf("cannot make the folder %s: %w", name, loopback.Cause(err))
	}
	return name, func() {}, nil
}

// removeDemo removes the records of an earlier demonstration, and nothing else.
func removeDemo(name string) error {
	records, err := record.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil || slices.ContainsFunc(records, func(r record.Record) bool { return !r.Scripted }) {
		return fmt.Errorf("%s is not of a demonstration; name another folder by --report", name)
	}
	return os.Remove(name)
}

// demoServer plays the models on the loopback.
type demoServer struct {
	*http.Server
	url string
}

func newDemoServer(scenes []actor.Scene) (*demoServer, error) {
	count, err := tokens.Counter(tokens.Vocabularies[0])
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("cannot listen on the loopback: %w", loopback.Cause(err))
	}
	s := &demoServer{&http.Server{Handler: &actor.Server{Scenes: scenes, Delims: []lexer.Delims{{Open: "((", Close: "))"}}, Count: count}}, "http://" + listener.Addr().String()}
	go s.Serve(listener) // ends when the server is closed
	return s, nil
}
