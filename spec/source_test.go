package spec

import (
	"reflect"
	"testing"
	"testing/fstest"
)

func TestReadDeclarations(t *testing.T) {
	files := fstest.MapFS{
		"a.go": {Data: []byte(`package a

// A T is a type.
// It has two lines.
//
// Rule: x.one, x.two
type T struct {
	// F is a field.
	//
	// Rule: x.field
	F int
	G int // none
}

// U states nothing.
type U int

// f does it.
//
// Rule: x.three,
// x.four
func f() {}

func g() {}
`)},
		"a_test.go": {Data: []byte("package a\n\n// Rule: x.test\ntype V int\n")},
	}
	got, err := readDeclarations(files)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]declaration{
		"T": {"A T is a type.\nIt has two lines.", []string{"x.one", "x.two"}},
		"U": {"U states nothing.", []string{}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	files["b.go"] = &fstest.MapFile{Data: []byte("package")}
	if _, err := readDeclarations(files); err == nil {
		t.Error("a broken file is read")
	}
}
