#!/bin/sh
# Format every C file, or with --check only say which are not formatted: tools/format.sh [--check]
set -eu
cd "$(dirname "$0")/.."
files=$(find include src test bench examples addons game -name '*.[ch]' 2>/dev/null | sort)
if [ "${1:-}" != --check ]; then
    exec clang-format-19 -i --style=file $files
fi
status=0
for file in $files; do
    clang-format-19 --dry-run -Werror --style=file "$file" 2>/dev/null || {
        echo "$file is not formatted; make format does it."
        status=1
    }
done
exit $status
