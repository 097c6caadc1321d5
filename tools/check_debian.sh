#!/bin/sh
# Build Debian's packages from a copy of the tree, ask lintian, unpack them into a scratch root and use
# what is there: tools/check_debian.sh
set -eu
cd "$(dirname "$0")/.."
folder=$PWD/build/packages/debian
. tools/packages.sh
rm -rf "$folder"
mkdir -p "$folder/ilk-$version" "$folder/root"

tar -c --exclude-vcs --exclude=build . | tar -x -C "$folder/ilk-$version"
tar -C "$folder" -czf "$folder/ilk_$version.orig.tar.gz" --exclude=debian "ilk-$version"
(
    cd "$folder/ilk-$version"
    # Not optimised, and without packages of symbols: that would take most of a minute.
    export DEB_BUILD_OPTIONS="noopt noautodbgsym parallel=${JOBS:-2}"
    quietly dpkg-buildpackage -us -uc
)

# No bug of Debian asks for ilk, and its licence has no year.
lintian --allow-root --fail-on error,warning \
    --suppress-tags initial-upload-closes-no-bugs,copyright-without-copyright-notice \
    "$folder/ilk_$version-"*.changes

for package in "$folder"/*.deb; do
    dpkg -x "$package" "$folder/root"
done
dpkg-deb -f "$folder/libilk-space$short_version"_*.deb Depends |
    grep -q "libilk$short_version (>= $version)" || {
    echo "The package of the addon space does not depend on that of ilk."
    exit 1
}
# What only those who work on ilk use stays in its tree.
python3 tools/check_docs.py --links "$folder/root/usr/share/doc/libilk-dev" bench test tools
libraries=$folder/root/usr/lib/$(gcc -print-multiarch)
check_shared "$libraries"
check_static "$libraries"
use_pkg_config "$libraries"
quietly cmake -S test/consumer -B "$folder/found" -G Ninja -DADDONS='space;zstd' \
    -DCMAKE_PREFIX_PATH="$folder/root/usr"
quietly cmake --build "$folder/found"
LD_LIBRARY_PATH=$libraries run_consumers "$folder/found"
