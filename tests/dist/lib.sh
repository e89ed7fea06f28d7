# lib.sh - what the tests with a Redis server share; sourced with the tool as first argument
set -u
sennit=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
programs=$here/../../bench/programs
work=$(mktemp -d)
cd "$work" || exit 1
failures=0
server=0
. "$here/../need.sh"
need redis-server redis-cli jq
port=$((12000 + RANDOM % 20000)) # below those that systems give to connections
url=redis://127.0.0.1:$port/0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# A server that was killed while it wrote a new log because the old one was truncated repairs the old one and ends:
# "the truncated file is not the last file". It is started again, as any service manager would.
start_server() { # more arguments for it
    local i server_starts=0
    server=0
    for ((i = 0; i < 600; i++)); do # a machine that is busy may take its time
        if [ $server = 0 ] || { [ $server_starts = 1 ] && ! kill -0 $server 2>/dev/null; }; then
            redis-server --port $port --bind 127.0.0.1 --dir "$work" --appendonly yes --save "" "$@" >>server.log 2>&1 &
            server=$! server_starts=$((server_starts + 1))
        fi
        timeout 5 redis-cli -p $port ping 2>/dev/null | grep -qE "PONG|NOAUTH" && return
        sleep 0.05
    done
    fail "no server: $(tail -3 server.log)"
}

stop_server() {
    [ $server = 0 ] || { kill -KILL $server 2>/dev/null; wait $server 2>/dev/null; }
    server=0
}

# Each worker is a group of processes of its own, which dies as one: like a machine.
start_worker() { # arguments...
    setsid "$sennit" worker --store "$url" -q "$@" >>worker.log 2>&1 &
    workers+=($!)
}

kill_worker() { # index
    kill -KILL "-${workers[$1]}" 2>/dev/null
    wait "${workers[$1]}" 2>/dev/null
}

last_search=
meta() { timeout 10 redis-cli -p $port hget sennit:meta "$1"; }
# Waits until a search has been begun after the one that was seen last, and has come this far: FIELD is there.
has_come() { # field
    local i
    for ((i = 0; i < 1200; i++)); do
        # The field is read last: between the two the search may have begun that removes those of the one before.
        [ "$(meta id)" != "$last_search" ] && [ "$(meta "$1")" != "" ] && last_search=$(meta id) && return
        sleep 0.05
    done
    fail "nothing happens: $(cat err) $(tail -3 worker.log)"
}
has_begun() { has_come id; }
under_way() { has_come commits; } # workers have handed in something
# A worker that is alone hands in nothing for seconds, in which the search may end: it is under way when it has a job.
has_taken() {
    local i
    has_begun
    for ((i = 0; i < 1200; i++)); do
        [ "$(timeout 10 redis-cli -p $port zcard sennit:leases)" -gt 0 ] && return
        sleep 0.05
    done
    fail "no worker takes a job: $(cat err) $(tail -3 worker.log)"
}

# Waits for the end of a process, which is then forced.
within() { # seconds process
    local i
    for ((i = 0; i < $1 * 10; i++)); do
        kill -0 "$2" 2>/dev/null || return 0
        sleep 0.1
    done
    kill -KILL "$2" 2>/dev/null
    return 1
}
# The same for all workers.
workers_end() { # what
    local w
    for w in "${workers[@]}"; do within 100 "$w" || fail "$1: a worker does not end: $(tail -3 worker.log)"; done
    wait "${workers[@]}" 2>/dev/null
    workers=()
}

workers=()
clean_up() {
    local w
    for w in "${workers[@]}"; do kill -KILL "-$w" 2>/dev/null; done
    [ "${coordinator:-0}" = 0 ] || kill -KILL "$coordinator" 2>/dev/null
    stop_server
    wait 2>/dev/null
    cd /
    rm -rf "$work"
}
# A child that gets a signal before it has become another program would do it too.
trap '[ $BASHPID != $$ ] || clean_up' EXIT

result() { jq -r '"\(.executions) \(.redundant) \(.verdict) \(.exit_code)"' "$1/run.json" 2>/dev/null; }
