package main

import (
	"bytes"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestPictures: the pictures of the README are those of what is printed now.
func TestPictures(t *testing.T) {
	source, err := os.ReadFile("picture.go")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^//go:generate go run \. picture --out (\S+) --lines (\d+) -- (.*)$`).FindAllStringSubmatch(string(source), -1)
	if len(found) != 2 {
		t.Fatalf("%d pictures", len(found))
	}
	for _, m := range found {
		lines, _ := strconv.Atoi(m[2])
		want, err := pictureOf(strings.Fields(m[3]), lines)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(m[1]); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s shows something else: go generate -run picture ./cmd/callwire (%v)", m[1], err)
		}
	}
	if got := callwire("", "picture", "--", "nope"); got.code != exitFailed {
		t.Errorf("%+v", got)
	}
}
