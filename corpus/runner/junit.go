package runner

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

type (
	suiteXML struct {
		XMLName  xml.Name `xml:"testsuite"`
		Name     string   `xml:"name,attr"`
		Tests    int      `xml:"tests,attr"`
		Failures int      `xml:"failures,attr"`
		Errors   int      `xml:"errors,attr"`
		Skipped  int      `xml:"skipped,attr"`
		Time     string   `xml:"time,attr"`
		Cases    []caseXML
	}
	caseXML struct {
		XMLName xml.Name    `xml:"testcase"`
		Class   string      `xml:"classname,attr"`
		Name    string      `xml:"name,attr"`
		Time    string      `xml:"time,attr"`
		Failure *messageXML `xml:"failure"`
		Error   *messageXML `xml:"error"`
		Skipped *messageXML `xml:"skipped"`
	}
	messageXML struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// WriteJUnit writes the report in the form that build servers read.
func (r *Report) WriteJUnit(out io.Writer) error {
	suite := suiteXML{Name: "callwire/" + r.Welcome.Name, Time: seconds(r.Elapsed)}
	for i := range r.Results {
		res := &r.Results[i]
		c := caseXML{Class: res.Case.Topic(), Name: res.Name(), Time: seconds(res.Elapsed)}
		suite.Tests++
		switch res.Status {
		case Fail:
			var b strings.Builder
			err := errors.Join(
				reports.ExecuteTemplate(&b, "failure", newShownFailure(res, r.All)),
				reports.ExecuteTemplate(&b, "links", res.Case.Rules))
			if err != nil {
				return err
			}
			c.Failure = &messageXML{res.Failure.What, strings.TrimSpace(b.String())}
			suite.Failures++
		case UnexpectedPass:
			c.Failure = &messageXML{Message: "it passes, and is listed as known to fail"}
			suite.Failures++
		case NotRun:
			c.Error = &messageXML{Message: r.ended()}
			suite.Errors++
		case KnownFailure:
			c.Skipped = &messageXML{Message: "known failure: " + res.Failure.What}
			suite.Skipped++
		case Skipped:
			c.Skipped = &messageXML{Message: res.Skip}
			suite.Skipped++
		}
		suite.Cases = append(suite.Cases, c)
	}
	if r.Farewell != "" {
		suite.Cases = append(suite.Cases, caseXML{Class: "protocol", Name: "bye",
			Time: seconds(0), Failure: &messageXML{Message: r.Farewell}})
		suite.Tests++
		suite.Failures++
	}
	if _, err := io.WriteString(out, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(out)
	e.Indent("", "  ")
	if err := e.Encode(suite); err != nil {
		return err
	}
	_, err := io.WriteString(out, "\n")
	return err
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }
