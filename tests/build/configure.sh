#!/usr/bin/env bash
# A `make` whose configuration failed, say for want of a library, is no obstacle to the next one.
#
# Usage: tests/build/configure.sh WORK-DIRECTORY
. "$(dirname "$0")/lib.sh" "$(dirname "$0")" "$1"

# A cmake that leaves its cache behind when it fails, as the real one does, and fails the first time.
mkdir tools
cat >tools/cmake <<'END'
#!/usr/bin/env bash
[ "$1" = --build ] && { [ -f out/build.ninja ] && echo built >>out/built; exit; }
echo "$*" >>calls
mkdir -p out
[ -f out/CMakeCache.txt ] && exec touch out/build.ninja
touch out/CMakeCache.txt
echo 'no such library'
exit 1
END
chmod +x tools/cmake

make_here() { PATH=$work/tools:$PATH make -f "$root/Makefile" BUILD=out "$@" >log 2>&1 </dev/null; }

work=$PWD
make_here all && fail 'a configuration that fails is no error'
grep -q 'no such library' log || fail 'the reason is not shown'
require make_here all
[ "$(cat out/built)" = built ] || fail 'it is not tried again'
require make_here all
[ "$(wc -l <calls)" = 2 ] || fail "configured without need: $(cat calls)"
require make_here all PREFIX=/nowhere
grep -q -- '-DCMAKE_INSTALL_PREFIX=/nowhere' calls || fail 'what is said later does not hold'
