#!/bin/sh
# Build ilk by Meson, and use it from projects of Meson's, in C and in C++, installed and as a subproject:
# tools/check_meson.sh
set -eu
cd "$(dirname "$0")/.."
root=$PWD
folder=$root/build/packages/meson
. tools/packages.sh
rm -rf "$folder"
mkdir -p "$folder"

# build <project> <folder> <option>…
build() {
    project=$1 built=$2
    shift 2
    quietly meson setup "$built" "$project" --buildtype debug --wrap-mode nodownload "$@"
    quietly meson compile -C "$built" -j "${JOBS:-2}"
}

build . "$folder/library" --prefix "$folder/prefix" --libdir lib --default-library both \
    -Daddons=space,zstd --werror
quietly meson install -C "$folder/library" --no-rebuild
check_shared "$folder/prefix/lib"
check_static "$folder/prefix/lib"
use_pkg_config "$folder/prefix/lib"

# The subproject wins where none is installed.
cp -r test/consumer "$folder/consumer"
PKG_CONFIG_PATH="$folder/prefix/lib/pkgconfig" build "$folder/consumer" "$folder/found"
LD_LIBRARY_PATH="$folder/prefix/lib" run_consumers "$folder/found"
cp -r test/cpp/consumer "$folder/cpp"
cp bindings/cpp/example.cpp "$folder/cpp"
PKG_CONFIG_PATH="$folder/prefix/lib/pkgconfig" build "$folder/cpp" "$folder/found_cpp"
LD_LIBRARY_PATH="$folder/prefix/lib" run_cpp_consumer "$folder/found_cpp/consumer"

unset PKG_CONFIG_PATH
for project in consumer cpp; do
    mkdir "$folder/$project/subprojects"
    ln -s "$root" "$folder/$project/subprojects/ilk"
done
build "$folder/consumer" "$folder/inside" -Dilk:checked=true
nm "$folder/inside/consumer" | grep -q " T ilk_here" || { echo "Not the checked subproject."; exit 1; }
run_consumers "$folder/inside"
# With warnings that headers of C cannot heed.
CXX=clang++ build "$folder/cpp" "$folder/inside_cpp" --werror \
    -Dcpp_args="['-Wold-style-cast', '-Wzero-as-null-pointer-constant']"
run_cpp_consumer "$folder/inside_cpp/consumer"
