# need.sh - sourced by tests: a program that is missing is a failure, not a reason to skip a test
need() { # program...
    for program; do
        command -v "$program" >/dev/null && continue
        echo "FAIL: $program is missing; tools/setup installs what the tests need"
        exit 1
    done
}
