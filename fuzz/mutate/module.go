package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// module is the module whose tests are measured.
type module struct {
	root     string
	path     string
	packages []listed
}

// listed is a package as go list prints it.
type listed struct {
	ImportPath, Dir           string
	Deps                      []string
	TestGoFiles, XTestGoFiles []string
	TestImports, XTestImports []string
	Module                    struct{ Path, Dir string }
}

// openModule lists the module that contains dir.
func openModule(ctx context.Context, dir string) (*module, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-json=ImportPath,Dir,Deps,TestGoFiles,XTestGoFiles,TestImports,XTestImports,Module", "./...")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return nil, fmt.Errorf("go list: %s", exit.Stderr)
		}
		return nil, err
	}
	m := new(module)
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		m.root, m.path = p.Module.Dir, p.Module.Path
		m.packages = append(m.packages, p)
	}
	if len(m.packages) == 0 {
		return nil, fmt.Errorf("no packages in %s", dir)
	}
	return m, nil
}

// folder returns the folder of p in the module, with slashes.
func (m *module) folder(p listed) string {
	return strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, m.path), "/")
}

// find returns the package in the folder, or nil.
func (m *module) find(folder string) *listed {
	for i := range m.packages {
		if m.folder(m.packages[i]) == folder {
			return &m.packages[i]
		}
	}
	return nil
}

// tested returns the folders of the packages with tests that can notice a change to the
// package in the folder target.
func (m *module) tested(target string) []string {
	want := filepath.ToSlash(m.path + "/" + target)
	uses := map[string]bool{want: true}
	for _, p := range m.packages {
		uses[p.ImportPath] = uses[p.ImportPath] || slices.Contains(p.Deps, want)
	}
	var folders []string
	for _, p := range m.packages {
		if len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 {
			continue
		}
		noticed := uses[p.ImportPath]
		for _, i := range slices.Concat(p.TestImports, p.XTestImports) {
			noticed = noticed || uses[i]
		}
		if noticed {
			folders = append(folders, m.folder(p))
		}
	}
	return folders
}

// draws reports whether the tests of p accept the flags of rapid.
func (p *listed) draws() bool {
	return slices.Contains(slices.Concat(p.TestImports, p.XTestImports), "pgregory.net/rapid")
}
