package runner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/callwire/callwire/corpus"
)

// helloLine greets an implementation.
func helloLine() []byte {
	line, err := json.Marshal(corpus.Hello{
		Cmd: corpus.HelloCommand, Protocol: corpus.ProtocolVersion, Min: corpus.ProtocolVersion,
		Spec: corpus.Version,
	})
	if err != nil {
		panic("runner: " + err.Error()) // strings and numbers can always be encoded
	}
	return append(line, '\n')
}

// greet starts a child and reads its welcome.
func greet(ctx context.Context, config *Config) (*child, *corpus.Welcome, error) {
	c, line, err := start(ctx, config)
	if err != nil {
		return nil, nil, withStderr(err)
	}
	w, err := readWelcome(line)
	if err != nil {
		c.kill()
		return nil, nil, err
	}
	return c, w, nil
}

// withStderr adds the end of standard error to the message of a breakdown.
func withStderr(err error) error {
	var b *breakdown
	if errors.As(err, &b) && b.stderr != "" {
		return fmt.Errorf("%w; the end of its standard error:\n%s", err, b.stderr)
	}
	return err
}

func readWelcome(line []byte) (*corpus.Welcome, error) {
	shown := excerpt(string(line), 300)
	if string(line)+"\n" == string(helloLine()) {
		return nil, errors.New("it did not answer hello: it echoed the request")
	}
	w, faults := corpus.ReadWelcome(line)
	if len(faults) > 0 {
		return nil, fmt.Errorf("the answer to hello is wrong: %s\n%s", strings.Join(faults, "; "),
			shown)
	}
	if w.Protocol != corpus.ProtocolVersion {
		return nil, fmt.Errorf("it answers hello with protocol %d; this runner speaks protocol %d",
			w.Protocol, corpus.ProtocolVersion)
	}
	if !reads(w.Spec, corpus.Version) {
		return nil, fmt.Errorf(
			"it speaks version %s of the format, and the cases are of version %s",
			w.Spec, corpus.Version)
	}
	return &w, nil
}

// reads reports whether an implementation of version have of the format reads what is of
// version want: a minor version adds to those before it.
func reads(have, want string) bool {
	major := func(version string) (string, int) {
		head, tail, _ := strings.Cut(version, ".")
		minor, err := strconv.Atoi(tail)
		if err != nil {
			return version, -1
		}
		return head, minor
	}
	haveMajor, haveMinor := major(have)
	wantMajor, wantMinor := major(want)
	return haveMajor == wantMajor && haveMinor >= wantMinor
}

// serves reports whether an implementation has the operation of a check.
func serves(w *corpus.Welcome, op string) bool {
	if op == opStream {
		op = corpus.Feed
	}
	return slices.Contains(w.Ops, op)
}
