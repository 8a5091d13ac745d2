package main

import (
	_ "embed"
	"html/template"
)

//go:embed style.css
var siteCSS []byte

// pageTemplate is every page of the site but the playground and the specification.
var pageTemplate = template.Must(template.New("page").Parse(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{{.Title}}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="style.css">
</head>
<body>
<header><nav aria-label="Site">
<a href="index.html"><b>callwire</b></a>
<a href="playground/index.html">Playground</a>
<a href="spec/index.html">Specification</a>
<a href="benchmarks.html">Benchmarks</a>
<a href="implementations.html">Implementations</a>
</nav></header>
<main>
{{.Body}}
</main>
</body>
</html>
`))

const firstPage = "# callwire\n\n" +
	"A model calls a tool by one short line of text instead of a JSON envelope, and your program " +
	"gets exact, typed JSON: at any chunking of the stream, and safe against calls that are only " +
	"quoted in data.\n\n" +
	"    Let me check. <call>getWeather location=\"New York\" units=metric</call>\n\n" +
	"- [Playground](playground/index.html): type a text and see what a reader makes of it.\n" +
	"- [Specification](spec/index.html): rule by rule, with railroad diagrams and examples " +
	"that are tests.\n" +
	"- [Benchmarks](benchmarks.html): tokens, speed and memory, each with its command.\n" +
	"- [Implementations](implementations.html): who reads the format, and what they prove.\n"

const implementationsHead = "# Implementations\n\n" +
	"An implementation in any language is judged by `callwire conform -- CMD`: it answers the " +
	"cases of the corpus, one line of JSON each. What is listed here is what a report proves. " +
	"To be listed, send yours:\n\n" +
	"    callwire conform --report json -- CMD >mine.json\n" +
	"    go run ./spec/playground --out site --report mine.json\n"

// shippedReaders is the list without reports: readers that anyone with a clone can
// judge.
const shippedReaders = "\nThis site was built without reports. These readers ship with callwire, " +
	"and its gate judges them before every change:\n\n" +
	"| reader | level | judge it yourself, in a clone |\n|---|---|---|\n" +
	"| callwire, in Go | core and extended | `" + conform + "-- go run ./cmd/callwire serve` |\n" +
	"| the example in Python | core | `" + conformCore + "python3 " +
	"corpus/adapters/python/callwire.py` |\n" +
	"| the example in JavaScript | core | `" + conformCore + "node " +
	"corpus/adapters/javascript/callwire.mjs` |\n"

const (
	conform     = "go run ./cmd/callwire conform "
	conformCore = conform + "--level core -- "
)
