package main

import (
	"archive/zip"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/sig"
)

// Seeds for libFuzzer. It knows nothing of f.Add: a seed is a file, and the
// adapter with which OSS-Fuzz builds targets takes it apart into arguments. First
// it takes those that are numbers, the most significant byte first; then a weight of
// one byte for each that is a text or slice; then these: their lengths are the
// weights' shares of what is left, the last one has the rest.

// seeds returns seeds for a target with the parameters: what the cases of the
// corpus have that fits. It reports a type that it has no argument for.
func seeds(cases []corpus.Case, function string, params []param) ([][]byte, error) {
	var all [][]byte
	seen := map[string]bool{}
	for i, c := range cases {
		for _, text := range texts(function, i, &c) {
			if len(text) == 0 {
				continue
			}
			var numbers []byte
			var slices [][]byte
			for _, p := range params {
				switch p.kind {
				case "byte", "uint8":
					numbers = append(numbers, byte(i))
				case "int":
					numbers = binary.BigEndian.AppendUint64(numbers, uint64(i%16))
				case "string", "[]byte":
					slices = append(slices, argument(p.name, i, &c, text))
				default:
					return nil, fmt.Errorf("%s has a parameter %s %s: seeds have no such", function, p.name, p.kind)
				}
			}
			if s, ok := pack(numbers, slices); ok && !seen[string(s)] {
				seen[string(s)] = true
				all = append(all, s)
			}
		}
	}
	return all, nil
}

// texts returns what the target reads of case number i: requests, catalogs and
// other JSON, or any text.
func texts(function string, i int, c *corpus.Case) [][]byte {
	switch function {
	case "FuzzServe":
		line, err := json.Marshal(map[string]any{"seq": i, "op": c.Op, "tools": c.Tools, "options": c.Options, "text": c.Text, "name": c.Name, "input": c.Input})
		if err != nil {
			return nil
		}
		return [][]byte{line}
	case "FuzzCompile", "FuzzDecode":
		return [][]byte{c.Tools, schema(c), c.Input}
	}
	return [][]byte{c.Text, c.Input, c.Tools}
}

// argument returns what a parameter of that name stands for: text, where the name
// says nothing.
func argument(name string, i int, c *corpus.Case, text []byte) []byte {
	switch name {
	case "cuts":
		return []byte{1, 2, 0, 3, 1, 5, 1}
	case "tools": // choices, of which a catalog is made
		return []byte{byte(i), byte(i >> 3), byte(i * 7)}
	case "schema":
		return schema(c)
	case "name":
		return []byte(orElse(c.Name, "t"))
	case "input":
		return []byte(orElse(string(c.Input), "{}"))
	case "kind":
		return []byte(`"tool-t"`)
	case "state":
		return []byte(`"output-available"`)
	}
	return text
}

// schema returns that of the first tool of a case.
func schema(c *corpus.Case) []byte {
	var tools []sig.Tool
	if json.Unmarshal(c.Tools, &tools) != nil || len(tools) == 0 {
		return []byte(`{"type":"object"}`)
	}
	return tools[0].Schema
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// pack returns the seed that is taken apart into the numbers and slices. It reports
// false where no weights give the lengths, as those of long slices that are no
// share of what there is.
func pack(numbers []byte, slices [][]byte) ([]byte, bool) {
	total := 0
	for _, s := range slices {
		total += len(s)
	}
sums:
	for sum := 1; sum <= 255*len(slices); sum++ {
		weights, rest := make([]byte, len(slices)), sum
		for i, s := range slices {
			w := rest
			if i < len(slices)-1 && total > 0 {
				w = (len(s)*sum + total - 1) / total
			}
			if w < 0 || w > 255 || i < len(slices)-1 && total*w/sum != len(s) {
				continue sums
			}
			weights[i] = byte(w)
			rest -= w
		}
		seed := append(append([]byte(nil), numbers...), weights...)
		for _, s := range slices {
			seed = append(seed, s...)
		}
		return seed, true
	}
	return nil, false
}

// writeSeeds writes a zip of seeds to dir for each target, in the name that
// OSS-Fuzz looks for.
func writeSeeds(dir string, all []target) error {
	cases := corpus.Cases()
	for _, t := range all {
		params, err := t.parameters()
		if err != nil {
			return err
		}
		files, err := seeds(cases, t.Target, params)
		if err != nil {
			return err
		}
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
