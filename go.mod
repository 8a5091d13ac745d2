module github.com/callwire/callwire

go 1.25

require github.com/alecthomas/participle/v2 v2.1.4

require (
	github.com/google/go-cmp v0.7.0 // indirect
	pgregory.net/rapid v1.3.0 // indirect
)
