package proxy

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/callwire/callwire/cmd/callwire/internal/terminal"
	"github.com/callwire/callwire/internal/turns"
	"github.com/callwire/callwire/stream/middleware"
)

// show shows people what was rewritten in a request: a headline, with lines under it.
func (o *Options) show(n int64, r middleware.Rewrite) {
	style, headline := terminal.Calling, ""
	var lines []string
	switch r.Stage {
	case middleware.Request:
		headline = fmt.Sprintf("%s: %d bytes become %d; the model sees",
			r.API, len(r.Before), len(r.After))
		lines = o.conversation(r.After)
	case middleware.Retry:
		style, headline = terminal.Doubt, "sent back to the model, which sees"
		lines = o.conversation(r.After)
	case middleware.Load:
		headline = "tools are loaded; the model sees"
		lines = o.conversation(r.After)
	case middleware.Untouched:
		style, headline = terminal.Dim, "sent unchanged: "+r.Reason
	case middleware.Invented:
		style, headline = terminal.Doubt, r.Reason
	case middleware.Call:
		headline = terminal.CallMark + string(r.Before)
		lines = []string{"becomes " + terminal.Visible(r.After)}
		if len(r.Repairs) > 0 {
			lines[0] += ", repaired: " + strings.Join(r.Repairs, ", ")
		}
	case middleware.Malformed:
		style, headline = terminal.Wrong, terminal.MalformedMark+string(r.Before)
		lines = visibleLines(r.Reason)
	default:
		return
	}
	var b bytes.Buffer
	number := o.Screen.Paint(terminal.Dim, fmt.Sprintf("#%d", n))
	fmt.Fprintf(&b, "%s %s\n", number, o.Screen.Paint(style, terminal.Visible(headline)))
	for _, line := range lines {
		b.WriteString(terminal.Margin + line + "\n")
	}
	o.Out.Write(b.Bytes())
}

// conversation returns in lines what the model sees for the first time: the turns after its own
// last one.
func (o *Options) conversation(body []byte) (lines []string) {
	all := turns.Of(body)
	unseen := turns.Unseen(all)
	if known := len(all) - len(unseen); known > 0 {
		before := terminal.Count(known, "turn") + " as before"
		lines = append(lines, o.Screen.Paint(terminal.Dim, before))
	}
	for _, t := range unseen {
		role := fmt.Sprintf("%-9s ", terminal.Visible(t.Role))
		for _, text := range visibleLines(t.Text) {
			line := strings.TrimRight(o.Screen.Paint(terminal.Dim, "│")+" "+text, " ")
			lines = append(lines, o.Screen.Paint(terminal.Key, role)+line)
			role = strings.Repeat(" ", len(role))
		}
	}
	return lines
}

// visibleLines returns the lines of text as they are safe to print.
func visibleLines(text string) []string {
	return strings.Split(strings.TrimSuffix(terminal.VisibleText(text), "\n"), "\n")
}
