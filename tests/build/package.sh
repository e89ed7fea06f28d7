#!/usr/bin/env bash
# Builds the Debian package and looks into it.
# Usage: tests/build/package.sh BUILD
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$1 failures=0
deb=$("$root/tools/package" "$build") || { echo "$deb"; exit 1; }
list=$(dpkg-deb -c "$deb" | awk '{ print $1, $2, $6 }')
version=$("$build/sennit" --version | sed -n 's/^sennit //p')

fail() {
    echo "FAIL: $*"
    failures=$((failures + 1))
}

field() { dpkg-deb -f "$deb" "$1"; }

depends=", $(field Depends),"
for package in clang-19 binutils libc6-dev libc6 libgmp10 libhiredis libllvm19 libz3-4; do
    [[ $depends == *", $package"[\ ,0-9]* ]] || fail "does not depend on $package:$depends"
done
[[ $(field Recommends) == *gdb* ]] || fail "does not recommend gdb"
[[ $(field Suggests) == *redis-server* ]] || fail "does not suggest redis-server"
[[ $(field Version) == "$version"-* ]] || fail "version $(field Version), the tool's is $version"
[ "$(field Architecture)" = "$(dpkg --print-architecture)" ] || fail "architecture $(field Architecture)"

for file in usr/bin/sennit usr/lib/sennit/sennit-{instr,solver,expect,rt.o} usr/lib/sennit/libsennit-inert.a \
    usr/include/sennit/sennit.h usr/lib/cmake/Sennit/SennitConfig.cmake usr/share/pkgconfig/sennit.pc \
    usr/share/man/man1/sennit{,-test,-cc}.1.gz usr/share/doc/sennit/{copyright,changelog.gz,changelog.Debian.gz} \
    usr/share/doc/sennit/examples/bank.c usr/share/bash-completion/completions/sennit; do
    grep -q " \./$file\$" <<<"$list" || fail "$file is not in the package"
done
grep -q '^lrwxrwxrwx root/root ./usr/bin/sennit-cc' <<<"$list" || fail "sennit-cc is no link"
strangers=$(grep -v ' root/root ' <<<"$list")
[ -z "$strangers" ] || fail "files that do not belong to root: $strangers"
writable=$(grep -E '^-.......w|^-....w' <<<"$list")
[ -z "$writable" ] || fail "files that others may write: $writable"
first=$(dpkg-deb --fsys-tarfile "$deb" | tar xO ./usr/share/doc/sennit/changelog.Debian.gz | zcat | head -n 1)
[[ $first == "sennit ($(field Version))"* ]] || fail "cmake/debian/changelog begins with: $first"
complaints=$(lintian --fail-on none --tag-display-limit 0 "$deb" 2>/dev/null | grep -E '^[EW]:')
[ -z "$complaints" ] || fail "lintian: $complaints"
[ $failures = 0 ] && echo ok
