package runner

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"
)

// WriteJUnit writes the report in the form that build servers read.
func (r *Report) WriteJUnit(out io.Writer) error {
	n := r.Count()
	suite := struct {
		*Report
		Tests, Failures, Errors, Skipped int
	}{
		r, len(r.Results), n[Fail] + n[UnexpectedPass], n[NotRun], n[Skipped] + n[KnownFailure],
	}
	if r.Farewell != "" {
		suite.Tests++
		suite.Failures++
	}
	return reports.ExecuteTemplate(out, "junit", suite)
}

// details returns a failure as the report in Markdown has it.
func details(res *Result, all bool) (string, error) {
	var b strings.Builder
	err := reports.ExecuteTemplate(&b, "failure", newShownFailure(res, all))
	if err == nil {
		err = reports.ExecuteTemplate(&b, "links", res.Case.Rules)
	}
	return strings.TrimSpace(b.String()), err
}

// inXML returns text for an attribute or an element.
func inXML(text string) (string, error) {
	var b strings.Builder
	err := xml.EscapeText(&b, []byte(text))
	return b.String(), err
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }
