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
	"github.com/callwire/callwire/stream"
)

// Bounds of what a server keeps, and of a request in bytes.
const (
	manyStreams  = 4096
	manyCatalogs = 256
	longLine     = 64 << 20
)

// A Server answers requests. Apart from open streams, no answer depends on the requests before it.
type Server struct {
	version  string
	in       *bufio.Scanner
	out      io.Writer
	catalogs map[string]*sig.Catalog // by the text of their tools
	streams  map[string]*stream.Decoder
	events   []corpus.Event // of the request that is being answered
}

// New returns a server that gives version in its welcome.
func New(in io.Reader, out io.Writer, version string) *Server {
	s := &Server{version: version, in: bufio.NewScanner(in), out: out,
		catalogs: make(map[string]*sig.Catalog), streams: make(map[string]*stream.Decoder)}
	s.in.Buffer(nil, longLine)
	return s
}

// Serve answers each line until bye or the end of the input. Blank lines are ignored.
func (s *Server) Serve() error {
	for s.in.Scan() {
		line := bytes.TrimSpace(s.in.Bytes())
		if len(line) == 0 {
			continue
		}
		answer := s.answer(line)
		if answer == nil {
			return nil
		}
		if _, err := s.out.Write(append(answer, '\n')); err != nil {
			return fmt.Errorf("cannot write: %w", err)
		}
	}
	switch err := s.in.Err(); err {
	case nil:
		return nil
	case bufio.ErrTooLong:
		return fmt.Errorf("a request is longer than %d MiB", longLine>>20)
	default:
		return fmt.Errorf("cannot read on: %w", err)
	}
}

// answer returns the answer to a line, or nil to bye.
func (s *Server) answer(line []byte) []byte {
	var head struct {
		Cmd string          `json:"cmd"`
		Seq json.RawMessage `json:"seq"`
	}
	err := json.Unmarshal(line, &head)
	if err != nil {
		err = fmt.Errorf("a request is one JSON object in a line: %w", jsonl.Error(err))
	} else if !utf8.Valid(line) {
		err = errors.New(`a request is UTF-8; send other text as {"b64":"…"}`)
	} else {
		err = jsonl.CheckMembers(line)
	}
	var answer corpus.Answer
	if err == nil {
		switch head.Cmd {
		case "":
			answer, err = s.do(line)
		case corpus.ByeCommand:
			return nil
		case corpus.HelloCommand:
			var welcome []byte
			welcome, err = s.welcome(line)
			if err == nil {
				return welcome
			}
		default:
			err = fmt.Errorf("unknown cmd %q; there are hello and bye", head.Cmd)
		}
	}
	if err != nil {
		answer = corpus.Answer{Error: refusal(err)}
	}
	answer.Seq = head.Seq
	return answer.AppendJSON(nil)
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
	return json.Marshal(corpus.Welcome{
		Protocol: spoken, Name: "callwire", Version: s.version, Spec: corpus.Version,
		Ops: []string{corpus.Parse, corpus.Format, corpus.Sig, corpus.Manual, corpus.Feed},
	})
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
