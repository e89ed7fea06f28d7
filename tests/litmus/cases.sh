# cases.sh - runs one case of a program and compares what Sennit reports with what is expected; sourced
#
# run_case FILE FLAGS EXPECTATIONS counts in $passed and $failed, and in $refused if --restore=check cannot be done. It
# uses $sennit, an empty directory $work and $with, a flag for all cases. The expectations are those of tests/litmus/run.
passed=0 failed=0 refused=0

# What a run reported, in the words of the expectations.
observed() { # run.json exit-code
    jq -r --arg code "$2" '"exit \($code) executions \(.executions) redundant \(.redundant) states \(.states // 0) verdict \(.verdict) bugs \(
            if .bugs == [] then "none" else [.bugs[].kind] | unique | join(",") end)"' "$1"
}

# expected NAME TEXT DEFAULT: the value after NAME in the text.
expected() {
    local value
    value=$(sed -nE "s/.*\b$1 ([^ ]+).*/\1/p" <<<"$2")
    echo "${value:-$3}"
}

agrees() { # expectations observation
    local name want have
    for name in executions redundant states verdict bugs exit; do
        case $name in
            executions) want=$(expected executions "$1" any) ;;
            redundant) want=$(expected redundant "$1" "$([[ $1 == *states* ]] && echo any || echo 0)") ;;
            states) want=$(expected states "$1" 0) ;;
            verdict) want=$(expected verdict "$1" exhaustive) ;;
            bugs) want=$(expected bugs "$1" none) ;;
            exit) want=$(expected exit "$1" "$([[ $1 == *bugs* ]] && echo 1 || echo 0)") ;;
        esac
        have=$(expected $name "$2" missing)
        [ "$want" = any ] || [ "$want" = "$have" ] || return 1
    done
}

run_case() { # file flags expectations
    local name seen code
    name="$(basename "$1" .c) $2$with"
    rm -rf "$work/run"
    # shellcheck disable=SC2086
    (cd "$work" && "$sennit" test "$1" $2 $with -k -q -o "$work/run") >"$work/log" 2>&1 </dev/null
    code=$?
    if [ -n "$with" ] && [ $code = 2 ] && grep -q -- "$with: executions of this program cannot be continued" "$work/log"; then
        refused=$((refused + 1))
        return
    fi
    seen=$(observed "$work/run/run.json" "$code" 2>/dev/null)
    if [ -n "$seen" ] && agrees "$3" "$seen"; then
        passed=$((passed + 1))
        echo "ok    $name: $3"
        return
    fi
    failed=$((failed + 1))
    echo "FAIL  $name: expected $3"
    echo "      got ${seen:-exit $code, no run.json}"
    tail -n 15 "$work/log" | sed 's/^/      | /'
}
