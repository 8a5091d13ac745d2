#!/bin/bash -eu
# Builds every fuzz target of the module, with seeds, for OSS-Fuzz, which sets
# SRC and OUT.
cd "$SRC/callwire"

# The targets share helpers with other test files, which the second version of
# the compiler reads by itself.
compile=compile_native_go_fuzzer
if command -v compile_native_go_fuzzer_v2 >/dev/null; then
	compile=compile_native_go_fuzzer_v2
fi

list=$(go run ./fuzz/ci -seeds "$OUT")
while read -r package target name; do
	"$compile" "$package" "$target" "$name"
done <<<"$list"
