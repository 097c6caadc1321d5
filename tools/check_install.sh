#!/bin/sh
# Install the library and use it from outside, by CMake's find_package, by pkg-config and by
# add_subdirectory: tools/check_install.sh static|shared|checked
set -eu
cd "$(dirname "$0")/.."
kind=$1
root=$PWD
folder=$root/build/installed/$kind
prefix=$folder/prefix
options=
case "$kind" in
    shared) options=-DBUILD_SHARED_LIBS=ON ;;
    checked) options=-DILK_CHECKED=ON ;;
esac
rm -rf "$folder"
mkdir -p "$folder"

quietly() {
    "$@" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
}

quietly cmake -S . -B "$folder/library" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DILK_EXAMPLES=OFF -DILK_GAME=OFF \
    -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib $options
quietly cmake --build "$folder/library"
quietly cmake --install "$folder/library"
# Away from where it was built for: an installed tree can be moved.
mv "$prefix" "$folder/moved"
prefix=$folder/moved

quietly cmake -S test/consumer -B "$folder/found" -G Ninja -DCMAKE_PREFIX_PATH="$prefix"
quietly cmake --build "$folder/found"
"$folder/found/consumer"

export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
flags=$(pkg-config --cflags --libs ilk)
gcc -std=c11 -Wall -Werror test/consumer/consumer.c $flags -o "$folder/by_pkg_config"
LD_LIBRARY_PATH="$prefix/lib" "$folder/by_pkg_config"

quietly cmake -S test/consumer -B "$folder/inside" -G Ninja -DILK_SOURCE="$root" $options
quietly cmake --build "$folder/inside"
"$folder/inside/consumer"
if [ -n "$(find "$folder/inside" -name 'test_*' -o -name 'model_test' -o -name 'ilk_game')" ]; then
    echo "A project that adds ilk as a folder builds ilk's own programs too."
    exit 1
fi

if [ "$kind" = shared ]; then
    nm -D --defined-only --extern-only "$prefix/lib/libilk.so" | awk '{ print $3 }' | sort >"$folder/exported"
    tools/public_functions.sh >"$folder/public"
    diff "$folder/public" "$folder/exported" || {
        echo "The shared library exports more or less than the public functions."
        exit 1
    }
fi
