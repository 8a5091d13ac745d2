package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/callwire/callwire/cmd/callwire/internal/conversation"
	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
)

// eachCall calls do for each call in the JSON values of in, and flush after each value. It reports
// errors on notes and goes on. do returns errFound for an error that it has reported itself.
func eachCall(
	in *jsonl.Values, notes io.Writer, do func(conversation.Call) error, flush func() error,
) error {
	var result error
	read, found := 0, 0
	for {
		value, number, err := in.Next()
		switch {
		case err == io.EOF:
			if read > 0 && found == 0 {
				note(notes, "no call in the input; %s", conversation.WantCalls)
				result = errFound
			}
			return result
		case err != nil && err != jsonl.ErrLong:
			return fmt.Errorf("cannot read on: %w", err)
		case err == nil && len(value) == 0:
			continue
		}
		report := func(err error) {
			if !errors.Is(err, errFound) {
				note(notes, "line %d: %s", number, err)
			}
			result = errFound
		}
		if err != nil {
			report(err)
			continue
		}
		calls, errs := conversation.ReadCalls(value)
		read, found = read+1, found+len(calls)+len(errs)
		for _, call := range calls {
			if err := do(call); err != nil {
				report(err)
			}
		}
		for _, err := range errs {
			report(err)
		}
		if err := flush(); err != nil {
			return fmt.Errorf("cannot write: %w", err)
		}
	}
}
