package protocol_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/callwire/callwire/lexer"
	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/parse/protocol"
	"github.com/callwire/callwire/parse/protocol/yaml"
	"github.com/callwire/callwire/sig"
)

// The error of a malformed call says how this format writes it, and nothing of the tags
// of another.
func TestErrorsSpeakOfTheFormat(t *testing.T) {
	for _, name := range protocol.Names(yaml.XML)[1:] {
		p := protocol.ByName(name, yaml.XML)
		call := string(written(t, p, weather, "get_weather", `{"city":"a","days":3}`))
		malformed := 0
		for i := range len(call) {
			for _, text := range []string{call[:i], call[:i] + "=" + call[i:], call[:i] + call[i+1:], call[:i] + `"` + call[i:]} {
				for _, s := range (parse.Options{Protocol: p}).Text(text, weather) {
					if s.Kind != parse.Malformed {
						continue
					}
					malformed++
					if told := s.Err.Error(); strings.Contains(told, "<call>") || strings.Contains(told, "key=value") || !strings.Contains(told, "; ") {
						t.Errorf("%s: %q: %s", name, text, told)
					}
				}
			}
		}
		if malformed == 0 {
			t.Errorf("%s: nothing is malformed", name)
		}
	}
}

// A format whose tags are the names of tools says that it wants to know them.
func TestFormatOfUnknownTool(t *testing.T) {
	for _, p := range []parse.Protocol{protocol.MorphXML, yaml.XML} {
		for _, catalog := range []*sig.Catalog{nil, weather} {
			_, err := parse.FormatOptions{Protocol: p}.Format(catalog, "t", []byte(`{"a":1}`))
			var e *lexer.Error
			if !errors.As(err, &e) || e.Code != lexer.UnknownTool || e.Tool != "t" {
				t.Errorf("%s: %v", p, err)
			}
		}
	}
}

// So does the error of a call that cannot be written.
func TestRefusalsSpeakOfTheFormat(t *testing.T) {
	for _, name := range protocol.Names(yaml.XML)[1:] {
		p := protocol.ByName(name, yaml.XML)
		_, err := parse.FormatOptions{Protocol: p}.Format(mustCompile(`[{"name":"a b>"}]`), "a b>", []byte(`{}`))
		var e *lexer.Error
		switch {
		case err == nil && (name == "hermes" || name == "gemma-fence"):
		case !errors.As(err, &e) || e.Code != lexer.BadName || strings.Contains(err.Error(), "<call>"):
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A repaired call is told the form of the format, with the tags of a copy of it.
func TestFormOfEachFormat(t *testing.T) {
	square := protocol.Hermes
	square.Frame = protocol.Frame{Open: "[c]", Close: "[/c]"}
	for _, tt := range []struct {
		p    parse.Hinter
		want string
	}{
		{protocol.Hermes, "<tool_call>"},
		{square, "[c]"},
		{protocol.Qwen3Coder, "<tool_call><function=name><parameter=key>"},
		{protocol.MorphXML, "<name><key>value</key></name>"},
		{yaml.XML, "<name>, lines of key: value, </name>"},
	} {
		if _, fix := tt.p.Hint(lexer.Repaired); !strings.Contains(fix, tt.want) {
			t.Errorf("%s: %s", tt.p, fix)
		}
	}
}
