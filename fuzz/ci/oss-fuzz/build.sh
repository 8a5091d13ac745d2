#!/bin/bash -eu
# Builds every fuzz target of the module, with seeds, for OSS-Fuzz, which sets
# SRC and OUT.
cd "$SRC/callwire"

# The targets share helpers with other test files, which the first version of the
# compiler does not read. And the seeds are written as the second one reads them.
compile=compile_native_go_fuzzer_v2
if ! command -v "$compile" >/dev/null; then
	echo "$compile is missing: take a newer image of base-builder-go" >&2
	exit 1
fi

list=$(go run ./fuzz/ci -seeds "$OUT")
while read -r package target name; do
	"$compile" "$package" "$target" "$name"
done <<<"$list"
