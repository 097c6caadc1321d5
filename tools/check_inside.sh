#!/bin/sh
# Take ilk into a project, by add_subdirectory or by FetchContent from a folder or from the archive of
# tools/dist.py, and see that the project is as it was but for the libraries that it asked for:
# tools/check_inside.sh folder|fetched|archive [static|shared|checked]
set -eu
cd "$(dirname "$0")/.."
route=$1
kind=${2:-static}
folder=$PWD/build/packages/$route-$kind
. tools/packages.sh
options=
case "$kind" in
    shared) options=-DBUILD_SHARED_LIBS=ON ;;
    checked) options=-DILK_CHECKED=ON ;;
esac
rm -rf "$folder"
mkdir -p "$folder"

case "$route" in
    folder) options="$options -DROUTE=folder -DILK_SOURCE=$PWD" ;;
    fetched) options="$options -DROUTE=fetched -DFETCHCONTENT_SOURCE_DIR_ILK=$PWD" ;;
    archive)
        python3 tools/dist.py --archive "$folder/dist"
        (cd "$folder/dist" && quietly sha256sum -c SHA256SUMS)
        hash=$(sed -n 's/  ilk-.*//p' "$folder/dist/SHA256SUMS")
        options="$options -DROUTE=fetched -DILK_ARCHIVE_HASH=$hash
            -DILK_ARCHIVE=$folder/dist/ilk-$version.tar.gz"
        ;;
esac

configure() {
    cmake -S test/consumer -B "$folder/$1" -G Ninja -DCMAKE_BUILD_TYPE=Debug $options $2
}
quietly configure with_addons -DADDONS='space;zstd'
quietly cmake --build "$folder/with_addons"
run_consumers "$folder/with_addons"
quietly configure alone ""
# With warnings that headers of C cannot heed.
quietly cmake -S test/cpp/consumer -B "$folder/cpp" -G Ninja -DCMAKE_BUILD_TYPE=Debug $options \
    -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_CXX_FLAGS='-Werror -Wold-style-cast -Wzero-as-null-pointer-constant'
quietly cmake --build "$folder/cpp"
run_cpp_consumer "$folder/cpp/consumer"

# It is installed with the project if that asks for it.
install() {
    quietly cmake --install "$folder/with_addons" --prefix "$folder/prefix"
}
install
if [ -e "$folder/prefix" ]; then
    find "$folder/prefix" -type f
    echo "The project installs these with it."
    exit 1
fi
quietly configure with_addons -DILK_INSTALL=ON
quietly cmake --build "$folder/with_addons"
install
ls "$folder"/prefix/include/ilk/space.h "$folder"/prefix/lib*/cmake/ilk/ilkConfig.cmake >/dev/null

# What would leak is seen.
refuses examples_01_hello configure leaking -DILK_EXAMPLES=ON
