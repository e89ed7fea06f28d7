# lib.sh - what the tests of an installed tool share; sourced with the installation's prefix and a work
# directory, which is emptied, as arguments
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
prefix=$(realpath "$1") work=$2
rm -rf "$work"
mkdir -p "$work"
cd "$work" || exit 1
export PKG_CONFIG_PATH=$prefix/share/pkgconfig

fail() {
    echo "FAIL: $*"
    exit 1
}

require() { # command...: its output is shown if it fails
    "$@" >log 2>&1 </dev/null && return
    cat log
    fail "$*"
}
