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
	"github.com/callwire/callwire/stream/middleware/scripted"
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
func (c *exchangeCase) run(t *testing.T, write int) string {
	var opts struct {
		Options
		Rescue string
		Plain  bool // without the options of the other tests
		Breaks bool // the connection breaks after the reply
		Status int  // of the reply
	}
	if err := json.Unmarshal([]byte(c.opts), &opts); err != nil {
		t.Fatal(err)
	}
	if opts.Rescue != "" {
		opts.Options.Rescue = format.Hermes
	}
	var stages []string
	opts.OnRewrite = func(_ *http.Request, r Rewrite) {
		stages = append(stages, strings.Join(append([]string{string(r.Stage)}, r.Repairs...), " "))
	}
	m := canned(c.replies...)
	m.Shape.Write = write
	if c.kind != "" {
		m.Script = nil
		for _, raw := range c.replies {
			reply := scripted.Reply{Raw: raw, ContentType: c.kind, Status: opts.Status}
			if opts.Breaks {
				reply.Break = len(raw)
			}
			m.Replies = append(m.Replies, reply)
		}
	}
	body := strings.NewReplacer(abbreviations...).Replace(c.body)
	if !opts.Plain {
		opts.Options = shown(opts.Options)
	}
	status, out, err := ask(m, opts.Options, c.path, body)
	if strings.Contains(c.path, "enerateContent") {
		readReply(t, c.path, out)
	}
	head := strings.TrimSpace(c.path + " " + c.opts + " " + c.kind)
	s := fmt.Sprintf("=== %s\n%s\n%s\n", c.name, head, c.body)
	for _, reply := range c.replies {
		s += "--- reply\n" + reply + "\n"
	}
	requests := m.Requests()
	for i := 1; i < len(requests); i++ {
		n, first, again := 0, requests[0].Body, requests[i].Body
		for n < min(len(again), len(first)) && again[n] == first[n] {
			n++
		}
		s += "--- the model sees\n…" + string(again[n:]) + "\n"
	}
	if len(c.replies) > 0 && out == c.replies[0] {
		out = "unchanged"
	}
	if err != nil {
		out += fmt.Sprintf("\nerror: %v", err)
	} else if status != http.StatusOK {
		out = fmt.Sprintf("%d %s", status, out)
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
				want := c.run(t, 0)
				for _, write := range []int{1, 7} {
					if got := c.run(t, write); got != want {
						t.Errorf("%s: in pieces of %d\n%s\nwant\n%s", c.name, write, got, want)
					}
				}
				out.WriteString(want)
			}
			golden.Assert(t, out.String(), file)
		})
	}
}
