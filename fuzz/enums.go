package fuzz

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/callwire/callwire/parse"
)

// The cost of a text must not depend on what its schema lists and matches: enums of ten
// thousand members, such as countries, ids and articles, and patterns that are as
// expensive as sig allows.

// members is the number of literals of each enum.
const members = 10000

// listed is a catalog of lists of enum members, of each kind and of all kinds.
var listed = Setup{Catalog: mustCompile(fmt.Sprintf(`[{"name": "t", "inputSchema": {"type": "object", "properties": {
	"one": {"$ref": "#/$defs/s"},
	"s": {"type": "array", "items": {"$ref": "#/$defs/s"}},
	"n": {"type": "array", "items": {"enum": [%[2]s]}},
	"a": {"type": "array", "items": {"enum": [%[3]s]}},
	"o": {"type": "array", "items": {"enum": [%[4]s]}},
	"all": {"type": "array", "items": {"enum": [%[5]s, %[6]s, %[7]s, %[8]s]}},
	"u": {"type": "array", "items": {"anyOf": [{"enum": [%[5]s]}, {"enum": [%[6]s, %[7]s]}, {"enum": [%[8]s]}, {"type": "boolean"}]}},
	"deep": {"$ref": "#/$defs/deep"}},
	"$defs": {"s": {"enum": [%[1]s]}, "deep": {"type": "array", "items": {"$ref": "#/$defs/deep"}, "enum": [%[9]s]}}}}]`,
	allOf(stringMember, members), allOf(numberMember, members), allOf(arrayMember, members), allOf(objectMember, members),
	allOf(stringMember, members/4), allOf(numberMember, members/4), allOf(arrayMember, members/4), allOf(objectMember, members/4), allOf(deepMember, members)))}

// The members of the enums, by their number.
func stringMember(i int) string { return fmt.Sprintf(`"article-%05d"`, i) }
func numberMember(i int) string { return fmt.Sprintf(`%05d.5`, 10000+i) }
func arrayMember(i int) string  { return fmt.Sprintf(`[%d,"x"]`, i) }
func objectMember(i int) string { return fmt.Sprintf(`{"id":%d,"tags":[true]}`, i) }
func deepMember(i int) string {
	return strings.Repeat("[", 1+i%50) + strconv.Itoa(i) + strings.Repeat("]", 1+i%50)
}

// allOf returns the first n members, with commas.
func allOf(member func(int) string, n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = member(i)
	}
	return strings.Join(all, ",")
}

// scattered returns about n bytes: head and the units of members whose numbers are far
// apart.
func scattered(head string, unit func(int) string, n int) string {
	var b strings.Builder
	b.WriteString(head)
	for i := 0; b.Len() < n; i++ {
		b.WriteString(unit(i * 7919 % members))
	}
	return b.String()
}

// enumAdversaries are the families for enums and patterns.
var enumAdversaries = []Adversary{
	{"enum of strings", func(n int) string {
		return scattered("<call>t s=[", func(i int) string { return stringMember(i) + "," }, n)
	}, listed},
	{"enum of strings, missed", func(n int) string { return fill("<call>t s=[", "x,'article-',", n) }, listed},
	{"enum of strings, in many calls", func(n int) string {
		return scattered("", func(i int) string { return fmt.Sprintf("<call>t one=article-%05d</call>", i) }, n)
	}, listed},
	{"enum of strings, a long one missed", func(n int) string { return fill("<call>t one='", "article-", n) + "'</call>" }, listed},
	{"enum of numbers in other spellings", func(n int) string {
		return scattered("<call>t n=[", func(i int) string { return strconv.Itoa(10000+i) + "50e-2," }, n)
	}, listed},
	{"enum of numbers, missed", func(n int) string { return fill("<call>t n=[", `1,"2",3e9,`, n) }, listed},
	{"enum of numbers, long ones missed", func(n int) string { return fill("<call>t n=[", strings.Repeat("1", 1000)+",", n) }, listed},
	{"enum of numbers, long exponents missed", func(n int) string { return fill("<call>t n=[", "1e"+strings.Repeat("9", 1000)+",", n) }, listed},
	{"enum of arrays", func(n int) string {
		return scattered("<call>t a=[", func(i int) string { return fmt.Sprintf("[ %d.0, x],", i) }, n)
	}, listed},
	{"enum of arrays, missed", func(n int) string { return fill("<call>t a=[", "[],[1,x,1],[1],", n) }, listed},
	{"enum of arrays, missed in the end", func(n int) string { return fill("<call>t a=[[", `1,"x",`, n) + "]]</call>" }, listed},
	{"enum of objects in another order", func(n int) string {
		return scattered("<call>t o=[", func(i int) string { return fmt.Sprintf("{tags:[true],id:%d},", i) }, n)
	}, listed},
	{"enum of objects, missed", func(n int) string { return fill("<call>t o=[", "{},{id:1},{tags:[true]},", n) }, listed},
	{"enum of objects in quotes", func(n int) string {
		return scattered("<call>t o=[", func(i int) string { return "'" + objectMember(i) + "'," }, n)
	}, listed},
	{"enum of objects in a JSON body", func(n int) string {
		return scattered(`<call>t {"o":[`, func(i int) string { return objectMember(i) + "," }, n)
	}, listed},
	{"enum of all kinds", func(n int) string {
		return scattered("<call>t all=[", func(i int) string {
			return stringMember(i) + "," + numberMember(i) + "," + arrayMember(i) + "," + objectMember(i) + ",x,1,[],{},"
		}, n)
	}, listed},
	{"enums in a union", func(n int) string {
		return scattered("<call>t u=[", func(i int) string {
			return stringMember(i) + ",'" + numberMember(i) + "','" + arrayMember(i) + "'," + objectMember(i) + ",x,'1',[],{},True,"
		}, n)
	}, listed},
	{"enum of deep arrays", func(n int) string {
		return scattered("<call>t deep=[", func(i int) string { return deepMember(49+i-i%50) + "," }, n)
	}, listed},
	{"enum of deep arrays, text in them", func(n int) string {
		return fill("<call>t deep=[", strings.Repeat("[", 50)+strings.Repeat("x", 900)+strings.Repeat("]", 50)+",", n)
	}, listed},
	{"enums under strict", func(n int) string {
		return scattered("<call>t all=[", func(i int) string { return arrayMember(i) + "," + objectMember(i) + "," + stringMember(i) + "," }, n)
	}, Setup{listed.Catalog, parse.Options{Strict: true}}},

	{"patterns and short keys", func(n int) string { return fill("<call>t p=[", "{b:1},{c:1},", n) }, matching},
	{"patterns and long keys", func(n int) string { return numbered("<call>t l={", strings.Repeat("ab", 500)+"%:1,", n) }, matching},
	{"patterns and one long key", func(n int) string { return fill("<call>t l={", "ab", n) + ":1}</call>" }, matching},
	{"patterns and arguments", func(n int) string { return numbered("<call>t", " ab%=1", n) }, matching},
	{"words in four arrays", func(n int) string { return fill("<call>t four=[", "x,", n) }, matching},
	{"words in too many arrays", func(n int) string { return fill("<call>t sixty=[", "1,", n) }, matching},
	{"words in an array of itself", func(n int) string { return fill("<call>t endless=[", "1,", n) }, matching},
}

// matching is a catalog of objects with as many patterns as are run, and of nested
// arrays.
var matching = Setup{Catalog: mustCompile(fmt.Sprintf(`[{"name": "t", "inputSchema": {"type": "object", "patternProperties": {"^[ab]*a[ab]{50}$": {}}, "properties": {
	"p": {"type": "array", "items": {"type": "object", "patternProperties": {%s}}},
	"l": {"type": "object", "patternProperties": {"(a|b)*a(a|b){15}$": {}}},
	"four": {"type": "array", "items": %s},
	"sixty": {"type": "array", "items": %s},
	"endless": {"$ref": "#/$defs/endless"}},
	"$defs": {"endless": {"type": "array", "items": {"$ref": "#/$defs/endless"}}}}}]`,
	repeated(`"^a%":{}`, 10), arrays(4, "string"), arrays(60, "string")))}

// arrays returns the schema of n arrays around a type.
func arrays(n int, typ string) string {
	return strings.Repeat(`{"type":"array","items":`, n) + fmt.Sprintf(`{"type":%q}`, typ) + strings.Repeat("}", n)
}
