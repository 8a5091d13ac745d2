package main

import (
	"archive/zip"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/callwire/callwire/corpus"
)

// Seeds for libFuzzer. It knows nothing of f.Add: a seed is a file, and the
// adapter with which OSS-Fuzz builds targets takes it apart into arguments. For n
// byte slices it holds n weights, one byte each, and then the slices: their
// lengths are the weights' shares of what is left, the last one has the rest.

// seeds returns the texts of the corpus, each with cuts, and the inputs of its
// writing cases. All targets have the same seeds: what is of no use to one is
// thrown out by its first run.
func seeds() [][]byte {
	var all [][]byte
	add := func(text []byte) {
		if s, ok := pack(text, []byte{1, 2, 0, 3, 1, 5, 1}); ok {
			all = append(all, s)
		}
	}
	for _, c := range corpus.Cases() {
		add(c.Text)
		add(c.Input)
		add(c.Tools)
	}
	return all
}

// pack returns the seed of two slices. It reports false where the first is empty
// or so long that no weights give its length.
func pack(in, cuts []byte) ([]byte, bool) {
	n := len(in) + len(cuts)
	for a := 1; a <= 255 && len(in) > 0; a++ {
		for b := 1; b <= 255; b++ {
			if n*a/(a+b) == len(in) {
				return append(append([]byte{byte(a), byte(b)}, in...), cuts...), true
			}
		}
	}
	return nil, false
}

// writeSeeds writes a zip of seeds to dir for each target, in the name that
// OSS-Fuzz looks for.
func writeSeeds(dir string, all []target) error {
	files := seeds()
	for _, t := range all {
		f, err := os.Create(filepath.Join(dir, t.Name+"_seed_corpus.zip"))
		if err != nil {
			return err
		}
		if err := zipped(f, files); err != nil {
			f.Close()
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}

// zipped writes a zip of files that have numbers for names.
func zipped(w io.Writer, files [][]byte) error {
	z := zip.NewWriter(w)
	for i, file := range files {
		f, err := z.Create(fmt.Sprintf("%04d", i))
		if err != nil {
			return err
		}
		if _, err := f.Write(file); err != nil {
			return err
		}
	}
	return z.Close()
}
