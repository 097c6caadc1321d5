#!/bin/sh
# See which names a library defines for others. A shared one: the public functions and no others. A
# static one or an object: those, and others of ilk's own, ilki_ (ilks_ in addons):
# tools/check_symbols.sh <library> [plain|checked] [header of the addon]
set -eu
library=$(realpath "$1")
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

tools/public_functions.sh "${2:-plain}" "${3:-}" >"$folder/public"
case "$library" in
    *.so*) dynamic=-D ;;
    *) dynamic= ;;
esac
nm $dynamic --defined-only --extern-only "$library" | awk 'NF == 3 { print $3 }' |
    sort >"$folder/defined"

if comm -13 "$folder/defined" "$folder/public" | grep .; then
    echo "$1 does not define these functions, which are declared."
    exit 1
fi
others=$(comm -23 "$folder/defined" "$folder/public")
[ -n "$dynamic" ] || others=$(echo "$others" | grep -v '^ilk[is]_' || true)
if [ -n "$others" ]; then
    echo "$others"
    echo "$1 defines these names, which are not ilk's to use."
    exit 1
fi
