package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
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
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%w, or - for standard input", fileError(args[0], err))
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

// readOptional returns the text of a file, or "" if it has no name.
func readOptional(name string) (string, error) {
	if name == "" {
		return "", nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return "", fileError(name, err)
	}
	return string(data), nil
}

// output gives print the buffered standard output of a command, and flushes it unless print fails.
func output(cmd *cobra.Command, print func(out *bufio.Writer) error) error {
	out := bufio.NewWriter(cmd.OutOrStdout())
	err := print(out)
	if err != nil && !errors.Is(err, errFound) {
		return err
	}
	if flushErr := out.Flush(); flushErr != nil {
		return fmt.Errorf("cannot write: %w", flushErr)
	}
	return err
}

// writeTo writes a file.
func writeTo(name string, data []byte) error {
	if err := os.WriteFile(name, data, 0o666); err != nil {
		return fmt.Errorf("cannot write %s: %w", name, pathless(err))
	}
	return nil
}

// writeFiles writes files into a folder, which it makes if it does not exist.
func writeFiles(folder string, files map[string][]byte) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return fmt.Errorf("cannot make the folder %s: %w", folder, pathless(err))
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := writeTo(filepath.Join(folder, name), files[name]); err != nil {
			return err
		}
	}
	return nil
}

// fileError returns the error for a file that cannot be read.
func fileError(name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no file %s; name one that exists", name)
	}
	return fmt.Errorf("cannot read %s: %w", name, pathless(err))
}

// inputName returns the name of a file for people.
func inputName(name string) string {
	if name == "-" {
		return "standard input"
	}
	return name
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
