#!/bin/sh
# Make the reference of the public headers; any warning is a failure: tools/reference.sh
set -eu
cd "$(dirname "$0")/.."
mkdir -p build/docs
doxygen docs/Doxyfile
echo "Written: build/docs/html/index.html"
