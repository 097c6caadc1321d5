#!/bin/sh
# Install the library and its addons and use them from outside, by CMake's find_package and by
# pkg-config, from C and from C++: tools/check_install.sh static|shared|checked
set -eu
cd "$(dirname "$0")/.."
kind=$1
folder=$PWD/build/packages/installed-$kind
. tools/packages.sh
options=
case "$kind" in
    # With headers somewhere else: an installed tree may have any shape.
    shared) options='-DBUILD_SHARED_LIBS=ON -DCMAKE_INSTALL_INCLUDEDIR=headers/here' ;;
    checked) options=-DILK_CHECKED=ON ;;
esac
rm -rf "$folder"
mkdir -p "$folder"

quietly cmake -S . -B "$folder/library" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DILK_EXAMPLES=OFF -DILK_GAME=OFF \
    -DCMAKE_INSTALL_PREFIX="$folder/prefix" -DCMAKE_INSTALL_LIBDIR=lib $options
quietly cmake --build "$folder/library"
quietly cmake --install "$folder/library"
# Away from where it was built for: an installed tree can be moved.
mv "$folder/prefix" "$folder/moved"

quietly cmake -S test/consumer -B "$folder/found" -G Ninja -DADDONS='space;zstd' \
    -DCMAKE_PREFIX_PATH="$folder/moved"
quietly cmake --build "$folder/found"
run_consumers "$folder/found"
use_pkg_config "$folder/moved/lib"

quietly cmake -S test/cpp/consumer -B "$folder/found_cpp" -G Ninja \
    -DCMAKE_PREFIX_PATH="$folder/moved"
quietly cmake --build "$folder/found_cpp"
run_cpp_consumer "$folder/found_cpp/consumer"

case "$kind" in
    static) check_static "$folder/moved/lib" ;;
    shared) check_shared "$folder/moved/lib" ;;
    checked) check_static "$folder/moved/lib" checked ;;
esac
