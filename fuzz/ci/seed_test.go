package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/callwire/callwire/corpus"
)

// unpack takes a seed apart as the adapter does: so many bytes of numbers, so many
// slices.
func unpack(seed []byte, numbers, slices int) (fixed []byte, parts [][]byte) {
	fixed, weights, rest := seed[:numbers], seed[numbers:numbers+slices], seed[numbers+slices:]
	sum, total := 0, len(rest)
	for _, w := range weights {
		sum += int(w)
	}
	for _, w := range weights[:slices-1] {
		n := total * int(w) / sum
		parts, rest = append(parts, rest[:n]), rest[n:]
	}
	return fixed, append(parts, rest)
}

func TestPack(t *testing.T) {
	numbers := []byte{0, 7}
	for n := range 500 {
		in := bytes.Repeat([]byte{'x'}, n)
		for _, slices := range [][][]byte{{in}, {in, []byte("abc")}, {[]byte("abc"), in}, {[]byte("a"), {}, in}, {[]byte("12345"), []byte("ab"), []byte("c"), []byte("de"), in}} {
			seed, ok := pack(numbers, slices)
			if !ok {
				if len(slices) < 3 {
					t.Errorf("no seed of %q", slices)
				}
				continue
			}
			fixed, parts := unpack(seed, len(numbers), len(slices))
			if !bytes.Equal(fixed, numbers) || !cmp.Equal(parts, slices, cmp.Comparer(bytes.Equal)) {
				t.Fatalf("%q %q, want %q", fixed, parts, slices)
			}
		}
	}
}

// Each target has arguments of its own types, and such as it reads.
func TestSeedsFit(t *testing.T) {
	cases := corpus.Cases()
	for _, c := range []struct {
		function string // without Fuzz
		params   string
		numbers  int
		slices   int
		fits     func(parts []string) error
	}{
		{"Stream", "in []byte, cuts []byte", 0, 2, func(parts []string) error {
			return want(strings.HasPrefix(parts[1], "\x01\x02\x00"))
		}},
		{"Guard", "set uint8, text string", 1, 1, nil},
		{"Neutralize", "which int, text string", 8, 1, nil},
		{"Serve", "in []byte", 0, 1, func(parts []string) error {
			var r struct{ Op string }
			err := json.Unmarshal([]byte(parts[0]), &r)
			if err == nil {
				err = want(r.Op != "")
			}
			return err
		}},
		{"Compile", "text string", 0, 1, func(parts []string) error {
			return want(!strings.Contains("<abcdeghijklmopqrsuvwxyz", parts[0][:1])) // JSON, or nearly
		}},
		{"Schema", "schema []byte, in []byte", 0, 2, func(parts []string) error {
			return want(json.Valid([]byte(parts[0])))
		}},
		{"History", "name string, input string, output string", 0, 3, func(parts []string) error {
			return want(len(parts[0]) < 100)
		}},
	} {
		var params []param
		for p := range strings.SplitSeq(c.params, ", ") {
			name, kind, _ := strings.Cut(p, " ")
			params = append(params, param{name, kind})
		}
		all, err := seeds(cases, "Fuzz"+c.function, params)
		if err != nil || len(all) < 100 {
			t.Errorf("%s: %d seeds, error %v", c.function, len(all), err)
		}
		for _, s := range all {
			var texts []string
			_, parts := unpack(s, c.numbers, c.slices)
			for _, p := range parts {
				texts = append(texts, string(p))
			}
			if c.fits == nil {
				continue
			}
			if err := c.fits(texts); err != nil {
				t.Errorf("%s: %.200q: %v", c.function, texts, err)
				break
			}
		}
	}
	if _, err := seeds(cases, "FuzzX", []param{{"x", "float64"}}); err == nil {
		t.Error("a type that seeds have not is no error")
	}
}

func want(ok bool) error {
	if !ok {
		return fmt.Errorf("it does not fit")
	}
	return nil
}
