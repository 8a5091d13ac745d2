package serve

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/cmd/callwire/internal/protocol"
	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/stream"
)

// operations are those of the protocol, in the order in which hello names them.
// One without a function is skipped. Each function is in the file of its name,
// parse.go and so on.
var operations = []struct {
	name string
	do   func(s *Server, request []byte) (protocol.Answer, error)
}{
	{"parse", (*Server).parse},
	{"stream", (*Server).stream},
	{"format", (*Server).format},
	{"sig", (*Server).sig},
	{"manual", (*Server).manual},
	{protocol.Feed, (*Server).feed},
	{protocol.Close, (*Server).close},
	{protocol.Reset, (*Server).reset},
}

// servedSince2 are the operations that protocol 1 does not know. hello names
// feed alone: who can feed can close and reset.
func servedSince2(op string) bool {
	return op == protocol.Feed || op == protocol.Close || op == protocol.Reset
}

// Server answers requests. But for its streams its state only saves work: no
// answer depends on the requests before it.
type Server struct {
	version  string
	streams  map[string]*stream.Decoder
	in       *jsonl.Lines
	out      *bufio.Writer
	enc      *json.Encoder
	catalogs map[string]*sig.Catalog // by the text of their tools
}

// New returns a server that says in its answer to hello which version it is.
func New(in io.Reader, out io.Writer, version string) *Server {
	w := bufio.NewWriter(out)
	return &Server{
		version:  version,
		in:       jsonl.NewLines(in),
		out:      w,
		enc:      jsonl.NewEncoder(w),
		catalogs: make(map[string]*sig.Catalog),
		streams:  make(map[string]*stream.Decoder),
	}
}

// Serve answers each line until bye or the end of input. Blank lines are not
// requests.
func (s *Server) Serve() error {
	for {
		line, err := s.in.Next()
		switch {
		case err == io.EOF:
			return nil
		case err != nil && err != jsonl.ErrLong:
			return fmt.Errorf("cannot read on: %w", err)
		case err == nil && len(line) == 0:
			continue
		}
		answer := any(refusal(nil, err))
		if err == nil {
			if answer = s.answer(line); answer == nil {
				return nil
			}
		}
		s.enc.Encode(answer)
		if err := s.out.Flush(); err != nil {
			return fmt.Errorf("cannot write: %w", err)
		}
	}
}

// answer returns the answer to a request; nil to bye.
func (s *Server) answer(line []byte) any {
	var head protocol.Head
	if !utf8.Valid(line) {
		return refusal(nil, errors.New(`a request is UTF-8; send other text as {"b64":"…"}`))
	}
	if err := json.Unmarshal(line, &head); err != nil {
		return refusal(head.Seq, fmt.Errorf("a request is one JSON object in a line: %w", jsonl.Error(err)))
	}
	if err := jsonl.CheckMembers(line); err != nil {
		return refusal(head.Seq, err)
	}
	switch head.Cmd {
	case "":
	case protocol.Hello:
		spoken, err := agree(head.Protocol, head.Min)
		if err != nil {
			return refusal(head.Seq, err)
		}
		return s.welcome(spoken)
	case protocol.Bye:
		return nil
	default:
		return refusal(head.Seq, fmt.Errorf("unknown cmd %q; there are hello and bye", head.Cmd))
	}
	if head.Seq == nil {
		return refusal(nil, errors.New("a request has a seq, which comes back in the answer"))
	}
	for _, op := range operations {
		if op.name != head.Op {
			continue
		}
		if op.do == nil {
			return protocol.Answer{Seq: head.Seq, Skip: op.name + " is not served by this version"}
		}
		answer, err := op.do(s, line)
		if skip := errSkip(""); errors.As(err, &skip) {
			return protocol.Answer{Seq: head.Seq, Skip: string(skip)}
		}
		if err != nil {
			return refusal(head.Seq, err)
		}
		answer.Seq = head.Seq
		return answer
	}
	return refusal(head.Seq, fmt.Errorf("unknown op %q; hello names those that are served", head.Op))
}

// agree returns the version of the protocol that is spoken with a runner that
// speaks up to highest and, if lowest is not nil, down to that. One that names
// no version speaks the first.
func agree(highest json.RawMessage, lowest *int) (int, error) {
	most := protocol.Least
	if highest != nil {
		if err := json.Unmarshal(highest, &most); err != nil {
			return 0, fmt.Errorf("protocol: %w", jsonl.Error(err))
		}
	}
	spoken := min(most, protocol.Version)
	if spoken < protocol.Least || lowest != nil && spoken < *lowest {
		return 0, fmt.Errorf("this speaks the protocols %d to %d, not %d; say hello with %d", protocol.Least, protocol.Version, most, protocol.Version)
	}
	return spoken, nil
}

// welcome answers hello.
func (s *Server) welcome(spoken int) protocol.Welcome {
	w := protocol.Welcome{Protocol: spoken, Name: "callwire", Version: s.version, Spec: corpus.Version}
	for _, op := range operations {
		if op.do != nil && (!servedSince2(op.name) || spoken > 1 && op.name == protocol.Feed) {
			w.Ops = append(w.Ops, op.name)
		}
	}
	return w
}

// refusal is the answer to a request that failed.
func refusal(seq json.RawMessage, err error) protocol.Answer {
	failure := protocol.Error{Code: protocol.BadRequest}
	if err != nil {
		failure.Message = err.Error()
	}
	var fault *lexer.Error
	if errors.As(err, &fault) {
		failure.Code = string(fault.Code)
	}
	return protocol.Answer{Seq: seq, Error: &failure}
}

// manyCatalogs bounds the catalogs that are kept.
const manyCatalogs = 256

// catalog returns the compiled tools of a request, nil where it has none.
func (s *Server) catalog(tools json.RawMessage) (*sig.Catalog, error) {
	if tools == nil || bytes.Equal(tools, []byte("null")) {
		return nil, nil
	}
	if c, ok := s.catalogs[string(tools)]; ok {
		return c, nil
	}
	c, err := sig.Compile(tools)
	if err != nil {
		return nil, err
	}
	if len(s.catalogs) == manyCatalogs {
		clear(s.catalogs)
	}
	s.catalogs[string(tools)] = c
	return c, nil
}

// setting returns the options and the catalog of a request.
func (s *Server) setting(r *protocol.Setting) (parse.Options, *sig.Catalog, error) {
	o := r.Options
	delims := lexer.Delims{Open: r.Delims.Open, Close: r.Delims.Close}
	format, err := formatOf(r)
	switch {
	case err != nil:
	case format == nil:
		err = delims.OrDefault().Validate()
	case delims != (lexer.Delims{}):
		format, err = protocol.Framed(format, delims)
	}
	if err != nil {
		return parse.Options{}, nil, err
	}
	catalog, err := s.catalog(r.Tools)
	return parse.Options{
		Protocol:           format,
		Delims:             delims,
		Limits:             limitsOf(o.Limits),
		Strict:             o.Strict,
		StopAfterMalformed: o.StopAfterMalformed,
		AcceptAtEnd:        o.AcceptAtEnd,
		Salvage:            o.Salvage,
		Reasoning:          o.Reasoning,
		Code:               o.Code,
	}, catalog, err
}

// formatOf returns the format that a request names, as a member or in its options.
func formatOf(r *protocol.Setting) (parse.Protocol, error) {
	name := r.Protocol
	switch o := r.Options.Protocol; {
	case name != "" && o != "" && name != o:
		return nil, fmt.Errorf("the protocol is %s, and in the options %s", name, o)
	case name == "":
		name = o
	}
	if name == "callwire" { // as the first runners called it
		name = ""
	}
	return protocol.Format(name)
}

// errSkip says why a request that can be understood is not served.
type errSkip string

func (e errSkip) Error() string { return string(e) }

// limitsOf returns the limits of a request.
func limitsOf(l protocol.Limits) lexer.Limits {
	return lexer.Limits{Bytes: l.Bytes, Depth: l.Depth, Arguments: l.Arguments, Name: l.Name}
}
