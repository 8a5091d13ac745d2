package main

import (
	"errors"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/spec"
)

func newSpec() *cobra.Command {
	var out, form string
	cmd := &cobra.Command{
		Use: "spec [--out DIR] [--format FORM]", Args: nothing,
		RunE: func(cmd *cobra.Command, args []string) error {
			files, err := specFiles(form)
			switch {
			case err != nil:
				return err
			case out == "" && len(files) > 1:
				return errors.New("spec needs --out DIR, or --format md, prompts, html or ebnf " +
					"to write one of them to standard output")
			case out == "":
				_, err = cmd.OutOrStdout().Write(files[0].Text)
				return err
			}
			err = makeFolder(out)
			for i := 0; i < len(files) && err == nil; i++ {
				err = writeTo(filepath.Join(out, files[i].Name), files[i].Text)
			}
			return err
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "the `folder` to write into")
	enumVar(cmd.Flags(), &form, "format", "", "write only this form", "md", "prompts", "html",
		"json", "ebnf")
	return cmd
}

// specFiles returns the files of a form, or all files if form is empty.
func specFiles(form string) ([]spec.File, error) {
	names := map[string][]string{
		"": nil, "md": {spec.MarkdownFile}, "prompts": {spec.PromptsFile}, "html": {spec.HTMLFile},
		"json": {spec.StatesFile, spec.ClassesFile, spec.CodesFile, spec.RulesFile},
		"ebnf": {spec.GrammarFile},
	}[form]
	files, err := spec.Files()
	if err != nil || names == nil {
		return files, err
	}
	return slices.DeleteFunc(files,
		func(f spec.File) bool { return !slices.Contains(names, f.Name) }), nil
}
