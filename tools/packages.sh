# What the tests of packages share. They set $folder, where what they make is.

version=$(sed -n 's/#define ILK_VERSION_[MP][A-Z]* //p' include/ilk/base.h | paste -sd.)
short_version=${version%.*}
consumers='consumer consumer_space consumer_zstd'

# quietly <command>…: show what it prints only if it fails.
quietly() {
    "$@" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
}

# refuses <words> <command>…: see that it fails, and says these words.
refuses() {
    words=$1
    shift
    if "$@" >"$folder/log" 2>&1; then
        echo "This should fail: $*"
        exit 1
    fi
    grep -q -e "$words" "$folder/log" || { cat "$folder/log"; exit 1; }
}

run_consumers() {
    for consumer in $consumers; do "$1/$consumer"; done
}

# Run the consumer in C++, which is made of bindings/cpp/example.cpp: run_cpp_consumer <program>
run_cpp_consumer() {
    python3 tools/check_example.py bindings/cpp/example.cpp "$1"
}

# See what the shared libraries in a folder are called, and that they export what is public.
check_shared() {
    for library in ilk ilk_space ilk_zstd; do
        objdump -p "$1/lib$library.so" | grep -q "SONAME *lib$library.so.$short_version$" || {
            echo "The soname of $library is not lib$library.so.$short_version."
            exit 1
        }
    done
    tools/check_symbols.sh "$1/libilk.so"
    check_addons "$1" so
}

# check_static <folder> [plain|checked]
check_static() {
    tools/check_symbols.sh "$1/libilk.a" "${2:-plain}"
    check_addons "$1" a
}

check_addons() {
    for addon in space zstd; do
        tools/check_symbols.sh "$1/libilk_$addon.$2" plain "addons/$addon/include/ilk/$addon.h"
    done
}

# Build the consumers by what pkg-config says, and run them: use_pkg_config <where the libraries are>
use_pkg_config() {
    export PKG_CONFIG_PATH="$1/pkgconfig"
    [ "$(pkg-config --modversion ilk)" = "$version" ] || {
        echo "pkg-config says version $(pkg-config --modversion ilk), not $version."
        exit 1
    }
    mkdir -p "$folder/by_pkg_config"
    for consumer in $consumers; do
        package=$(echo "$consumer" | sed 's/consumer/ilk/; s/_/-/')
        gcc -std=c11 -Wall -Werror test/consumer/$consumer.c \
            $(pkg-config --cflags --libs "$package") -o "$folder/by_pkg_config/$consumer"
    done
    g++ -std=c++17 -Wall -Werror bindings/cpp/example.cpp $(pkg-config --cflags --libs ilk-cpp) \
        -o "$folder/by_pkg_config/consumer_cpp"
    LD_LIBRARY_PATH="$1" run_consumers "$folder/by_pkg_config"
    LD_LIBRARY_PATH="$1" run_cpp_consumer "$folder/by_pkg_config/consumer_cpp"
}
