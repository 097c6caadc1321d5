#!/bin/sh
# Build the core for another machine and see that it does there what it does here: the headers, the
# golden hashes, workers, the space addon, and the model test.
#     tools/check_elsewhere.sh wasm32|aarch64|s390x|windows|m32 [operations] [levels]
# operations are those of the model test, levels those of optimisation: "0 3".
# qemu plays the processors, wine Windows, and node runs WebAssembly.
set -eu
cd "$(dirname "$0")/.."
. tools/flags.sh
platform=$1
operations=${2:-200000}
levels=${3:-0 3}
folder=build/elsewhere/$platform
meeting=threads
runner= suffix=
link='-lm -lpthread'
# (Of Debian's gcc, those for aarch64 and s390x are not to be had together with the one for 32 bits.)
case "$platform" in
    wasm32)
        compiler='clang --target=wasm32-wasi'
        link='-lm -Wl,-z,stack-size=1048576 -Wl,--stack-first'
        runner='node --no-warnings --experimental-wasi-unstable-preview1 tools/run_wasm.mjs'
        meeting=alone ;;
    aarch64 | s390x)
        compiler="clang --target=$platform-linux-gnu"
        link="$link -static"
        runner=qemu-$platform ;;
    windows)
        # To this compiler every format is one of Microsoft's, which know no %zu.
        compiler='x86_64-w64-mingw32-gcc -Wno-format -Wno-format-extra-args'
        link='-lm -static'
        suffix=.exe
        runner=$(command -v wine64 || echo /usr/lib/wine/wine64)
        export WINEPREFIX="$PWD/build/elsewhere/wine" WINEDEBUG=-all WINEDLLOVERRIDES=mscoree,mshtml= ;;
    m32)
        compiler='gcc -m32' ;;
    *)
        echo "usage: $0 wasm32|aarch64|s390x|windows|m32 [operations] [levels]" >&2
        exit 2 ;;
esac
includes='-Iinclude -Iaddons/space/include'
rm -rf "$folder"
mkdir -p "$folder"

# build <name> <flags, sources, objects>…
build() {
    name=$1
    shift
    $compiler $strict_flags $includes -o "$folder/$name$suffix" "$@" $link
}

# Compile each source alone: objects <folder> <flags>… -- <source>…
objects() {
    into=$folder/objects/$1 flags=
    shift
    while [ "$1" != -- ]; do
        flags="$flags $1"
        shift
    done
    shift
    mkdir -p "$into"
    for source in "$@"; do
        $compiler $strict_flags $includes $flags -c "$source" -o "$into/$(basename "$source").o"
    done
}

tools/check_headers.sh "$compiler"

for level in $levels; do
    objects core-O$level -O$level -ffp-contract=off -- src/ilk.c
    core=$folder/objects/core-O$level/ilk.c.o
    for program in golden meeting; do
        build $program-O$level -O$level test/golden/$program.c "$core"
    done
    $runner "$folder/golden-O$level$suffix"
    $runner "$folder/meeting-O$level$suffix" $meeting
done

objects space -O1 -ffp-contract=off -- addons/space/*.c
for example in 01_hello 25_space 16_workers; do
    build $example -O1 examples/$example.c "$core" "$folder"/objects/space/*.o
    python3 tools/check_example.py examples/$example.c $runner "$folder/$example$suffix"
done

objects model -O0 -Isrc -Itest -Itest/model -- $(ls test/model/*.c | grep -v /fuzz)
build model_test "$folder"/objects/model/*.o "$core"
$runner "$folder/model_test$suffix" --ops "$operations" --seed 1
