//go:build !slim

package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/cmd/callwire/internal/shot"
	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
)

// The pictures in the README, of what the program prints:
//
//go:generate go run . picture --out internal/shot/parse.svg --lines 18 -- parse --sample --color always
//go:generate go run . picture --out internal/shot/demo.svg --lines 31 -- demo --fast --color always

// newPicture is the command that makes the pictures of the README. It is not in the
// help: nobody else needs it.
func newPicture() *cobra.Command {
	var out string
	var lines int
	cmd := &cobra.Command{
		Use:    "picture --out FILE -- COMMAND ARGS…",
		Short:  "Draw what a command of this program prints",
		Hidden: true,
		Args:   cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			picture, err := pictureOf(args, lines)
			if err != nil {
				return err
			}
			if out == "" {
				_, err := cmd.OutOrStdout().Write(picture)
				return err
			}
			return writeTo(out, picture)
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "write to this `file`, an SVG")
	cmd.Flags().IntVar(&lines, "lines", 1000, "most lines `N`")
	return cmd
}

// pictureOf runs a command line in this process and draws what it prints.
func pictureOf(args []string, lines int) ([]byte, error) {
	var stdout, stderr bytes.Buffer
	if code := run(args, strings.NewReader(""), &stdout, &stderr); code == exitFailed {
		return nil, fmt.Errorf("%s: %s", strings.Join(args, " "), strings.TrimSpace(stderr.String()))
	}
	shown := "callwire"
	for i, arg := range args {
		if arg == "--color" || i > 0 && args[i-1] == "--color" || arg == "--fast" {
			continue // what the picture itself needs
		}
		shown += " " + arg
	}
	return shot.SVG(shown, strings.TrimLeft(stdout.String(), "\n"), terminal.PageWidth, lines), nil
}
