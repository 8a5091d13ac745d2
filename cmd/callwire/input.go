package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
)

// openInput opens the file that args names, or standard input if the name is missing or "-". If
// that is a terminal, it prints a note.
func openInput(cmd *cobra.Command, args []string) (io.ReadCloser, error) {
	if len(args) == 1 && args[0] != "-" {
		f, err := os.Open(args[0])
		if errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(args[0], "{<[\n") {
			return nil, fmt.Errorf("%.40q is text, not a file: give it on standard input, as in "+
				"echo TEXT | %s", args[0], cmd.CommandPath())
		}
		if err != nil {
			return nil, fileError(args[0], err)
		}
		if info, err := f.Stat(); err == nil && info.IsDir() {
			f.Close()
			return nil, fmt.Errorf("%s is a folder; name a file in it", args[0])
		}
		return f, nil
	}
	in := cmd.InOrStdin()
	if f, ok := in.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		note(cmd.ErrOrStderr(), "reading from the terminal until Ctrl-D; %s FILE reads a file",
			cmd.CommandPath())
	}
	return io.NopCloser(in), nil
}

// readInput reads all of what openInput opens, without a byte order mark.
func readInput(cmd *cobra.Command, args []string) ([]byte, error) {
	in, err := openInput(cmd, args)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	data, err := io.ReadAll(in)
	if err != nil {
		return nil, fmt.Errorf("cannot read: %w", err)
	}
	return jsonl.WithoutMark(data), nil
}

// fileError returns the error for a file that cannot be read.
func fileError(name string, err error) error {
	var path *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no file %s; name one that exists, or - for standard input",
			name)
	case errors.As(err, &path):
		err = path.Err
	}
	return fmt.Errorf("cannot read %s: %w", name, err)
}

// pathless returns err without the name of the file, which the message already has.
func pathless(err error) error {
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return path.Err
	}
	return err
}

// isBrokenPipe reports whether the reader of the output has ended, as head does.
func isBrokenPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}
