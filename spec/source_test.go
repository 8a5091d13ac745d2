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
	want := []declaration{
		{"T", true, "a.go", "A T is a type.\nIt has two lines.", []string{"x.one", "x.two"}},
		{"T.F", false, "a.go", "F is a field.", []string{"x.field"}},
		{"U", true, "a.go", "U states nothing.", nil},
		{"f", false, "a.go", "f does it.", []string{"x.three", "x.four"}},
	}
	for i := range got {
		if len(got[i].rules) == 0 {
			got[i].rules = nil
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	files["b.go"] = &fstest.MapFile{Data: []byte("package")}
	if _, err := readDeclarations(files); err == nil {
		t.Error("a broken file is read")
	}
}
