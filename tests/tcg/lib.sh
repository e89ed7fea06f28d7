# lib.sh - what the tests of `sennit generate` share; sourced with the tool as first argument. They
# run in an empty directory of their own.
sennit=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
models=$here/models
examples=$here/../../examples
work=$(mktemp -d)
trap 'cd /; rm -rf "$work"' EXIT
cd "$work" || exit 1
. "$here/../need.sh"
need python3
failed=0

# expect NAME WANTED GOT
expect() {
    if [ "$2" != "$3" ]; then
        printf '%s: expected\n%s\ngot\n%s\n' "$1" "$2" "$3"
        failed=1
    fi
}
