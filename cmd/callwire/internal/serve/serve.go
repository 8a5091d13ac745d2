// Package serve answers a conformance runner: one line of JSON for each request, at once
// and in order.
//
//	err := serve.New(os.Stdin, os.Stdout, "v1.0.0").Serve()
//
// Package corpus defines the messages; its README describes them.
package serve

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/callwire/callwire/cmd/callwire/internal/jsonl"
	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
	"github.com/callwire/callwire/stream"
)

// operations are the functions that answer requests, in the order in which the welcome
// names them.
var operations = []struct {
	name string
	do   func(s *Server, r *corpus.Request) (corpus.Answer, error)
}{
	{corpus.Parse, (*Server).parse},
	{corpus.Format, (*Server).format},
	{corpus.Sig, (*Server).sig},
	{corpus.Manual, (*Server).manual},
	{corpus.Feed, (*Server).feed},
	{corpus.Close, (*Server).close},
	{corpus.Reset, (*Server).reset},
}

// A Server answers requests. Apart from open streams its state only saves work: no answer
// depends on the requests before it.
type Server struct {
	version  string
	in       *jsonl.Lines
	out      *bufio.Writer
	catalogs map[string]*sig.Catalog // by the text of their tools
	streams  map[string]*stream.Decoder
	events   []corpus.Event // of streams, for the request that is being answered
}

// New returns a server that gives version in its welcome.
func New(in io.Reader, out io.Writer, version string) *Server {
	return &Server{
		version:  version,
		in:       jsonl.NewLines(in),
		out:      bufio.NewWriter(out),
		catalogs: make(map[string]*sig.Catalog),
		streams:  make(map[string]*stream.Decoder),
	}
}

// Serve answers each line until bye or the end of the input. Blank lines are ignored.
func (s *Server) Serve() error {
	for {
		line, err := s.in.Next()
		var answer []byte
		switch {
		case err == jsonl.ErrLong:
			answer = (&corpus.Answer{Error: refusal(err)}).AppendJSON(nil)
		case err == io.EOF:
			return nil
		case err != nil:
			return fmt.Errorf("cannot read on: %w", err)
		case len(line) == 0:
			continue
		default:
			answer = s.answer(line)
		}
		if answer == nil {
			return nil
		}
		s.out.Write(append(answer, '\n')) // Flush reports errors
		if err := s.out.Flush(); err != nil {
			return fmt.Errorf("cannot write: %w", err)
		}
	}
}

// answer returns the answer to a line, or nil to bye.
func (s *Server) answer(line []byte) []byte {
	var head struct {
		Cmd string          `json:"cmd"`
		Seq json.RawMessage `json:"seq"`
		Op  string          `json:"op"`
	}
	err := json.Unmarshal(line, &head)
	switch {
	case !utf8.Valid(line):
		err = errors.New(`a request is UTF-8; send other text as {"b64":"…"}`)
	case err != nil:
		err = fmt.Errorf("a request is one JSON object in a line: %w", jsonl.Error(err))
	default:
		err = jsonl.CheckMembers(line)
	}
	var answer corpus.Answer
	switch {
	case err != nil:
	case head.Cmd == corpus.ByeCommand:
		return nil
	case head.Cmd == corpus.HelloCommand:
		var welcome []byte
		welcome, err = s.welcome(line)
		if err == nil {
			return welcome
		}
	case head.Cmd != "":
		err = fmt.Errorf("unknown cmd %q; there are hello and bye", head.Cmd)
	case head.Seq == nil:
		err = errors.New("a request has a seq, which comes back in the answer")
	default:
		answer, err = s.do(head.Op, line)
	}
	if err != nil {
		answer = corpus.Answer{Error: refusal(err)}
	}
	answer.Seq = head.Seq
	return answer.AppendJSON(nil)
}

// do answers a request by an operation.
func (s *Server) do(name string, line []byte) (corpus.Answer, error) {
	var r corpus.Request
	for _, op := range operations {
		if op.name != name {
			continue
		}
		if err := json.Unmarshal(line, &r); err != nil {
			return corpus.Answer{}, jsonl.Error(err)
		}
		s.events = []corpus.Event{}
		return op.do(s, &r)
	}
	return corpus.Answer{}, fmt.Errorf("unknown op %q; hello names those that are served", name)
}

// welcome answers hello.
func (s *Server) welcome(line []byte) ([]byte, error) {
	const spoken = corpus.ProtocolVersion
	hello := corpus.Hello{Protocol: spoken}
	if err := json.Unmarshal(line, &hello); err != nil {
		return nil, jsonl.Error(err)
	}
	if hello.Protocol < spoken || hello.Min > spoken {
		return nil, fmt.Errorf("this speaks protocol %d, not %d; say hello with %d",
			spoken, hello.Protocol, spoken)
	}
	w := corpus.Welcome{
		Protocol: spoken, Name: "callwire", Version: s.version, Spec: corpus.Version,
	}
	for _, op := range operations {
		if op.name != corpus.Close && op.name != corpus.Reset { // who can feed can do both
			w.Ops = append(w.Ops, op.name)
		}
	}
	return json.Marshal(w)
}

// refusal is why a request failed.
func refusal(err error) *corpus.Refusal {
	code := corpus.BadRequest
	var fault *parse.Error
	if errors.As(err, &fault) {
		code = string(fault.Code)
	}
	return &corpus.Refusal{Code: code, Message: err.Error()}
}
