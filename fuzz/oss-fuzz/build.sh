#!/bin/bash -eu
# Builds every fuzz target of the module for OSS-Fuzz, which sets SRC and OUT.
cd "$SRC/callwire"

# Targets share helpers with other test files. Only the second version of the compiler
# reads those.
compile=compile_native_go_fuzzer_v2
if ! command -v "$compile" >/dev/null; then
	echo "$compile is missing: use a newer image of base-builder-go" >&2
	exit 1
fi

# The compiler overlays a file of the standard library. Go refuses that inside the module
# cache, which is where a toolchain is that go.mod requires and the image lacks.
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

.ci/fuzz --list >targets.txt
while read -r package target; do
	folder=${package#./}
	name=$(tr '/' '_' <<<"$folder")_$target
	"$compile" "github.com/callwire/callwire/$folder" "$target" "$name"
	if [ ! -e "$OUT/$name" ]; then # the compiler succeeds even if it finds no target
		echo "$compile has not built $target of $package" >&2
		exit 1
	fi
	# Seeds that the target adds in Go mean nothing to libFuzzer: give it real messages.
	(cd corpus && zip -q -r "$OUT/${name}_seed_corpus.zip" samples)
done <targets.txt
