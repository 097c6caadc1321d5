#!/bin/sh
# Format every file of C and C++, or with --check only say which are not formatted: tools/format.sh [--check]
set -eu
cd "$(dirname "$0")/.."
files=$(find include src test bench examples addons docs game bindings -name '*.[ch]' -o -name '*.[ch]pp' \
    2>/dev/null | sort)
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
# Comments are nobody's to break but their author's.
LC_ALL=C.UTF-8 grep -nE '^.{101,}' $files && {
    echo "Lines are at most 100 columns long."
    status=1
}
exit $status
