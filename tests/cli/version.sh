#!/usr/bin/env bash
# `sennit --version`: a line each for the tool, the commit, LLVM, z3 and the compiler.
. "$(dirname "$0")/lib.sh"

run "$sennit" --version
expect_code 0 "--version"
expect_text out '^sennit [0-9]+\.[0-9]+\.[0-9]+$' "--version"
expect_text out '^LLVM 19\.[0-9]+\.[0-9]+' "--version"
expect_text out '^z3 4\.[0-9]+\.[0-9]+' "--version"
expect_text out '^clang /.*clang' "--version"
root=$(cd "$sources/../../.." && pwd)
if [ "$(git -C "$root" rev-parse --show-toplevel 2>/dev/null)" = "$root" ]; then
    expect_text out '^commit ([0-9a-f]{12}|.*-g[0-9a-f]{12}|v?[0-9.]+)(-dirty)?$' "--version in a repository"
else
    expect_text out '^commit unknown$' "--version outside a repository"
fi
# What is written into traces and test binaries is the version alone, so that a commit invalidates nothing.
version=$(sed -n 's/^sennit //p' out)
run "$sennit" test "$root/examples/bank.c" -o run
expect_code 1 "examples/bank.c"
expect_text run/run.json "\"version\": \"$version\"" "run.json"
finish
