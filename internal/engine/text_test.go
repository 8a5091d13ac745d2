package engine_test

import (
	"fmt"
	"math/rand"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/engine"
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/sig"
)

// textPieces are pieces of what comes between calls. CALL is a call in the format that is read,
// OPEN and CLOSE are its tags.
var textPieces = []string{
	"CALL", "CALL", "CALL", "OPEN", "OPEN", "CLOSE", "OPEN ", "OPEN\n", "a", "it's", "<b>",
	"</b>", "<", "[", "x [1](u) ", " ", "\n", "\n", "\n\n", "<think>", "</think>", "<think>",
	"</think>", "<thinking>", "</thinking>", "[THINK]", "[/THINK]", "◁think▷", "◁/think▷",
	"<thought>", "</thought>", "<seed:think>", "</seed:think>", "<thin", "</thi", "k>", "é", "`",
	"`", "``", "\n```\n", "\n```\n", "\n~~~\n", "\xe2", "\x97",
}

// spellings are pieces that the first core reads as text, or otherwise.
var spellings = []string{
	"```", "\n~~~ x\n", "\n> ```\n> ", "- a\n\n  ```\n  ", "\\`", "<Think>", "<think >",
	"<THINKING a=\"b>c\">", "</THINK>", "</think\n>", "<think a=b c='d' >", "<think about>",
	"<|START_THINKING|>", "<|END_THINKING|>", "<antThinking>", "</antthinking>",
	"<|channel|>analysis<|message|>", "<|end|>", "<reflection>", "</reflection>", "<scratchpad>",
	"</scratchpad>",
}

// nearPieces are pieces of near misses and of openers of other formats.
var nearPieces = []string{
	"<CALL>t a=1</CALL>", "<call >t</call >", "<call t a=\"x\"/>", "<call t>",
	"<call name=\"t\">", "<call:t>", "<call=t ", "<call>\"t\"", "<call>`t a=x`", "<call>**",
	"<call> <b>", "<Call>", "<CALL", "<cal", "<tool_call>", "</tool_call>", "<tool_call>{",
	"<tool_call>\n", "<invoke name=\"t\">", "</invoke>", "<function=t>", "</function>",
	"<tool_calls>", "<function_calls>", "[TOOL_CALLS]", "[TOOL_CALLS][", "\n```tool_code\n",
	"{\"name\":\"t\",\"arguments\":{}}", "<parameter=a>", "</parameter>", "/>", ">", "\"", "'",
	"=", "  ", "         ", "<|python_tag|>", "<|channel|>", "<|channel|>commentary to=",
	"analysis",
}

// textFormat is a format with a call in it.
type textFormat struct {
	format *format.Format
	call   string
}

var textFormats = []textFormat{
	{nil, "<call>t a=1</call>"},
	{
		format.Hermes, "<tool_call>{\"name\": \"t\", \"arguments\": {\"a\": 1}}</tool_call>",
	},
	{format.GemmaFence, "```tool_call\n{\"name\": \"t\"}\n```"},
	{
		format.Qwen3Coder,
		"<tool_call><function=t><parameter=a>1</parameter></function></tool_call>",
	},
	{format.MorphXML, "<t><a>1</a></t>"},
	{format.GLM45, "<tool_call>t\n<arg_key>a</arg_key><arg_value>1</arg_value></tool_call>"},
	{format.Any(format.Wire, format.Hermes, format.Qwen3Coder), "<call>t a=1</call>"},
	{format.Any(format.MorphXML, format.GemmaFence, format.KimiK2), "<t><a>1</a></t>"},
}

// text returns a random text.
func (f *textFormat) text(r *rand.Rand, pieces ...[]string) string {
	open, close := "<call>", "</call>"
	if f.format != nil && !f.format.ToolTags() {
		open, close = f.format.Call.Open, f.format.Call.Close
	}
	var b strings.Builder
	for n := 1 + r.Intn(16); n > 0; n-- {
		list := pieces[r.Intn(len(pieces))]
		switch p := list[r.Intn(len(list))]; {
		case p == "CALL":
			b.WriteString(f.call)
		case strings.HasPrefix(p, "OPEN"):
			b.WriteString(open + p[4:])
		case p == "CLOSE":
			b.WriteString(close)
		default:
			b.WriteString(p)
		}
	}
	return b.String()
}

// A textCheck checks a random text, which it returns.
type textCheck = func(r *rand.Rand, f *textFormat, o engine.Options) (in string, err error)

// texts calls check for n random texts in each format.
func texts(t *testing.T, n int, check textCheck) {
	if s := os.Getenv("TEXTS"); s != "" {
		n, _ = strconv.Atoi(s)
	}
	for k := range textFormats {
		f := &textFormats[k]
		r := rand.New(rand.NewSource(int64(k + n)))
		for i, bad := 0, 0; i < n && bad < 3; i++ {
			o := engine.Options{
				Format: f.format, Reasoning: format.Reasoning(r.Intn(3)), AllowInCode: r.Intn(2) == 0,
				AllowAfterMalformed: r.Intn(3) != 0, AllowUnclosed: r.Intn(3) == 0,
			}
			if r.Intn(6) == 0 {
				o.Limits.Bytes = 8 + r.Intn(60)
			}
			if in, err := check(r, f, o); err != nil {
				bad++
				t.Errorf("%s: %q %+v: %v", o.Format, in, o, err)
			}
		}
	}
}

// What comes between calls is read the same at any split.
func TestTextSplits(t *testing.T) {
	catalog, _ := sig.Compile([]byte(tools))
	texts(t, 20_000, func(r *rand.Rand, f *textFormat, o engine.Options) (string, error) {
		in := f.text(r, textPieces, spellings, nearPieces)
		o.Repair = r.Intn(2) == 0
		want, err := run(newParser(catalog, o), []byte(in), nil)
		if err != nil {
			return in, err
		}
		var cuts, each []int
		for i, k := 0, 1+r.Intn(8); i < len(in); i++ {
			if r.Intn(k) == 0 {
				cuts = append(cuts, i)
			}
			each = append(each, i)
		}
		for _, cuts := range [][]int{cuts, each} {
			got, err := run(newParser(catalog, o), []byte(in), cuts)
			if a, b := strings.Join(got, "\n"), strings.Join(want, "\n"); err != nil || a != b {
				return in, fmt.Errorf("%v\nat %v\n%s\nwhole\n%s", err, cuts, a, b)
			}
		}
		return in, nil
	})
}

// The work on what comes between calls is linear: ten times the text takes ten times the steps.
func TestTextLinear(t *testing.T) {
	catalog, _ := sig.Compile([]byte(tools))
	for _, unit := range []string{
		"`", "``` ", "\n```", "\n- ", "> ", "\\", "<", "[", "\xe2", "<think", "<think ",
		"<think a=b ", "</think", "<think>", "<think></think>", "[THINK]", "<call", "<call ",
		"<call>", "<call> ", "<call>\n\n", "<call t", "<call t ", "<call>`", "<call><",
		"<call> <b>", "<CALL>", "<CALL>t", "<tool_call>", "<tool_call>{",
		"<tool_call><function=", "<tool_call>\n", "<invoke name=\"", "<function=t>",
		"<function=t><parameter=a>", "[TOOL_CALLS]", "\n```tool_code\n", "<|channel|>",
		"<|channel|>analysis<|message|>",
	} {
		for _, before := range []string{"", "a\n", "<think>", "<think>\n<call>"} {
			for _, size := range []int{1, 7, 4096} {
				o := engine.Options{Reasoning: format.TaggedReasoning, Repair: true}
				p := newParser(catalog, o)
				steps := func(n int) int {
					p.Reset()
					for w := []byte(before + strings.Repeat(unit, n/len(unit))); len(w) > 0; {
						k := min(size, len(w))
						p.Feed(w[:k])
						w = w[k:]
					}
					p.Close()
					return p.Steps()
				}
				if small, large := steps(4_000), steps(40_000); large > 11*small+2000 {
					t.Errorf("%q after %q by %d: %d, %d steps", unit, before, size, small, large)
				}
			}
		}
	}
}
