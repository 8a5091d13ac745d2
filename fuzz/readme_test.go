package fuzz

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReadme: the README names every property, every test of this folder and every target of the
// module, and only such.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	readme := string(text)
	for _, p := range Properties {
		if !strings.Contains(readme, "`"+p.Name+"`") {
			t.Errorf("README.md does not name the property %s", p.Name)
		}
	}
	exist := map[string]bool{}
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)[A-Z]\w*)\(`)
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range declared.FindAllStringSubmatch(string(source), -1) {
			exist[m[1]] = true
		}
	}
	list, err := exec.Command("../.ci/fuzz", "--list").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(list)) {
		exist[strings.Fields(line)[1]] = true
	}
	for name := range exist {
		named := regexp.MustCompile(`\b` + name + `\b`).MatchString(readme)
		if name != "TestMain" && name != "TestReadme" && !named {
			t.Errorf("README.md does not name %s", name)
		}
	}
	for _, name := range regexp.MustCompile(`\b(?:Test|Fuzz)[A-Z]\w*`).FindAllString(readme, -1) {
		if !exist[name] {
			t.Errorf("README.md names %s, which does not exist", name)
		}
	}
}
