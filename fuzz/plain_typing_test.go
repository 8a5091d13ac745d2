package fuzz

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwire/callwire/parse"
	"github.com/callwire/callwire/sig"
)

// A second implementation of typing scalars, arrays and enums, slow and as plain as the
// rules: it ranks readings one alternative at a time, compares members one by one and
// numbers by arithmetic. It does not use sig or parse.

// plainSchema is a schema of a few keywords.
type plainSchema struct {
	types []string // nil: no type keyword
	enum  []any    // values as decoded with json.Number; nil: no enum
	items *plainSchema
	null  bool // nullable
	anyOf []*plainSchema
}

// text returns the schema as JSON.
func (p *plainSchema) text() string {
	var words []string
	say := func(key string, v any) {
		b, err := json.Marshal(v)
		if err != nil {
			panic(err)
		}
		words = append(words, fmt.Sprintf("%q:%s", key, b))
	}
	if p.types != nil {
		if len(p.types) == 1 {
			say("type", p.types[0])
		} else {
			say("type", p.types)
		}
	}
	if p.enum != nil {
		say("enum", p.enum)
	}
	if p.items != nil {
		words = append(words, `"items":`+p.items.text())
	}
	if p.null {
		say("nullable", true)
	}
	if p.anyOf != nil {
		all := make([]string, len(p.anyOf))
		for i, a := range p.anyOf {
			all[i] = a.text()
		}
		words = append(words, `"anyOf":[`+strings.Join(all, ",")+`]`)
	}
	return "{" + strings.Join(words, ",") + "}"
}

// choice is one way to satisfy a schema.
type choice struct {
	types []string // nil: all
	enum  []any    // nil: all
	items *plainSchema
}

var allTypes = []string{"null", "boolean", "integer", "number", "string", "array", "object"}

// choices returns the ways to satisfy any of the schemas; nil if one of them, or all
// together, restrict nothing.
func choices(schemas []*plainSchema) (all []choice) {
	for _, p := range schemas {
		for _, a := range p.anyOf {
			all = append(all, choices([]*plainSchema{a})...)
			if choices([]*plainSchema{a}) == nil {
				return nil
			}
		}
		if p.anyOf != nil {
			continue
		}
		if p.types == nil && p.enum == nil && p.items == nil && !p.null {
			return nil
		}
		c := choice{p.types, p.enum, p.items}
		if c.types == nil && c.enum == nil { // items alone imply an array
			if p.items == nil {
				return nil
			}
			c.types = []string{"array"}
		}
		all = append(all, c)
		if p.null {
			all = append(all, choice{types: []string{"null"}})
		}
	}
	for _, t := range allTypes { // D17
		if !slices.ContainsFunc(all, func(c choice) bool { return c.enum == nil && has(c.types, t) }) {
			return all
		}
	}
	return nil
}

// has reports whether a list of types, nil for all, has t; number has integer.
func has(types []string, t string) bool {
	return types == nil || slices.Contains(types, t) || t == "integer" && slices.Contains(types, "number")
}

// typeOf returns the type of a decoded value.
func typeOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case json.Number:
		if _, exp := decimal(string(v)); exp.Sign() >= 0 {
			return "integer"
		}
		return "number"
	case string:
		return "string"
	case []any:
		return "array"
	}
	return "object"
}

// decimal returns a number as digits × 10^exp, with no zero at the end of the digits.
func decimal(text string) (digits, exp *big.Int) {
	exp = new(big.Int)
	mantissa, e, _ := strings.Cut(strings.ToLower(text), "e")
	if e != "" {
		exp.SetString(strings.TrimPrefix(e, "+"), 10)
	}
	whole, frac, _ := strings.Cut(mantissa, ".")
	digits, _ = new(big.Int).SetString(whole+frac, 10)
	exp.Sub(exp, big.NewInt(int64(len(frac))))
	if digits.Sign() == 0 {
		return digits, new(big.Int)
	}
	for ten := big.NewInt(10); ; {
		q, r := new(big.Int).QuoRem(digits, ten, new(big.Int))
		if r.Sign() != 0 {
			return digits, exp
		}
		digits = q
		exp.Add(exp, big.NewInt(1))
	}
}

// same reports whether two decoded values are equal.
func same(x, y any) bool {
	switch x := x.(type) {
	case json.Number:
		y, ok := y.(json.Number)
		if !ok {
			return false
		}
		a, i := decimal(string(x))
		b, j := decimal(string(y))
		return a.Cmp(b) == 0 && i.Cmp(j) == 0
	case []any:
		y, ok := y.([]any)
		return ok && slices.EqualFunc(x, y, same)
	case map[string]any:
		y, ok := y.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for k, v := range x {
			if w, ok := y[k]; !ok || !same(v, w) {
				return false
			}
		}
		return true
	}
	return x == y
}

// rank is D16: 2 if a choice allows v, 1 if it allows the type, else 0.
func rank(all []choice, v any) (best int) {
	t := typeOf(v)
	for _, c := range all {
		r := 0
		switch {
		case c.enum == nil:
			if has(c.types, t) {
				r = 2
			}
		default:
			fitting := slices.DeleteFunc(slices.Clone(c.enum), func(m any) bool { return !has(c.types, typeOf(m)) })
			types := c.types
			if len(fitting) == 0 { // D20
				fitting, types = c.enum, nil
			}
			for _, m := range fitting {
				if same(m, v) {
					r = 2
				} else if kindsAlike(m, v) && has(types, t) {
					r = max(r, 1)
				}
			}
		}
		best = max(best, r)
	}
	return best
}

// kindsAlike reports whether two values have the same type, counting integers as numbers.
func kindsAlike(x, y any) bool {
	return strings.Replace(typeOf(x), "integer", "number", 1) == strings.Replace(typeOf(y), "integer", "number", 1)
}

// names reports whether any choice allows values of a type: all of them, if free.
func names(all []choice, t string, free bool) bool {
	return slices.ContainsFunc(all, func(c choice) bool {
		if c.enum == nil {
			return has(c.types, t)
		}
		some := map[string]any{"array": []any{"no member"}, "object": map[string]any{"no": "member"}, "string": "no member", "boolean": nil}[t]
		if t == "boolean" {
			return !free && max(rank([]choice{c}, true), rank([]choice{c}, false)) > 0
		}
		return !free && rank([]choice{c}, some) > 0
	})
}

// element returns the schemas of the elements of arrays.
func element(all []choice) (items []*plainSchema) {
	for _, c := range all {
		if c.items != nil && names([]choice{c}, "array", false) {
			items = append(items, c.items)
		}
	}
	return items
}

// written is a value as written: a word, a string, or an array or object of these.
type written struct {
	kind   byte // w, s, [ or {
	text   string
	inside []written
	keys   []string
	raw    string // source text of an array or object in JSON text
}

// source returns the text of w.
func (w written) source() string {
	if w.raw != "" {
		return w.raw
	}
	switch w.kind {
	case 'w':
		return w.text
	case 's':
		return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(w.text) + "'"
	}
	var all []string
	for i, e := range w.inside {
		if w.kind == '{' {
			all = append(all, w.keys[i]+":"+e.source())
		} else {
			all = append(all, e.source())
		}
	}
	return string(w.kind) + strings.Join(all, ",") + string(w.kind+2)
}

// plainReader reads a value by the rules.
type plainReader struct {
	issues []string
}

func (r *plainReader) issue(code, path string, at int) {
	r.issues = append(r.issues, fmt.Sprintf("%s(%s)@%d", code, path, at))
}

// schemasSay returns the choices of schemas, or nil if they restrict nothing.
func schemasSay(schemas []*plainSchema) []choice {
	if len(schemas) == 0 {
		return nil
	}
	return choices(schemas)
}

// quotedJSON returns text as a JSON string.
func quotedJSON(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// literal returns the value of a JSON literal.
func literal(text string) (v any, ok bool) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if d.Decode(&v) != nil || d.More() || strings.TrimSpace(text) != text {
		return nil, false
	}
	switch v.(type) {
	case nil, bool, json.Number:
		return v, true
	}
	return nil, false
}

// read returns the JSON of w under schemas, and adds its issues. Everything in a JSON text
// in a string has the offset of the string.
func (r *plainReader) read(w written, schemas []*plainSchema, path string, at int, fixed bool) string {
	all := schemasSay(schemas)
	switch w.kind {
	case 'w', 's':
		return r.scalar(w, schemas, all, path, at)
	}
	kind := map[byte]string{'[': "array", '{': "object"}[w.kind]
	if all != nil && !names(all, kind, false) {
		if names(all, "string", false) {
			r.issue("coerced", path, at)
			source := w.source()
			if rank(all, source) < 2 {
				r.issue("not-in-enum", path, at)
			}
			return quotedJSON(source)
		}
		r.issue("type-mismatch", path, at)
		schemas = nil
	}
	var below []*plainSchema
	if all != nil && schemas != nil && w.kind == '[' {
		below = element(all)
	} else if all == nil && w.kind == '[' {
		below = element(untypedChoices(schemas))
	}
	var parts []string
	offset := at + 1
	for i, e := range w.inside {
		inner := path + fmt.Sprintf("[%d]", i)
		key := ""
		if w.kind == '{' {
			inner = path + "." + w.keys[i]
			key = quotedJSON(w.keys[i]) + ":"
			offset += len(w.keys[i]) + 1
		}
		place := offset
		if fixed {
			place = at
		}
		parts = append(parts, key+r.read(e, below, inner, place, fixed))
		offset += len(e.source()) + 1
	}
	text := string(w.kind) + strings.Join(parts, ",") + string(w.kind+2)
	if all != nil && schemas != nil && !names(all, kind, true) {
		var v any
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&v); err != nil {
			panic(err)
		}
		if rank(all, v) < 2 {
			r.issue("not-in-enum", path, at)
		}
	}
	return text
}

// untypedChoices returns the ways to satisfy schemas that together do not restrict types:
// what they say about elements still applies.
func untypedChoices(schemas []*plainSchema) (all []choice) {
	for _, p := range schemas {
		for _, a := range p.anyOf {
			all = append(all, untypedChoices([]*plainSchema{a})...)
		}
		if p.anyOf == nil && (p.types != nil || p.items != nil || p.enum != nil) {
			all = append(all, choice{p.types, p.enum, p.items})
		}
	}
	return all
}

func (r *plainReader) scalar(w written, schemas []*plainSchema, all []choice, path string, at int) string {
	value, isLiteral := literal(w.text)
	if all == nil {
		if w.kind == 'w' && isLiteral {
			return w.text
		}
		return quotedJSON(w.text)
	}
	type reading struct {
		rank    int
		json    string
		coerced bool
		inside  bool // JSON text
	}
	var readings []reading
	add := func(v any, text string, coerced bool) {
		readings = append(readings, reading{rank: rank(all, v), json: text, coerced: coerced})
	}
	lower := strings.ToLower(w.text)
	otherCase := (lower == "true" || lower == "false") && lower != w.text
	if w.kind == 'w' {
		if isLiteral {
			add(value, w.text, false)
		}
		if otherCase {
			add(lower == "true", lower, true)
		}
		add(w.text, quotedJSON(w.text), false)
	} else {
		add(w.text, quotedJSON(w.text), false)
		if isLiteral {
			add(value, w.text, true)
		}
		if parsed, ok := parsedJSON(w.text); ok {
			if names(all, map[byte]string{'[': "array", '{': "object"}[parsed.kind], false) {
				readings = append(readings, reading{rank: 2, coerced: true, inside: true})
			}
		}
		if otherCase {
			add(lower == "true", lower, true)
		}
	}
	best := readings[0]
	for _, other := range readings[1:] {
		if other.rank > best.rank {
			best = other
		}
	}
	if best.rank == 0 {
		if r.wraps(all, w.text) {
			r.issue("coerced", path, at)
			return "[" + r.read(w, element(all), path+"[0]", at, true) + "]"
		}
		r.issue("type-mismatch", path, at)
		if w.kind == 'w' && isLiteral {
			return w.text
		}
		return quotedJSON(w.text)
	}
	if best.coerced {
		r.issue("coerced", path, at)
	}
	if best.rank == 1 {
		r.issue("not-in-enum", path, at)
	}
	if best.inside {
		parsed, _ := parsedJSON(w.text)
		return r.read(parsed, schemas, path, at, true)
	}
	return best.json
}

// wraps is D26.
func (r *plainReader) wraps(all []choice, text string) bool {
	lower := strings.ToLower(text)
	value, isLiteral := literal(text)
	for n := 0; n <= 4; n++ {
		if all == nil {
			return true
		}
		if n > 0 && (isLiteral && rank(all, value) > 0 || (lower == "true" || lower == "false") && lower != text && names(all, "boolean", false)) {
			return true
		}
		if !names(all, "array", true) || names(all, "string", false) {
			return n > 0
		}
		all = schemasSay(element(all))
	}
	return false
}

// parsedJSON returns text as an array or object, as if it were written without quotes.
func parsedJSON(text string) (w written, ok bool) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var read func() (written, bool)
	read = func() (written, bool) {
		t, err := d.Token()
		if err != nil {
			return written{}, false
		}
		switch t := t.(type) {
		case json.Delim:
			w := written{kind: byte(t)}
			start := d.InputOffset() - 1
			for d.More() {
				if t == '{' {
					key, err := d.Token()
					if err != nil || slices.Contains(w.keys, key.(string)) {
						return w, false
					}
					w.keys = append(w.keys, key.(string))
				}
				inner, ok := read()
				if !ok {
					return w, false
				}
				w.inside = append(w.inside, inner)
			}
			_, err := d.Token()
			w.raw = text[start:d.InputOffset()]
			return w, err == nil
		case string:
			return written{kind: 's', text: t}, true
		case nil:
			return written{kind: 'w', text: "null"}, true
		default:
			return written{kind: 'w', text: fmt.Sprint(t)}, true
		}
	}
	if w, ok = read(); !ok || w.kind != '[' && w.kind != '{' || d.More() {
		return w, false
	}
	return w, true
}

// The generators.

var plainNumbers = []string{"1", "1.0", "10e-1", "0.1E1", "1.5", "15e-1", "2", "200e-2", "0", "-0", "0.0e5", "-1", "1e30", "1.0e+30",
	"1000000000000000000000000000000", "1e1073741900", "1e1073741901", "10e1073741900", "1e4611686018427387905", "10e4611686018427387904", "1e-9223372036854775809", "0.1e-9223372036854775808", "007"}

var plainWords = []string{"a", "b", "article", "true", "false", "null", "True", "FALSE", "tRue", "1x", "-"}

func drawValue(t *rapid.T, depth int) any {
	switch k := rapid.IntRange(0, 9).Draw(t, "value"); {
	case k < 3:
		n := rapid.SampledFrom(plainNumbers).Draw(t, "number")
		if n == "007" {
			return n
		}
		return json.Number(n)
	case k < 6:
		return rapid.SampledFrom(append(plainWords, append(plainNumbers, `[1]`, `{"a":1}`, ``)...)).Draw(t, "string")
	case k == 6:
		return rapid.SampledFrom([]any{nil, true, false}).Draw(t, "literal")
	case depth == 0:
		return "a"
	case k < 9:
		list := make([]any, rapid.IntRange(0, 2).Draw(t, "length"))
		for i := range list {
			list[i] = drawValue(t, depth-1)
		}
		return list
	}
	object := map[string]any{}
	for _, key := range []string{"a", "b"}[:rapid.IntRange(0, 2).Draw(t, "members")] {
		object[key] = drawValue(t, depth-1)
	}
	return object
}

func drawSchema(t *rapid.T, depth int) *plainSchema {
	p := new(plainSchema)
	if depth > 0 && rapid.IntRange(0, 3).Draw(t, "union") == 0 {
		for range rapid.IntRange(2, 3).Draw(t, "alternatives") {
			p.anyOf = append(p.anyOf, drawSchema(t, depth-1))
		}
		return p
	}
	if rapid.IntRange(0, 4).Draw(t, "typed") > 0 {
		p.types = rapid.SliceOfNDistinct(rapid.SampledFrom(allTypes), 1, 3, rapid.ID[string]).Draw(t, "types")
	}
	if rapid.Bool().Draw(t, "enum") || p.types == nil {
		n := rapid.SampledFrom([]int{1, 2, 3, 8, 9, 10, 20}).Draw(t, "members")
		for range n {
			p.enum = append(p.enum, drawValue(t, 2))
		}
	}
	if depth > 0 && has(p.types, "array") && p.types != nil && rapid.Bool().Draw(t, "items") {
		p.items = drawSchema(t, depth-1)
	}
	p.null = rapid.IntRange(0, 5).Draw(t, "nullable") == 0
	return p
}

// members returns the members of all enums in p, for values that match.
func (p *plainSchema) members() (all []any) {
	all = append(all, p.enum...)
	for _, a := range p.anyOf {
		all = append(all, a.members()...)
	}
	if p.items != nil {
		all = append(all, p.items.members()...)
	}
	return all
}

// drawWritten draws a spelling of v.
func drawWritten(t *rapid.T, v any) written {
	switch v := v.(type) {
	case json.Number:
		text := string(v)
		switch d, e := decimal(text); rapid.IntRange(0, 3).Draw(t, "spelling") {
		case 0:
		case 1:
			text = fmt.Sprintf("%se%s", d, e)
		case 2:
			text = fmt.Sprintf("%s0E%s", d, new(big.Int).Sub(e, big.NewInt(1)))
			if d.Sign() == 0 {
				text = "-0.000"
			}
		case 3:
			text = fmt.Sprintf("%s.00e%s", d, e)
		}
		return written{kind: rapid.SampledFrom([]byte("wws")).Draw(t, "quoted"), text: text}
	case string:
		kind := rapid.SampledFrom([]byte("ws")).Draw(t, "quoted")
		if v == "" || strings.ContainsAny(v, `[]{}",:' `) {
			kind = 's'
		}
		return written{kind: kind, text: v}
	case []any:
		w := written{kind: '['}
		for _, e := range v {
			w.inside = append(w.inside, drawWritten(t, e))
		}
		return stringified(t, w, v)
	case map[string]any:
		w := written{kind: '{'}
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		if rapid.Bool().Draw(t, "reversed") {
			slices.Reverse(keys)
		}
		for _, k := range keys {
			w.keys = append(w.keys, k)
			w.inside = append(w.inside, drawWritten(t, v[k]))
		}
		return stringified(t, w, v)
	}
	b, _ := json.Marshal(v)
	return written{kind: rapid.SampledFrom([]byte("wws")).Draw(t, "quoted"), text: string(b)}
}

// stringified returns w or sometimes its JSON text in quotes.
func stringified(t *rapid.T, w written, v any) written {
	if rapid.IntRange(0, 3).Draw(t, "stringified") > 0 {
		return w
	}
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return written{kind: 's', text: string(b)}
}

// TestTypingBySlowReference: sig and parse type every value by the rules, however an enum
// lists it and however it is written, whole and byte by byte.
func TestTypingBySlowReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schema := drawSchema(t, 3)
		catalog, err := sig.Compile([]sig.Tool{{Name: "t", Schema: []byte(`{"type":"object","properties":{"v":` + schema.text() + `}}`)}})
		if err != nil {
			t.Fatal(err)
		}
		for range 4 {
			value := drawValue(t, 3)
			if members := schema.members(); len(members) > 0 && rapid.IntRange(0, 2).Draw(t, "hit") > 0 {
				value = rapid.SampledFrom(members).Draw(t, "member")
				if rapid.Bool().Draw(t, "in a list") {
					value = []any{value, drawValue(t, 1)}
				}
			}
			w := drawWritten(t, value)
			text := "<call>t v=" + w.source() + "</call>"
			var plain plainReader
			want := `{"v":` + plain.read(w, []*plainSchema{schema}, "v", len("<call>t v="), false) + `}`
			slices.Sort(plain.issues)
			for _, size := range []int{len(text), 1} {
				p, err := parse.NewParser(catalog, parse.Options{})
				if err != nil {
					t.Fatal(err)
				}
				var input string
				var issues []string
				for _, c := range Sized([]byte(text), size) {
					p.Feed(c)
					for part := p.Next(); part != parse.NoPart; part = p.Next() {
						if s := p.Segment(); part == parse.CallPart {
							input = string(s.Input)
							for _, i := range s.Issues {
								issues = append(issues, fmt.Sprintf("%s(%s)@%d", i.Code, i.Path, i.At))
							}
						} else if part == parse.MalformedPart {
							t.Fatalf("%s is malformed: %v", text, s.Err)
						}
					}
				}
				slices.Sort(issues)
				if input != want || !slices.Equal(issues, plain.issues) {
					t.Fatalf("%s under %s, in chunks of %d:\n got %s %v\nwant %s %v", text, schema.text(), size, input, issues, want, plain.issues)
				}
			}
		}
	})
}
