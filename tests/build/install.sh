#!/usr/bin/env bash
# Installs the build directory's tool, moves the installation, and takes away the right to write to it.
# Usage: tests/build/install.sh BUILD PREFIX
set -euo pipefail
build=$1 prefix=$2
[ ! -e "$prefix" ] || chmod -R u+w "$prefix"
rm -rf "$prefix" "$prefix.first"
cmake --install "$build" --prefix "$prefix.first" >/dev/null
mv "$prefix.first" "$prefix"
chmod -R a-w "$prefix"
cd "$prefix"
for file in bin/sennit bin/sennit-cc lib/sennit/sennit-{instr,solver,expect,rt.o} lib/sennit/libsennit-inert.a \
    include/sennit/{sennit,actor}.h include/klee/klee.h lib/cmake/Sennit/SennitConfig{,Version}.cmake \
    share/pkgconfig/sennit.pc share/doc/sennit/{README,CHANGELOG,CONTRIBUTING,ARCHITECTURE,STYLE}.md \
    share/man/man1/sennit{,-test}.1 \
    share/bash-completion/completions/sennit share/zsh/vendor-completions/_sennit \
    share/fish/vendor_completions.d/sennit.fish; do
    [ -s "$file" ] || { echo "FAIL: $file is not installed"; exit 1; }
done
