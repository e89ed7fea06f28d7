# Measures other tools on the reference programs, in the same run as ours; sourced by bench/run. GENMC and NIDHUGG
# say where they are; a tool that is not there is not measured.

least_of=${LEAST_OF:-3} # short runs vary

# CPU seconds of a command, the least of some runs; `-` if it fails. A run of more than ten seconds is not repeated.
least_seconds() { # command...
    local least=- now i TIMEFORMAT='%U %S'
    for ((i = 0; i < least_of; i++)); do
        now=$({ time "$@" >"$work/rival.log" 2>&1 || echo failed; } 2>&1 | awk '/failed/ { exit } { print $1 + $2 }')
        [ -n "$now" ] || { echo -; return; }
        least=$(awk -v a="$least" -v b="$now" 'BEGIN { print (a == "-" || b < a) ? b : a }')
        awk -v a="$least" 'BEGIN { exit a <= 10 }' && break
    done
    echo "$least"
}

# The flags make the tools alike: no estimate before the search, no symmetry of threads, no joins of their own.
genmc_flags=(-disable-estimation -disable-sr)
genmc_seconds() { # model source flags...
    local model=$1 source=$2
    shift 2
    least_seconds "$GENMC" "--$model" "${genmc_flags[@]}" -- "$@" "$source"
}

# Nidhugg takes bitcode; compiling it does not count. At -O0: what is explored is what was written.
nidhugg_flags=(--sc --optimal)
nidhugg_seconds() { # source flags...
    local source=$1
    shift
    "${NIDHUGG_CLANG:-clang-14}" -O0 -emit-llvm -S "$@" "$source" -o "$work/rival.ll" 2>"$work/rival.log" || { echo -; return; }
    least_seconds "$NIDHUGG" "${nidhugg_flags[@]}" "$work/rival.ll"
}

# Which tools are measured, as they name themselves.
rivals_present() {
    [ -z "${GENMC:-}" ] || echo "$("$GENMC" --version | awk '/v[0-9]/ { print $1, $2 } /LLVM/ { $1 = $1; print "(" $0 ")" }' | paste -sd' ') --sc, --rc11 ${genmc_flags[*]}"
    [ -z "${NIDHUGG:-}" ] || echo "$("$NIDHUGG" --version | head -n 1) ${nidhugg_flags[*]}"
}
