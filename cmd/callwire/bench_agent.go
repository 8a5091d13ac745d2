package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	benchagent "github.com/callwire/callwire/cmd/callwire/internal/bench/agent"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/record"
	"github.com/callwire/callwire/cmd/callwire/internal/bench/trial"
)

func newBenchAgent() *cobra.Command {
	o := &agentOptions{steps: 20}
	cmd := &cobra.Command{
		Use:   "agent --base-url URL --model NAME",
		Short: "Measure how well models get work done by calling tools",
		Long: `agent lets the models of an endpoint work in small worlds, natively and in
text: six tasks of 4 to 12 calls that depend on each other, among them a booking
with a conflict and a service that is busy at first. Tools are answered by the
world, and the world decides: success means that it ends in the wanted state,
whatever the model says. A malformed call is always answered.

Records, budget and settings are those of callwire bench live; see its help. Tasks
of your own are data, in the form of tasks.json in the source.

Exit codes: those of callwire bench live.`,
		Example: `  callwire bench agent --demo
  callwire bench agent --base-url http://127.0.0.1:11434/v1 \
      --model llama3.1 --reps 3 --report out`,
		Args: nothing,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd) },
	}
	cmd.Flags().StringVar(&o.tasks, "tasks", "", "tasks of your own, a JSON `file`")
	cmd.Flags().IntVar(&o.steps, "max-steps", o.steps, "the most messages `N` of the model in a task")
	o.register(cmd, "retries")
	return cmd
}

// agentOptions are the flags of bench agent.
type agentOptions struct {
	modelsOptions
	tasks string
	steps int
}

func (o *agentOptions) run(cmd *cobra.Command) error {
	if err := o.check(cmd); err != nil {
		return err
	}
	if o.steps < 1 {
		return errors.New("--max-steps must be at least 1")
	}
	tasks, err := o.readTasks()
	if err != nil {
		return err
	}
	if o.demo {
		return o.runDemo(cmd, nil, false)
	}
	client, arms, params, err := o.setup(cmd)
	if err != nil {
		return err
	}
	trials, err := benchagent.Plan{Client: client, Models: o.models, Params: params, Arms: arms, Tasks: tasks, Reps: o.reps, Steps: o.steps}.Trials()
	if err != nil {
		return err
	}
	return o.finish(cmd, trials, nil)
}

// readTasks returns the user's tasks, or ours.
func (o *agentOptions) readTasks() ([]benchagent.Task, error) {
	if o.tasks == "" {
		return benchagent.Tasks()
	}
	text, err := os.ReadFile(o.tasks)
	if err != nil {
		return nil, fileError(o.tasks, err)
	}
	tasks, err := benchagent.ReadTasks(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.tasks, err)
	}
	return tasks, nil
}

// finish measures the trials and shows the figures, of a run that was stopped as
// well.
func (o *modelsOptions) finish(cmd *cobra.Command, trials []trial.Trial, after func(context.Context, *record.Log) error) error {
	name := o.outFile(cmd)
	err := o.measure(cmd, name, trials, after)
	if err != nil && !errors.Is(err, errFound) {
		return err
	}
	return errors.Join(o.show(cmd, name), err)
}
