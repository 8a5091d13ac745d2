package grammar

import (
	"regexp"
	"testing"
)

// Every state has a unique name, is reached from another one, and leads to states in
// the table.
func TestStates(t *testing.T) {
	for name, states := range map[string][]State{"calls": standard.States(), "hermes": ByName("hermes").States(), "qwen3-coder": ByName("qwen3-coder").States(), "signatures": SignatureStates()} {
		reached := map[string]bool{"": true, "at-end": true, states[0].Name: true}
		for _, s := range states {
			for _, transition := range s.Tokens {
				reached[transition.Next], reached[transition.After] = true, true
				if _, err := regexp.Compile(transition.Pattern); err != nil || transition.Pattern == "" {
					t.Errorf("%s: %s: pattern %q: %v", name, s.Name, transition.Pattern, err)
				}
			}
		}
		for _, s := range states {
			if !reached[s.Name] {
				t.Errorf("%s: no state leads to %s", name, s.Name)
			}
			delete(reached, s.Name)
		}
		delete(reached, "")
		delete(reached, "at-end")
		if len(reached) > 0 {
			t.Errorf("%s: not in the table: %v", name, reached)
		}
	}
}

// In every state, the table agrees with the reader about the closing tag, an opener and
// a byte that does not fit.
func TestStatesAgree(t *testing.T) {
	texts := map[string]string{
		"after-name": "t", "at-body": "t ", "at-key": "t a=1 ", "at-segment": "t a.", "after-key": "t a", "at-value": "t a=", "after-word": "t a=1",
		"after-value": `t a=""`, "after-body": "t{}", "at-element": "t a=[", "after-element": `t a=[""`, "after-item": "t a=[x",
		"at-member": "t a={", "after-member-key": "t a={k", "at-member-value": "t a={k:", "after-member": `t a={k:""`, "after-member-item": "t a={k:x",
	}
	g := standard
	for _, s := range standard.States() {
		if s.Name == "at-name" {
			continue // a tag there does not begin a call
		}
		body, ok := texts[s.Name]
		if !ok {
			t.Errorf("no text ends in %s", s.Name)
		}
		text := "<call>" + body
		want := s.Error
		if s.Close {
			want = ""
		}
		if got := g.Read([]byte(text+"</call>"), Options{})[0]; got.Code != want || want != "" && got.At != len(text) {
			t.Errorf("%s: a closing tag is %q at %d, want %q", s.Name, got.Code, got.At, want)
		}
		want = s.Opener
		if got := g.Read([]byte(text+"<call>"), Options{})[0]; got.Code != want || got.At != len(text) {
			t.Errorf("%s: an opener is %q at %d, want %q", s.Name, got.Code, got.At, want)
		}
	}
}
