package main

import (
	"archive/zip"
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const root = "../.."

// written returns the names of all fuzz targets in the sources.
func written(t *testing.T) []string {
	t.Helper()
	names := functions(t, root, "Fuzz")
	if len(names) < 10 {
		t.Fatal(names)
	}
	return names
}

// functions returns the names in the tests of a folder and those in it that begin with
// prefix.
func functions(t *testing.T, dir, prefix string) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, prefix) {
				names = append(names, f.Name.Name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(names, err)
	}
	slices.Sort(names)
	return names
}

// TestBuildScript runs build.sh with a compiler that writes down what it is told:
// every target that is written in this module is built, under a name of its own
// and with its seeds.
func TestBuildScript(t *testing.T) {
	takesLong(t)
	module, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	src, out, bin := filepath.Join(dir, "src"), filepath.Join(dir, "out"), filepath.Join(dir, "bin")
	for _, d := range []string{src, out, bin} {
		if err := os.Mkdir(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(module, filepath.Join(src, "callwire")); err != nil {
		t.Fatal(err)
	}
	build := func() ([]byte, error) {
		cmd := exec.Command("bash", filepath.Join(module, "fuzz/ci/oss-fuzz/build.sh"))
		cmd.Env = append(os.Environ(), "SRC="+src, "OUT="+out, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
		return cmd.CombinedOutput()
	}
	lazy := "#!/bin/bash\necho \"$1 $2 $3\" >>\"$OUT/compiled\"\n"
	compiler := []byte(lazy + "touch \"$OUT/$3\"\n")
	// The first version cannot read what targets share with other tests.
	if err := os.WriteFile(filepath.Join(bin, "compile_native_go_fuzzer"), compiler, 0o777); err != nil {
		t.Fatal(err)
	}
	if text, err := build(); err == nil || !bytes.Contains(text, []byte("compile_native_go_fuzzer_v2 is missing")) {
		t.Errorf("without the second version: %v\n%s", err, text)
	}
	if entries, err := os.ReadDir(out); err != nil || len(entries) > 0 {
		t.Errorf("without the second version something is built: %v %v", entries, err)
	}
	if err := os.WriteFile(filepath.Join(bin, "compile_native_go_fuzzer_v2"), []byte(lazy), 0o777); err != nil {
		t.Fatal(err)
	}
	one := []byte("#!/bin/bash\necho x.y/z FuzzA z_fuzz_a\n") // what there is to build, and where Go is
	if err := os.WriteFile(filepath.Join(bin, "go"), one, 0o777); err != nil {
		t.Fatal(err)
	}
	if text, err := build(); err == nil || !bytes.Contains(text, []byte("has not built FuzzA of x.y/z")) {
		t.Errorf("with a compiler that builds nothing: %v\n%s", err, text)
	}
	for _, name := range []string{filepath.Join(out, "compiled"), filepath.Join(bin, "go")} {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(bin, "compile_native_go_fuzzer_v2"), compiler, 0o777); err != nil {
		t.Fatal(err)
	}
	if text, err := build(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	compiled, err := os.ReadFile(filepath.Join(out, "compiled"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	zips := map[string]bool{}
	for line := range strings.Lines(string(compiled)) {
		fields := strings.Fields(line)
		names = append(names, fields[1])
		z, err := zip.OpenReader(filepath.Join(out, fields[2]+"_seed_corpus.zip"))
		if err != nil {
			t.Error(err)
			continue
		}
		if len(z.File) < 100 {
			t.Errorf("%s has %d seeds", fields[2], len(z.File))
		}
		z.Close()
		zips[fields[2]] = true
	}
	slices.Sort(names)
	if diff := cmp.Diff(written(t), names); diff != "" {
		t.Errorf("targets that are written, and that are built (-want +got)\n%s", diff)
	}
	if len(zips) != len(names) {
		t.Errorf("%d names for %d targets", len(zips), len(names))
	}
}

// The workflow takes its matrix from this command, which writes it in one line and in
// the form that Actions read.
func TestWorkflow(t *testing.T) {
	text, err := os.ReadFile("fuzz.yml")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"go run ./fuzz/ci -json",
		"uses: actions/cache/restore@v4", "- if: always()\n        uses: actions/cache/save@v4", // the other action saves nothing after a finding
		"matrix: ${{ fromJSON(needs.targets.outputs.matrix) }}",
		"${{ matrix.package }}", "${{ matrix.target }}", "${{ matrix.name }}",
	} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("fuzz.yml does not hold %s", want)
		}
	}
	var out bytes.Buffer
	if err := write(&out, []target{{Package: "x.y/z", Target: "FuzzA", Name: "z_fuzz_a"}, {Package: "x.y/z", Target: "FuzzB", Name: "z_fuzz_b"}}, true); err != nil {
		t.Fatal(err)
	}
	want := `{"include":[{"package":"x.y/z","target":"FuzzA","name":"z_fuzz_a"},{"package":"x.y/z","target":"FuzzB","name":"z_fuzz_b"}]}` + "\n"
	if out.String() != want {
		t.Errorf("matrix %s want %s", &out, want)
	}
}

// What is no flag is refused.
func TestArguments(t *testing.T) {
	out, err := exec.Command("go", "run", ".", "seeds").CombinedOutput()
	if err == nil || !bytes.Contains(out, []byte(`"seeds" is no flag`)) {
		t.Errorf("%v\n%s", err, out)
	}
}

// The step that lists the targets writes what the command prints, and fails with it.
func TestWorkflowLists(t *testing.T) {
	text, err := os.ReadFile("fuzz.yml")
	if err != nil {
		t.Fatal(err)
	}
	_, step, _ := strings.Cut(string(text), "- id: list\n        run: |\n")
	step, _, found := strings.Cut(step, "\n\n")
	if !found {
		t.Fatal("fuzz.yml has no step that lists the targets in a block")
	}
	for command, want := range map[string]string{"echo '{}'": "matrix={}\n", "exit 1": ""} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "go"), []byte("#!/bin/sh\n"+command+"\n"), 0o777); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("bash", "-c", step)
		out := filepath.Join(dir, "out")
		cmd.Env = append(os.Environ(), "GITHUB_OUTPUT="+out, "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
		err := cmd.Run()
		got, _ := os.ReadFile(out)
		if string(got) != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, error %v", command, got, err)
		}
	}
}

// What is written to a zip is in it.
func TestZipped(t *testing.T) {
	var b bytes.Buffer
	if err := zipped(&b, [][]byte{[]byte("one"), []byte("two")}); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, f.Name+" "+string(text))
	}
	if diff := cmp.Diff([]string{"0000 one", "0001 two"}, got); diff != "" {
		t.Error(diff)
	}
}
