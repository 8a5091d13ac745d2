// Package serve answers a conformance runner: one line of JSON for each request, at once
// and in order.
//
//	err := serve.New(os.Stdin, os.Stdout, "v1.0.0").Serve()
//
// Package corpus defines the messages; its README describes them.
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
	"github.com/callwire/callwire/corpus"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
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
	streams  map[string]*openStream
	in       *bufio.Scanner
	out      *bufio.Writer
	catalogs map[string]*sig.Catalog // by the text of their tools
}

// New returns a server that gives version in its welcome.
func New(in io.Reader, out io.Writer, version string) *Server {
	return &Server{
		version:  version,
		in:       jsonl.NewLines(in),
		out:      bufio.NewWriter(out),
		catalogs: make(map[string]*sig.Catalog),
		streams:  make(map[string]*openStream),
	}
}

// Serve answers each line until bye or the end of the input. Blank lines are ignored.
func (s *Server) Serve() error {
	for s.in.Scan() {
		line := bytes.TrimSpace(jsonl.WithoutMark(s.in.Bytes()))
		if len(line) == 0 {
			continue
		}
		answer := s.answer(line)
		if answer == nil {
			return nil
		}
		s.out.Write(append(answer, '\n')) // Flush reports errors
		if err := s.out.Flush(); err != nil {
			return fmt.Errorf("cannot write: %w", err)
		}
	}
	if err := s.in.Err(); err != nil {
		return fmt.Errorf("cannot read on: %w", err)
	}
	return nil
}

// answer returns the answer to a line, or nil to bye.
func (s *Server) answer(line []byte) []byte {
	var head struct {
		Cmd string          `json:"cmd"`
		Seq json.RawMessage `json:"seq"`
		Op  string          `json:"op"`
	}
	if !utf8.Valid(line) {
		return refusal(nil, errors.New(`a request is UTF-8; send other text as {"b64":"…"}`))
	}
	if err := json.Unmarshal(line, &head); err != nil {
		return refusal(head.Seq,
			fmt.Errorf("a request is one JSON object in a line: %w", jsonl.Error(err)))
	}
	if err := jsonl.CheckMembers(line); err != nil {
		return refusal(head.Seq, err)
	}
	switch {
	case head.Cmd == corpus.ByeCommand:
		return nil
	case head.Cmd == corpus.HelloCommand:
		return s.welcome(head.Seq, line)
	case head.Cmd != "":
		return refusal(head.Seq, fmt.Errorf("unknown cmd %q; there are hello and bye", head.Cmd))
	case head.Seq == nil:
		return refusal(nil, errors.New("a request has a seq, which comes back in the answer"))
	}
	for _, op := range operations {
		if op.name == head.Op {
			return s.do(op.do, head.Seq, line)
		}
	}
	return refusal(head.Seq,
		fmt.Errorf("unknown op %q; hello names those that are served", head.Op))
}

// do answers a request by an operation.
func (s *Server) do(
	op func(*Server, *corpus.Request) (corpus.Answer, error), seq json.RawMessage, line []byte,
) []byte {
	var r corpus.Request
	if err := json.Unmarshal(line, &r); err != nil {
		return refusal(seq, jsonl.Error(err))
	}
	answer, err := op(s, &r)
	if err != nil {
		return refusal(seq, err)
	}
	answer.Seq = seq
	return answer.AppendJSON(nil)
}

// welcome answers hello.
func (s *Server) welcome(seq json.RawMessage, line []byte) []byte {
	hello := corpus.Hello{Protocol: corpus.ProtocolVersion}
	if err := json.Unmarshal(line, &hello); err != nil {
		return refusal(seq, jsonl.Error(err))
	}
	const spoken = corpus.ProtocolVersion
	if hello.Protocol < spoken || hello.Min > spoken {
		return refusal(seq, fmt.Errorf("this speaks protocol %d, not %d; say hello with %d",
			spoken, hello.Protocol, spoken))
	}
	w := corpus.Welcome{
		Protocol: spoken, Name: "callwire", Version: s.version, Spec: corpus.Version,
	}
	for _, op := range operations {
		if op.name != corpus.Close && op.name != corpus.Reset { // who can feed can do both
			w.Ops = append(w.Ops, op.name)
		}
	}
	data, err := json.Marshal(w)
	if err != nil {
		return refusal(seq, err)
	}
	return data
}

// refusal is the answer to a request that failed.
func refusal(seq json.RawMessage, err error) []byte {
	failure := corpus.Refusal{Code: corpus.BadRequest}
	if err != nil {
		failure.Message = err.Error()
	}
	var fault *parse.Error
	if errors.As(err, &fault) {
		failure.Code = string(fault.Code)
	}
	return (&corpus.Answer{Seq: seq, Error: &failure}).AppendJSON(nil)
}
