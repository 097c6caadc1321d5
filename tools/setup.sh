#!/bin/sh
# Install what is missing: tools/setup.sh [run|test|bench|coverage|full|dist]
#
# Each line below is a package of Debian and a command that shows it to be there; a package
# without a command is looked up in the package database. Quick when nothing is missing.
set -eu

dist_packages='python3:python3 git:git'
build_packages='gcc:gcc libc6-dev cmake:cmake ninja-build:ninja'
game_packages='libsdl2-dev libpng-dev'
run_packages="$build_packages $game_packages"
bench_packages="$build_packages clang:clang"
test_packages="$bench_packages $dist_packages $game_packages g++:g++ libclang-rt-dev libcmocka-dev libzstd-dev
    valgrind:valgrind libc6-dbg pkg-config:pkg-config clang-format-19:clang-format-19
    meson:meson dpkg-dev:dpkg-buildpackage debhelper:dh lintian:lintian doxygen:doxygen
    lld:wasm-ld wasi-libc libclang-rt-dev-wasm32 nodejs:node"
coverage_packages="$test_packages clang-19:clang-19 llvm-19:llvm-cov-19 libclang-rt-19-dev"
full_packages="$test_packages imagemagick:convert qemu-user:qemu-s390x
    binutils-s390x-linux-gnu:s390x-linux-gnu-ld libc6-dev-s390x-cross libgcc-12-dev-s390x-cross
    binutils-aarch64-linux-gnu:aarch64-linux-gnu-ld libc6-dev-arm64-cross libgcc-12-dev-arm64-cross"
[ "$(uname -m)" != x86_64 ] || full_packages="$full_packages gcc-multilib
    gcc-mingw-w64-x86-64-win32:x86_64-w64-mingw32-gcc wine64"

case "${1:-test}" in
    run) wanted=$run_packages ;;
    bench) wanted=$bench_packages ;;
    test) wanted=$test_packages ;;
    coverage) wanted=$coverage_packages ;;
    full) wanted=$full_packages ;;
    dist) wanted=$dist_packages ;;
    *) echo "usage: $0 [run|test|bench|coverage|full|dist]" >&2; exit 2 ;;
esac

installed() {
    dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'ok installed'
}

missing=
for pair in $wanted; do
    package=${pair%%:*}
    command=${pair#"$package"}
    command=${command#:}
    if [ -n "$command" ] && command -v "$command" >/dev/null 2>&1; then continue; fi
    # Elsewhere than on Debian only the commands can be checked.
    if [ -z "$command" ] && ! command -v dpkg-query >/dev/null 2>&1; then continue; fi
    installed "$package" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

by_hand="apt-get update && apt-get install -y --no-install-recommends$missing"
if ! command -v apt-get >/dev/null 2>&1; then
    echo "Missing:$missing. There is no apt-get here; please install them by hand." >&2
    exit 1
elif [ "$(id -u)" = 0 ]; then
    as_root=
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    as_root='sudo -n'
else
    echo "Some packages are missing. As root, run:" >&2
    echo "  $by_hand" >&2
    exit 1
fi

echo "Installing:$missing"
$as_root apt-get update -qq
$as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends $missing
