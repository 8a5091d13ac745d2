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
		return f, err
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
	return string(data), err
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
func writeTo(name string, data []byte) error { return os.WriteFile(name, data, 0o666) }

// writeFiles writes files into a folder, which it makes if it does not exist.
func writeFiles(folder string, files map[string][]byte) error {
	err := os.MkdirAll(folder, 0o777)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err == nil {
			err = writeTo(filepath.Join(folder, name), files[name])
		}
	}
	return err
}

// inputName returns the name of a file for people.
func inputName(name string) string {
	if name == "-" {
		return "standard input"
	}
	return name
}

// isBrokenPipe reports whether the reader of the output has ended, as head does.
func isBrokenPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}
