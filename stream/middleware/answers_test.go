package middleware

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/internal/golden"
)

// An exchangeCase is a case of testdata/answers: a request, what the upstream answers, and
// what the application gets. Tools are abbreviated as in testdata/requests, ␍ is a carriage
// return, and ids of ours are numbered.
type exchangeCase struct {
	name, path, kind string
	opts             string // fields of Options as JSON
	body             string
	replies          []string
}

// abbreviations are those of testdata/requests.
var abbreviations = []string{"$CHAT", weatherTool, "$MESSAGES", weatherToolA}

var ourID = regexp.MustCompile(`(call|toolu|fc|msg_callwire)_[0-9a-f]{24}`)

// run returns the case with its results, in the form of the file.
func (c *exchangeCase) run(t *testing.T, cuts []byte) string {
	var opts struct {
		Options
		Rescue string
		Plain  bool // without the options of the other tests
	}
	if err := json.Unmarshal([]byte(c.opts), &opts); err != nil {
		t.Fatal(err)
	}
	if opts.Rescue != "" {
		opts.Options.Rescue = format.Hermes
	}
	var stages []string
	opts.OnRewrite = func(_ *http.Request, r Rewrite) { stages = append(stages, string(r.Stage)) }
	u := &upstream{replies: c.replies, kind: c.kind, cuts: cuts}
	body := strings.NewReplacer(abbreviations...).Replace(c.body)
	if !opts.Plain {
		opts.Options = shown(opts.Options)
	}
	out, err := u.tryPlain(opts.Options, c.path, body)
	head := strings.TrimSpace(c.path + " " + c.opts + " " + c.kind)
	s := fmt.Sprintf("=== %s\n%s\n%s\n", c.name, head, c.body)
	for _, reply := range c.replies {
		s += "--- reply\n" + reply + "\n"
	}
	for i := 1; i < len(u.bodies); i++ {
		n := 0
		for n < min(len(u.bodies[i]), len(u.bodies[0])) && u.bodies[i][n] == u.bodies[0][n] {
			n++
		}
		s += "--- the model sees\n…" + u.bodies[i][n:] + "\n"
	}
	if err != nil {
		out += fmt.Sprintf("\nerror: %v", err)
	}
	if len(c.replies) > 0 && out == c.replies[0] {
		out = "unchanged"
	}
	s += "--- reports\n" + strings.Join(stages, ", ") + "\n--- answer\n" + out + "\n\n"
	numbers := map[string]string{}
	return ourID.ReplaceAllStringFunc(strings.ReplaceAll(s, "\r", "␍"), func(id string) string {
		prefix, hash := id[:len(id)-24], id[len(id)-24:]
		if numbers[hash] == "" {
			numbers[hash] = fmt.Sprint(len(numbers) + 1)
		}
		return prefix + numbers[hash]
	})
}

// readAnswers reads the cases of a file.
func readAnswers(t *testing.T, file string) (cases []exchangeCase) {
	text := strings.ReplaceAll(string(golden.Get(t, file)), "␍", "\r")
	for _, block := range strings.Split(text, "=== ")[1:] {
		sections := strings.Split(block, "\n--- ")
		head := strings.SplitN(sections[0], "\n", 3)
		fields := strings.SplitN(head[1]+" ", " ", 3)
		c := exchangeCase{name: head[0], path: fields[0], opts: fields[1], kind: strings.TrimSpace(fields[2]), body: head[2]}
		for _, s := range sections[1:] {
			if reply, ok := strings.CutPrefix(s, "reply\n"); ok {
				c.replies = append(c.replies, reply)
			}
		}
		cases = append(cases, c)
	}
	return cases
}

// TestAnswers: what the application gets is as in the files, in whatever pieces the answer
// arrives.
func TestAnswers(t *testing.T) {
	files, _ := filepath.Glob("testdata/answers/*.txt")
	for _, file := range files {
		file, _ = strings.CutPrefix(file, "testdata/")
		t.Run(file, func(t *testing.T) {
			var out strings.Builder
			for _, c := range readAnswers(t, file) {
				want := c.run(t, nil)
				for _, cuts := range [][]byte{{0}, {1, 2, 40}} {
					if got := c.run(t, cuts); got != want {
						t.Errorf("%s: in pieces of %v\n%s\nwant\n%s", c.name, cuts, got, want)
					}
				}
				out.WriteString(want)
			}
			golden.Assert(t, out.String(), file)
		})
	}
}
