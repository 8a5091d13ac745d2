package fuzz

import (
	"flag"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/sig"
)

var long = flag.Bool("long", false, "read twenty times as much; the gate does, with 600 examples of each property")

// TestMain makes rapid draw twenty times the examples with -long; -rapid.checks overrides
// that.
func TestMain(m *testing.M) {
	flag.Set("rapid.nofailfile", "true")
	flag.Parse()
	asked := false
	flag.Visit(func(f *flag.Flag) { asked = asked || f.Name == "rapid.checks" })
	if !asked {
		flag.Set("rapid.checks", strconv.Itoa(often(1000)))
	}
	debug.SetGCPercent(400) // a third of the time is garbage
	os.Exit(m.Run())
}

// often returns n with -long, otherwise a twentieth of it.
func often(n int) int {
	if *long {
		return n
	}
	return n / 20
}

// someAdversaries returns all families with -long, otherwise every sixth.
func someAdversaries() []Adversary {
	if *long {
		return Adversaries
	}
	var some []Adversary
	for i := 0; i < len(Adversaries); i += 6 {
		some = append(some, Adversaries[i])
	}
	return some
}

// sample is a message for the tests of reading, with its setup and cuts.
type sample struct {
	in    []byte
	cuts  []byte
	setup Setup
}

// known are samples that found a bug once, in the readers or in a mutant of them.
var known = []sample{
	{in: []byte("é😀é"), cuts: []byte{1, 2, 3, 1}},
	{in: []byte("<call> > <call>>"), cuts: Bytewise(16)},
	{in: []byte("<call>\t\n  t</call><call>\r"), cuts: Bytewise(19)},
	{in: []byte("a<call>t a=1<call>u</call>b"), cuts: []byte{3, 30}},
	{in: []byte("<call>t a=1</call><call>t a=12</call><call>t a=1</call>"), setup: Setup{Limits: lexer.Limits{Bytes: 18}}},
	{in: []byte("<call>t(x)</call><call>t a=12</call>"), cuts: []byte{17, 3}},
	{in: []byte("<call>t</call><call>t a=x a=x</call>")},
	{in: []byte(`<call>t a="é\ud83d\ude00\u00e9"</call>`), cuts: Bytewise(40)},
	{in: []byte("@/c@c@ct@/c@ct null/@"), cuts: Bytewise(21), setup: Setup{Delims: lexer.Delims{Open: "@c", Close: "@/c"}}},
	{in: []byte(`<call>u a=word</call><call>tool b=x k="a"</call>`), setup: Setup{Catalog: types}},
	{in: []byte("<call>t a.v=[] key=x a.b.d=y</call>"), cuts: Bytewise(40), setup: Setup{Strict: true, Catalog: groups}},
	{in: []byte("<call>u f=x\n</call><call>u a=1</call>"), setup: Setup{Catalog: groups}},
	{in: []byte("<call>t a.b.c=7 key=x</call>"), setup: Setup{Catalog: groups, Limits: lexer.Limits{Depth: 1}}},
	{in: []byte("<call>u a=1</call>" + strings.Repeat("x", 503) + "é, and more"), cuts: []byte{10}},
	{in: []byte("#!d d=x   \n!##!Let me check. éplain"), setup: Setup{Delims: lexer.Delims{Open: "#!", Close: "!#"}, Limits: lexer.Limits{Bytes: 17}, Accept: true}},
	{in: []byte("\xe2\x82\xe2\x82\xac"), cuts: Bytewise(5)},
}

// everySample checks a property of reading for drawn and known samples.
func everySample(t *testing.T, check func(t *rapid.T, s sample)) {
	t.Helper()
	rapid.Check(t, func(rt *rapid.T) {
		c := Drawn(rt)
		if c.IntN(50) == 0 {
			for _, s := range known {
				check(rt, s)
			}
			return
		}
		s := sample{setup: oneOf(c, setups...)}
		s.in = s.setup.Message(c)
		s.cuts = Cuts(c, len(s.in))
		check(rt, s)
	})
}

// everyReader checks a property for each of the three readers.
func everyReader(t *testing.T, check func(t *testing.T, open func(Setup) Reader)) {
	for _, r := range Readers {
		t.Run(r.Name, func(t *testing.T) { check(t, r.New) })
	}
}

// toolsEnv names a folder of further catalogs, one JSON file each, for the tests with
// generated catalogs.
const toolsEnv = "CALLWIRE_TOOLS"

// folder returns the catalogs of the folder, by file; none if the variable is not set.
func folder(t testing.TB) map[string]*sig.Catalog {
	t.Helper()
	dir := os.Getenv(toolsEnv)
	if dir == "" {
		return nil
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s names a folder without catalogs: %v", toolsEnv, err)
	}
	all := map[string]*sig.Catalog{}
	for _, file := range files {
		if filepath.Base(file) == "INDEX.json" {
			continue // lists the origin of the others
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if all[filepath.Base(file)], err = sig.Compile(text); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
	return all
}
