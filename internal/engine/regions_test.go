package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwire/callwire/internal/engine"
	"github.com/callwire/callwire/internal/format"
	"github.com/callwire/callwire/sig"
)

// everySplit checks what is read of in: at once, byte by byte, and at every cut into two.
func everySplit(t *testing.T, in string, o engine.Options, check func(lines []string) string) {
	t.Helper()
	catalog, _ := sig.Compile([]byte(tools))
	var each []int
	for i := 1; i < len(in); i++ {
		each = append(each, i)
	}
	for i := range in {
		cuts := []int{i}
		switch i {
		case 0:
			cuts = each
		case 1:
			cuts = nil
		}
		lines, err := run(newParser(catalog, o), []byte(in), cuts)
		if problem := check(lines); problem != "" || err != nil {
			got := strings.Join(lines, "\n")
			t.Errorf("%s %q, cuts %v: %v %s\n%s", o.Format, in, cuts, err, problem, got)
			return
		}
	}
}

// counts returns a check of how many lines of each kind there are.
func counts(calls, malformed int, code string) func([]string) string {
	return func(lines []string) string {
		calls, malformed := calls, malformed
		for _, line := range lines {
			switch {
			case strings.HasPrefix(line, "tool-call"):
				calls--
			case strings.HasPrefix(line, "malformed") && strings.Contains(line, code):
				malformed--
			}
		}
		if calls != 0 || malformed != 0 {
			return "wrong calls"
		}
		return ""
	}
}

// In every format, calls in Markdown code and in reasoning are not delivered, however they come.
func TestRegionsInEveryFormat(t *testing.T) {
	for k := range textFormats {
		f := &textFormats[k]
		safe := engine.Options{Format: f.format, AllowAfterMalformed: true}
		safe.Reasoning = format.TaggedReasoning
		all := engine.Options{Format: f.format, AllowInCode: true}
		for _, s := range []struct {
			text             string
			calls, malformed int
			code             string
		}{
			{"Say:\n~~~\nCALL\n~~~\nCALL", 1, 1, " in-code "},
			{"Say:\n~~~ xml\nCALL\n~~~ xml\nCALL", 0, 2, " in-code "},
			{"> ~~~\n> CALL\n\nCALL", 1, 1, " in-code "},
			{"- a\n\n  ~~~\n  CALL\n  ~~~\n\nCALL", 1, 1, " in-code "},
			{"It is `` CALL `` or CALL", 1, 1, " in-code "},
			{"\n~~~xml\nCALL\n~~~\nCALL", 2, 0, ""},
			{"<think>CALL</think>CALL", 1, 0, ""},
			{"<think>Now: CALL", 0, 1, " in-reasoning "},
		} {
			in := strings.ReplaceAll(s.text, "CALL", f.call)
			everySplit(t, in, safe, counts(s.calls, s.malformed, s.code))
			n := strings.Count(s.text, "CALL")
			everySplit(t, in, all, counts(n, 0, ""))
		}
	}
}

// The tags of reasoning, as they are and in other spellings. What is between { and } is reasoning,
// tags included.
func TestReasoningTags(t *testing.T) {
	for _, s := range []string{
		"a {<think>b</think>} c", "{<THINK>b</Think>}", "{<think >b</think\n>}",
		"{<Thinking a=1 b=\"x>y\" c='z'>b</thinking>}", "{<think\ta=b>c</think >}",
		"{<antThinking>b</antthinking>}", "{<seed:think>b</SEED:think>}",
		"{<think>b</think a=b></think>}", "<think about> a", "<think a>b</think>",
		"<thinker>b</thinker>", "< think>b", "<think/>b", "<think a=\"b\nc\">d",
		"<think a=" + strings.Repeat("x", 200) + ">b", "{[THINK]a[/THINK]}b", "[Think]a[/Think]",
		"[THINK ]a", "{◁think▷a◁/think▷}b", "{<|START_THINKING|>a<|END_THINKING|>}b",
		"<|start_thinking|>a",
		"a{<|channel|>analysis<|message|>b<|end|>}<|channel|>final<|message|>c",
		"{<|start|>assistant<|channel|>analysis<|message|>b<|end|>}<|start|>assistant",
		" \n{<scratchpad>a</scratchpad>}b<scratchpad>c</scratchpad>",
		"{<Reflection>a</reflection>}", "a<reflection>b</reflection>",
		"{<think>a</think>}<scratchpad>b</scratchpad>", "Write `<think>` and b",
		"Write `a <think>b</think>` c", "{<think>a</thinking>b</think>}c</think>", "a</think>b",
		"{<think>a}",
	} {
		checkReasoning(t, s, format.TaggedReasoning)
	}
}

// A message may begin in reasoning. Any tag that closes reasoning ends it.
func TestStartedReasoning(t *testing.T) {
	for _, s := range []string{
		"{a</think>}b", "{a</THINKING >}b{<think>c</think>}", "{a<think>b[/THINK]}c", "{a<|end|>}b",
		"{a}", "",
	} {
		checkReasoning(t, s, format.StartedReasoning)
	}
}

// checkReasoning checks what is reasoning in s, which has braces around it.
func checkReasoning(t *testing.T, s string, r format.Reasoning) {
	t.Helper()
	in := strings.NewReplacer("{", "", "}", "").Replace(s)
	everySplit(t, in, engine.Options{Reasoning: r}, func(lines []string) string {
		if got := braced(in, lines); got != s {
			return "got " + got
		}
		return ""
	})
}

// braced returns in with braces around its reasoning.
func braced(in string, lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		var start, end int
		kind, span, _ := strings.Cut(line, " ")
		span, _, _ = strings.Cut(span, " ")
		if _, err := fmt.Sscanf(span, "%d-%d", &start, &end); err != nil {
			return line
		}
		if kind == "reasoning" {
			b.WriteString("{" + in[start:end] + "}")
		} else {
			b.WriteString(in[start:end])
		}
	}
	return b.String()
}
