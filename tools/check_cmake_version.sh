#!/bin/sh
# Ask for what tools/check_install.sh static has installed, by its version and others.
set -eu
cd "$(dirname "$0")/.."
folder=$PWD/build/packages/cmake_version
. tools/packages.sh
rm -rf "$folder"
mkdir -p "$folder"
quietly cmake -S test/consumer/versions -B "$folder/asked" -G Ninja -DVERSION="$version" \
    -DCMAKE_PREFIX_PATH="$PWD/build/packages/installed-static/moved"
