#!/bin/sh
# Build ilk by Meson, and use it from a project of Meson's, installed and as a subproject:
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

unset PKG_CONFIG_PATH
mkdir "$folder/consumer/subprojects"
ln -s "$root" "$folder/consumer/subprojects/ilk"
build "$folder/consumer" "$folder/inside" -Dilk:checked=true
nm "$folder/inside/consumer" | grep -q " T ilk_here" || { echo "Not the checked subproject."; exit 1; }
run_consumers "$folder/inside"
