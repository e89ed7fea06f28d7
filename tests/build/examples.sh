#!/usr/bin/env bash
# Builds and tests a project of examples/build with the installed tool.
# Usage: tests/build/examples.sh PREFIX WORK cmake|meson|make
. "$(dirname "$0")/lib.sh"
cp -r "$root/examples/build/." .

# A test notices when something else happens than is expected: the bug mended, or a bug made.
both_ways() { # command...
    require "$@"
    sed -i 's/#ifndef WRONG_ORDER/#if 1/' account.c
    "$@" >log 2>&1 </dev/null && { cat log; fail "the mended program passes as one with a bug"; }
    sed -i 's/#if 1/#if 0/' account.c
    "$@" >log 2>&1 </dev/null && { cat log; fail "the program with a bug passes as one without"; }
    grep -q 'waits for' log || { cat log; fail "the output has no report"; }
    sed -i 's/#if 0/#ifndef WRONG_ORDER/' account.c
    require "$@"
}

case $3 in
    cmake)
        require cmake -S cmake -B b -DCMAKE_PREFIX_PATH="$prefix"
        build_and_test() { cmake --build b && ctest --test-dir b -L sennit --output-on-failure; }
        both_ways build_and_test
        [ -f b/sennit/transfer-in-wrong-order/run/run.json ] || fail "the run directory is not kept"
        require cmake --build b
        ! grep -q 'Building' log || { cat log; fail "everything is compiled again"; }
        touch account.h
        require cmake --build b
        [ "$(grep -c 'Building transfer' log)" = 4 ] || { cat log; fail "a changed header is not noticed"; }
        ;;
    meson)
        CC=$prefix/bin/sennit-cc require meson setup meson b
        both_ways meson test -C b --print-errorlogs
        ln -s "$prefix" 'the prefix'
        export PKG_CONFIG_PATH="$PWD/the prefix/share/pkgconfig"
        CC="'$PWD/the prefix/bin/sennit-cc'" require meson setup meson b2
        require meson test -C b2 --print-errorlogs
        ;;
    make)
        both_ways make -C make
        require make -C make clean
        [ "$(ls make)" = Makefile ] || fail "make clean leaves $(ls make)"
        export PKG_CONFIG_PATH='' PKG_CONFIG_LIBDIR=''
        make -C make >log 2>&1 && fail "make succeeds without sennit.pc"
        grep -q 'sennit.pc not found: set PKG_CONFIG_PATH' log || { cat log; fail "make does not say what is missing"; }
        require make -C make clean
        ;;
esac
echo ok
