package manual_test

import (
	"os"
	"strings"
	"testing"

	tiktoken "github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"

	"github.com/callwire/callwire/manual"
	"github.com/callwire/callwire/sig"
)

// benchCatalog are the tools of the token benchmark.
const benchCatalog = "../cmd/callwire/internal/bench/catalog.json"

// classicHeader is how many tokens the header has that the classic notation was
// published with.
const classicHeader = 143

// mostOfClassic is how much of the classic manual ours may cost, in per cent.
const mostOfClassic = 78

// The manual costs at most 78 per cent of the classic one for the same tools,
// and its signatures have the same parameters.
func TestTokens(t *testing.T) {
	text, err := os.ReadFile(benchCatalog)
	if err != nil {
		t.Fatal(err)
	}
	catalog, err := sig.Compile(text)
	if err != nil {
		t.Fatal(err)
	}
	plans, err := catalog.Plans(sig.PlanOptions{})
	if err != nil {
		t.Fatal(err)
	}
	classic := classicLines(sig.SignatureOptions{Style: sig.Classic}.Signatures(plans))
	prompt := manual.Render(catalog, manual.Options{})
	for _, tool := range catalog.Tools() {
		if !strings.Contains(prompt, "- "+tool.Description) {
			t.Errorf("the description of %s is not in the manual", tool.Name)
		}
	}
	tiktoken.SetBpeLoader(loader.NewOfflineLoader())
	for _, name := range []string{"o200k_base", "cl100k_base"} {
		encoding, err := tiktoken.GetEncoding(name)
		if err != nil {
			t.Fatal(err)
		}
		count := func(text string) int { return len(encoding.EncodeOrdinary(text)) }
		ours, theirs := count(prompt), classicHeader+count(classic)
		t.Logf("%s: %d tokens, classic %d (%.1f %%), JSON definitions %d; compact lines %d, classic lines %d",
			name, ours, theirs, 100*float64(ours)/float64(theirs), count(string(text)),
			count(strings.Join(sig.SignatureOptions{}.Signatures(plans), "\n")), count(classic))
		if ours*100 > theirs*mostOfClassic {
			t.Errorf("%s: %d tokens are more than %d %% of %d", name, ours, mostOfClassic, theirs)
		}
	}
}

// classicLines writes signatures as the classic notation did: behind a hyphen,
// with the names of types that JSON Schema has.
func classicLines(lines []string) string {
	full := strings.NewReplacer(":int", ":number", ":bool", ":boolean")
	for i, line := range lines {
		parameters, description, _ := strings.Cut(line, " — ")
		lines[i] = "- " + full.Replace(parameters) + " — " + description
	}
	return strings.Join(lines, "\n")
}
