package spec

// A typingRow is a row of the table of typing, with an example that the tests
// check with the reader.
type typingRow struct {
	Written, Allows, Becomes string // the rule, in words
	Rule                     string
	Schema, Value, JSON      string // the example: under this schema v=value becomes this JSON
	Issue                    string // and has this issue
}

// typingTable is the table of typing. Its first row that applies decides, within
// the ranks of rule typing.rank.
var typingTable = []typingRow{
	{
		"bare `null`", "null", "null",
		"typing.bare-literal", `{"type":["string","null"]}`, `null`, `null`, "",
	},
	{
		"bare `true`, `false`", "boolean", "that boolean",
		"typing.bare-literal", `{"type":["string","boolean"]}`, `true`, `true`, "",
	},
	{
		"bare JSON number", "number, or integer if it is integral", "that number, digit by digit",
		"typing.bare-literal", `{"type":["number","string"]}`, `1.50`, `1.50`, "",
	},
	{
		"bare, equal to an enum member", "that enum", "the member, the one that is no string first",
		"typing.enum", `{"enum":["1",1]}`, `1`, `1`, "",
	},
	{
		"bare", "string, and none of the above", "the string as written",
		"typing.bare-string", `{"type":"string"}`, `42`, `"42"`, "",
	},
	{
		"quoted", "string", "the string, decoded",
		"typing.quoted", `{"type":["string","integer"]}`, `"42"`, `"42"`, "",
	},
	{
		"quoted, equal to an enum member", "that enum", "the member, the string first",
		"typing.enum", `{"enum":["1",1]}`, `"1"`, `"1"`, "",
	},
	{
		"quoted JSON literal", "that boolean, number or null, not string", "the value",
		"typing.quoted-literal", `{"type":"integer"}`, `"42"`, `42`, "coerced",
	},
	{
		"quoted JSON text of an array or object", "that kind, not string",
		"the value, its parts typed",
		"typing.quoted-json", `{"type":"array"}`, `"[1,2]"`, `[1,2]`, "coerced",
	},
	{
		"`True`, `FALSE`, … bare or quoted", "boolean", "the boolean",
		"typing.boolean-case", `{"type":"boolean"}`, `True`, `true`, "coerced",
	},
	{
		"array or object", "string, not that kind", "its source text as a string",
		"typing.source-text", `{"type":"string"}`, `[1, 2]`, `"[1, 2]"`, "coerced",
	},
	{
		"scalar that no row above takes", "array, not string", "an array of it, the element typed",
		"typing.wrap", `{"type":"array","items":{"type":"string"}}`, `red`, `["red"]`, "coerced",
	},
	{
		"anything else", "something else", "its untyped reading",
		"typing.misfit", `{"type":"integer"}`, `many`, `"many"`, "type-mismatch",
	},
	{
		"bare", "everything, or there is no schema",
		"null, boolean or number if it is one in JSON, else string",
		"typing.untyped", `{}`, `007`, `"007"`, "",
	},
	{
		"quoted", "everything, or there is no schema", "string",
		"typing.untyped", `{}`, `"7"`, `"7"`, "",
	},
}
