module github.com/callwire/callwire/sig/constrain/engines

go 1.26.0
