# lib.sh - what the tests of the command line share; sourced by tests/cli/*.sh
#
# Each test is called with the tool as its argument and runs in an empty directory of its own.
set -u
[ $# -ge 1 ] && [ -x "$1" ] || { echo "FAIL: usage: $0 SENNIT; ${1-} is no program: is everything built?"; exit 2; }
. "$(dirname "${BASH_SOURCE[0]}")/../need.sh"
need jq
sennit=$(realpath "$1")
sources=$(cd "$(dirname "$0")/programs" && pwd)
work=$(mktemp -d)
# A child that gets a signal before it has become another program would do it too.
trap '[ $BASHPID != $$ ] || { cd /; rm -rf "$work"; }' EXIT
cd "$work" || exit 1
failures=0

complain() { # sentence: shows it with the output of the last run
    echo "FAIL: $1"
    sed 's/^/    | /' out err 2>/dev/null
    failures=$((failures + 1))
}

# What an earlier run left where this one writes its results would pass for a result of this one.
forget_results() { # command...
    case ${2-} in
        test | explore | deadlock | generate) ;;
        *) return ;;
    esac
    [[ $* == *sennit-last* ]] || rm -f sennit-last
    while [ $# -gt 1 ] && [ "$1" != -- ]; do
        [ "$1" != -o ] || rm -f "$2/run.json"
        shift
    done
}

run() { # command...: output in out and err, exit code in $code
    forget_results "$@"
    timeout 600 "$@" >out 2>err </dev/null
    code=$?
}

expect_code() { # code what
    [ "$code" = "$1" ] || complain "$2: exit code $code instead of $1"
}

expect_text() { # file pattern what
    grep -qE -- "$2" "$1" || complain "$3: no \"$2\" in $1"
}

expect_no_text() { # file pattern what
    ! grep -qE -- "$2" "$1" || complain "$3: \"$2\" in $1"
}

# A run that must end with a code and say something on standard error.
refused() { # code pattern command...
    local code_wanted=$1 pattern=$2
    shift 2
    run "$@"
    expect_code "$code_wanted" "$*"
    expect_text err "$pattern" "$*"
}

finish() {
    [ "$failures" = 0 ] && echo "ok" || exit 1
}
