package main

import (
	"debug/buildinfo"
	"encoding/json"
)

// The bill of materials of a program, in the form of CycloneDX 1.5.
type (
	bill struct {
		Format     string      `json:"bomFormat"`
		Spec       string      `json:"specVersion"`
		Version    int         `json:"version"`
		Metadata   metadata    `json:"metadata"`
		Components []component `json:"components"`
	}
	metadata struct {
		Component component `json:"component"`
	}
	component struct {
		Type    string `json:"type"`
		Name    string `json:"name"`
		Version string `json:"version"`
		URL     string `json:"purl"`
		Sum     string `json:"description,omitempty"` // of go.sum
	}
)

// billOf returns what a program is made of, as the program itself says.
func billOf(program, version string) ([]byte, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return nil, err
	}
	of := func(kind, name, version, sum string) component {
		return component{kind, name, version, "pkg:golang/" + name + "@" + version, sum}
	}
	b := bill{Format: "CycloneDX", Spec: "1.5", Version: 1}
	b.Metadata.Component = of("application", info.Main.Path, version, "")
	b.Components = []component{of("library", "std", info.GoVersion, "")}
	for _, m := range info.Deps {
		b.Components = append(b.Components, of("library", m.Path, m.Version, m.Sum))
	}
	text, err := json.MarshalIndent(b, "", "  ")
	return append(text, '\n'), err
}
