package parse_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/callwire/callwire/parse"
)

// mending returns options whose hook answers every malformed call with text.
func mending(text string) parse.Options {
	return parse.Options{Mend: func(parse.Segment) (string, bool) { return text, true }}
}

func TestMend(t *testing.T) {
	stopping := mending(`<call>t a=1</call>`)
	stopping.StopAfterMalformed = true
	accepting := mending(`<call>t a=1`)
	accepting.AcceptAtEnd = true
	for _, c := range []struct {
		name string
		opts parse.Options
		text string
		want string
	}{
		{"mended", mending(`<call>t a=1</call>`), `x <call>t a = 1</call>`, `text[0:2] tool-call[2:22]{"a":1} mended`},
		{"later calls stay marked", mending(`<call>t a=1</call>`), `<call>t a = 1</call><call>u</call>`, `tool-call[0:20]{"a":1} mended tool-call[20:34]{} after`},
		{"two calls are none", mending(`<call>t</call><call>u</call>`), `<call>t(</call>`, `malformed[0:15]bad-name`},
		{"text beside the call is none", mending(`so: <call>t</call>`), `<call>t(</call>`, `malformed[0:15]bad-name`},
		{"what is malformed again is none", mending(`<call>t(</call>`), `<call>t(</call>`, `malformed[0:15]bad-name`},
		{"half a call is none", accepting, `<call>t(</call>`, `malformed[0:15]bad-name`},
		{"only the first, when stopping", stopping, `<call>t(</call><call>t(</call>`, `tool-call[0:15]{"a":1} mended malformed[15:30]bad-name`},
	} {
		var got []string
		for _, s := range c.opts.Text(c.text, nil) {
			d := fmt.Sprintf("%s[%d:%d]%s", s.Kind, s.Start, s.End, s.Input)
			if s.Kind == parse.Malformed {
				d += string(s.Err.Code)
			}
			if s.Mended {
				d += " mended"
			}
			if s.AfterMalformed && s.Kind == parse.Call {
				d += " after"
			}
			got = append(got, d)
		}
		if got := strings.Join(got, " "); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
	}
}

// The hook is told what was wrong, and may decline.
func TestMendDeclines(t *testing.T) {
	var told parse.Segment
	opts := parse.Options{Mend: func(s parse.Segment) (string, bool) {
		told = s
		return "<call>t</call>", false
	}}
	segs := opts.Text("<call>t(</call>", nil)
	if len(segs) != 1 || segs[0].Kind != parse.Malformed {
		t.Errorf("got %+v", segs)
	}
	if told.Err == nil || told.Err.Offset != 7 || string(told.Text) != "<call>t(</call>" {
		t.Errorf("told %+v", told)
	}
}

// Each malformed span, mended call and call with issues is logged once.
func TestLogger(t *testing.T) {
	var out bytes.Buffer
	opts := mending("<call>t a=2</call>")
	opts.Logger = slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey || a.Key == slog.LevelKey {
			return slog.Attr{}
		}
		return a
	}}))
	opts.Text(`<call>t(</call><call>u</call><call>v s=r"x</call>`, nil)
	want := "msg=\"malformed call\" tool=\"\" start=0 end=15 code=bad-name at=7\n" +
		"msg=\"mended call\" tool=t start=0 end=15 code=bad-name at=7\n" +
		"msg=call tool=v start=29 end=49 issue.code=open-quote issue.path=s issue.at=39\n"
	if got := out.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
