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

# The compiler lays a file of its own over one of Go's, which Go refuses within the
# module cache. That is where a Go is that go.mod asked for, if the image's is older.
goroot=$(go env GOROOT)
case $goroot in
"$(go env GOMODCACHE)"/*)
	GOROOT=$(mktemp -d)
	cp -r "$goroot/." "$GOROOT"
	chmod -R u+w "$GOROOT"
	PATH=$GOROOT/bin:$PATH
	export GOROOT PATH GOTOOLCHAIN=local
	;;
esac

list=$(go run ./fuzz/ci -seeds "$OUT")
while read -r package target name; do
	"$compile" "$package" "$target" "$name"
	if [ ! -e "$OUT/$name" ]; then # where it does not find the function, it succeeds
		echo "$compile has not built $target of $package" >&2
		exit 1
	fi
done <<<"$list"
