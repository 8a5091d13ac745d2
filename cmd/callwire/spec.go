package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/spec"
)

func newSpec() *cobra.Command {
	var out, format string
	cmd := &cobra.Command{
		Use:   "spec [--out DIR] [--format md|html]",
		Short: "Write the specification of the format",
		Long: `spec writes the specification of the format: SPEC.md and index.html into the
folder DIR, which is made if it is not there. The page needs no other file, no
network and no script. With --format only one of them is written, and without
--out to standard output.

The text is generated from the grammar, the conformance cases and the tables of
codes and limits that this program has in it.

Exit codes: 0 when all is done, 2 when the command line is wrong or a file cannot
be written.`,
		Example: `  callwire spec --out callwire-spec
  callwire spec --format html --out public
  callwire spec --format md | less`,
		Args: nothing,
		RunE: func(cmd *cobra.Command, args []string) error {
			files, err := specFiles(format)
			if err != nil {
				return err
			}
			if out == "" && len(files) > 1 {
				return fmt.Errorf("spec needs --out DIR, or --format md or html to write one of them to standard output")
			}
			if out != "" {
				if err := os.MkdirAll(out, 0o777); err != nil {
					return fmt.Errorf("cannot make the folder %s: %w", out, pathless(err))
				}
			}
			for _, f := range files {
				text, err := f.write()
				if err != nil {
					return err
				}
				if out == "" {
					_, err = cmd.OutOrStdout().Write(text)
					return err
				}
				name := filepath.Join(out, f.name)
				if err := os.WriteFile(name, text, 0o666); err != nil {
					return fmt.Errorf("cannot write %s: %w", name, pathless(err))
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "the folder `DIR` to write into")
	cmd.Flags().StringVar(&format, "format", "", "only one form: md or html")
	return cmd
}

// A specFile is one of the generated files.
type specFile struct {
	name  string
	write func() ([]byte, error)
}

// specFiles returns the files of a form, both where none is named.
func specFiles(format string) ([]specFile, error) {
	md, page := specFile{spec.MarkdownFile, spec.Markdown}, specFile{spec.HTMLFile, spec.HTML}
	switch format {
	case "":
		return []specFile{md, page}, nil
	case "md":
		return []specFile{md}, nil
	case "html":
		return []specFile{page}, nil
	}
	return nil, fmt.Errorf("--format is md or html, not %q", format)
}

// pathless is the error without the name of the file, which stands in the
// sentence already.
func pathless(err error) error {
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return path.Err
	}
	return err
}
