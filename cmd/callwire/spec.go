package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/spec"
)

func newSpec() *cobra.Command {
	var out, format string
	cmd := &cobra.Command{
		Use:   "spec [--out DIR] [--format FORM]",
		Short: "Write the specification of the format",
		Long: `spec writes the specification of the format into the folder DIR, which is created
if necessary: SPEC.md on calls; PROMPTS.md on what models read about tools, and the reasons;
index.html with both, which needs no other file and no network; states.json,
classes.json, codes.json and rules.json, the tables as data; and grammar.ebnf. With
--format only some of them are written, and without --out one to standard output.

The text is generated from the grammar, the conformance cases and the tables of
codes and limits in this program.

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
				return fmt.Errorf("spec needs --out DIR, or --format md, prompts, html or ebnf " +
					"to write one of them to standard output")
			}
			if out != "" {
				if err := os.MkdirAll(out, 0o777); err != nil {
					return fmt.Errorf("cannot make the folder %s: %w", out, pathless(err))
				}
			}
			for _, f := range files {
				if out == "" {
					_, err = cmd.OutOrStdout().Write(f.Text)
					return err
				}
				name := filepath.Join(out, f.Name)
				if err := os.WriteFile(name, f.Text, 0o666); err != nil {
					return fmt.Errorf("cannot write %s: %w", name, pathless(err))
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "the `folder` to write into")
	enumVar(cmd.Flags(), &format, "format", "", "write only this form", "md", "prompts", "html",
		"json", "ebnf")
	return cmd
}

// specFiles returns the files of a form, or all files if form is empty.
func specFiles(format string) ([]spec.File, error) {
	names := map[string][]string{
		"": nil, "md": {spec.MarkdownFile}, "prompts": {spec.PromptsFile}, "html": {spec.HTMLFile},
		"json": {spec.StatesFile, spec.ClassesFile, spec.CodesFile, spec.RulesFile},
		"ebnf": {spec.GrammarFile},
	}[format]
	files, err := spec.Files()
	if err != nil || names == nil {
		return files, err
	}
	return slices.DeleteFunc(files,
		func(f spec.File) bool { return !slices.Contains(names, f.Name) }), nil
}
