package parse_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// wide is a catalog whose tool t requires n arguments k0, k1, …, at its top and
// in the object o.
func wide(t *testing.T, n int) *sig.Catalog {
	t.Helper()
	var keys, required []string
	for i := range n {
		keys = append(keys, fmt.Sprintf(`"k%d":{"type":"integer"}`, i))
		required = append(required, fmt.Sprintf(`"k%d"`, i))
	}
	object := fmt.Sprintf(`{"type":"object","properties":{%s},"required":[%s]}`, strings.Join(keys, ","), strings.Join(required, ","))
	inner := strings.TrimSuffix(object, "}") + "}"
	outer := strings.Replace(object, `"properties":{`, `"properties":{"o":`+inner+`,`, 1)
	c, err := sig.Compile([]byte(`[{"name":"t","inputSchema":` + outer + `}]`))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// lacking returns the paths that the only call of text lacks.
func lacking(t *testing.T, text string, catalog *sig.Catalog) []string {
	t.Helper()
	segs := parse.Text(text, catalog)
	if len(segs) != 1 || segs[0].Kind != parse.Call {
		t.Fatalf("%q is no call: %+v", text, segs)
	}
	var paths []string
	for _, i := range segs[0].Issues {
		if i.Code != lexer.MissingArgument {
			t.Errorf("%q: %s at %s", text, i.Code, i.Path)
		}
		paths = append(paths, i.Path)
	}
	return paths
}

// TestMissingAmongMany: which required argument is missing is known of the 63rd to
// the 66th as of the first, whether they are written as arguments, paths, an object
// or the whole body.
func TestMissingAmongMany(t *testing.T) {
	for n := 63; n <= 67; n++ {
		missingAmong(t, n)
	}
}

func missingAmong(t *testing.T, n int) {
	t.Helper()
	catalog := wide(t, n)
	for gone := -1; gone < n; gone++ {
		if gone > 2 && gone < 61 {
			continue
		}
		var args, paths, members []string
		for i := range n {
			if i != gone {
				args = append(args, fmt.Sprintf("k%d=%d", i, i))
				paths = append(paths, fmt.Sprintf("o.k%d=%d", i, i))
				members = append(members, fmt.Sprintf(`"k%d":%d`, i, i))
			}
		}
		whole := make([]string, n)
		for i := range whole {
			whole[i] = fmt.Sprintf("k%d=%d", i, i)
		}
		object := "{" + strings.Join(members, ",") + "}"
		for _, c := range []struct{ text, path string }{
			{"<call>t " + strings.Join(args, " ") + "</call>", "k%d"},
			{"<call>t " + strings.Join(whole, " ") + " " + strings.Join(paths, " ") + "</call>", "o.k%d"},
			{"<call>t " + strings.Join(whole, " ") + " o=" + object + "</call>", "o.k%d"},
			{"<call>t " + object + "</call>", "k%d"},
		} {
			want := ""
			if gone >= 0 {
				want = fmt.Sprintf(c.path, gone)
			}
			if got := strings.Join(lacking(t, c.text, catalog), " "); got != want {
				t.Errorf("missing %q, want %q, in %.60s…", got, want, c.text)
			}
		}
	}
}
