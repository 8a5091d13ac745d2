package main

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/callwire/callwire/spec"
)

// specForms are the files of each form.
var specForms = map[string][]string{
	"md": {spec.MarkdownFile}, "prompts": {spec.PromptsFile}, "html": {spec.HTMLFile},
	"json": {spec.StatesFile, spec.ClassesFile, spec.CodesFile, spec.RulesFile},
	"ebnf": {spec.GrammarFile},
}

func newSpec() *cobra.Command {
	var out, form string
	return describe(&cobra.Command{
		Use: "spec [--out DIR] [--format FORM]", Args: nothing,
		RunE: func(cmd *cobra.Command, args []string) error {
			files := map[string][]byte{}
			for _, f := range spec.Files() {
				if form == "" || slices.Contains(specForms[form], f.Name) {
					files[f.Name] = f.Text
				}
			}
			switch {
			case out != "":
				return writeFiles(out, files)
			case len(files) > 1:
				return errors.New("spec needs --out DIR, or --format md, prompts, html or ebnf " +
					"to write one of them to standard output")
			}
			_, err := cmd.OutOrStdout().Write(files[specForms[form][0]])
			return err
		},
	}, flags{"out": &out, "format": oneOf(&form, "", "md", "prompts", "html", "json", "ebnf")})
}
