module github.com/callwire/callwire

go 1.25
