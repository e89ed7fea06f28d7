#!/usr/bin/env bash
# What networks, clocks, disks and systems do to a search through a store: the count stays right.
#     faults.sh SENNIT
. "$(dirname "$0")/lib.sh"
cc -O1 -o proxy "$here/proxy.c" && cc -O1 -shared -fPIC -o skew.so "$here/skew.c" || exit 1
"$sennit" cc -I"$programs" -DN=5 "$programs/fib_bench.c" -o fib5 || exit 1
right="218243 0 exhaustive 0"

meta() { redis-cli -p $port hget sennit:meta "$1"; }
say() { printf '%-44s %s\n' "$1" "$2"; }

# follow NAME: the coordinator, in the background, straight to the store
follow() {
    "$sennit" explore -q --store "$url" -o "$1" ./fib5 >out 2>err &
    coordinator=$!
}
# Waits for the end of a process, which is then forced.
within() { # seconds process
    local i
    for ((i = 0; i < $1 * 10; i++)); do
        kill -0 "$2" 2>/dev/null || return 0
        sleep 0.1
    done
    kill -KILL "$2"
    return 1
}
# Waits until workers have handed in something.
under_way() {
    local i
    for ((i = 0; i < 200; i++)); do
        [ "$(meta commits)" != "" ] && return
        sleep 0.05
    done
    fail "nothing happens: $(cat err) $(tail -3 worker.log)"
}
ends_well() { # name what
    within 240 $coordinator || fail "$2: not over after a long time: $("$sennit" status --store "$url" 2>&1)"
    wait $coordinator
    [ "$(result "$1")" = "$right" ] || fail "$2: $(result "$1") $(cat err) $(tail -3 worker.log)"
    local w
    for w in "${workers[@]}"; do within 100 "$w" || fail "$2: a worker does not end"; done
    workers=()
}

# Clocks of machines that are days apart, in both directions: only the server's counts.
start_server
follow clocks
for skew in 864000 -864000; do
    LD_PRELOAD=$work/skew.so SKEW=$skew setsid "$sennit" worker --store "$url" -q >>worker.log 2>&1 &
    workers+=($!)
done
[ "$(LD_PRELOAD=$work/skew.so SKEW=864000 date +%F)" != "$(date +%F)" ] || fail "the clock is right"
ends_well clocks "clocks that differ"
[ "$(meta expired)" = "" ] || fail "clocks that differ: $(meta expired) leases expired"

# The answer to a commit is lost: the commit counts, its repetition is refused.
through=$((port + 1))
./proxy $through $port >lost &
proxy=$!
for ((i = 0; i < 200; i++)); do
    redis-cli -p $through ping 2>/dev/null | grep -q PONG && break
    sleep 0.05
done
follow twice
for i in 1 2; do
    setsid "$sennit" worker --store "redis://127.0.0.1:$through/0" -q --lease 2s >>worker.log 2>&1 &
    workers+=($!)
done
under_way
for ((i = 0; i < 8; i++)); do
    sleep 0.15
    kill -USR1 $proxy
done
ends_well twice "answers that are lost"
[ "$(wc -l <lost)" -ge 1 ] || fail "no answer was lost"
[ "$(meta refused)" -ge "$(wc -l <lost)" ] || fail "$(wc -l <lost) commits were repeated, $(meta refused) refused"
say "answers lost, commits refused" "$(wc -l <lost) $(meta refused)"

# The network is cut and comes back; then it swallows everything for longer than a lease.
follow network
for i in 1 2; do
    setsid "$sennit" worker --store "redis://127.0.0.1:$through/0" -q --lease 2s >>worker.log 2>&1 &
    workers+=($!)
done
under_way
kill -USR2 $proxy
sleep 1
kill -USR2 $proxy
sleep 0.6
kill -STOP $proxy
sleep 2.5
start_worker --lease 2s # gets what they lost
kill -CONT $proxy
ends_well network "a network that is cut and comes back"
{ kill -KILL $proxy && wait $proxy; } 2>/dev/null

# The server dies and the end of its log is lost with it, in the middle of a call or of several:
# what was handed out or confirmed after that point is worth nothing.
"$sennit" status --store "$url" --forget >/dev/null 2>&1
follow torn
for i in 1 2; do start_worker --lease 20s; done
under_way
log() { ls -t appendonlydir/*.incr.aof | head -1; }
first=$(log) floor=$(stat -c %s "$(log)") # before this, there is no search
cuts=0
for bytes in 7 300 1500 4000 1 60 900; do
    sleep 0.5
    stop_server
    [ "$(log)" = "$first" ] || floor=0
    [ "$(stat -c %s "$(log)")" -gt $((floor + bytes)) ] && truncate -s "-$bytes" "$(log)" && cuts=$((cuts + 1))
    start_server
done
ends_well torn "a log that was cut off"
say "logs cut off" $cuts

# The system kills processes of a worker one by one: those that explore, those that look after them.
follow processes
start_worker --jobs 3 --lease 2s
start_worker --jobs 1 --lease 2s
under_way
killed=0
for ((i = 0; i < 8; i++)); do
    sleep "0.$((RANDOM % 3))$((RANDOM % 10))"
    mapfile -t victims < <(pgrep -g "${workers[0]}" | grep -vx "${workers[0]}")
    [ ${#victims[@]} -gt 0 ] && kill -KILL "${victims[$((RANDOM % ${#victims[@]}))]}" 2>/dev/null && killed=$((killed + 1))
done
ends_well processes "processes killed one by one"
say "processes killed" $killed

# A server without a log that starts again knows nothing.
start_server_without_log() { stop_server; rm -rf appendonlydir; start_server --appendonly no; }
start_server_without_log
follow forgotten
start_worker --lease 2s
under_way
start_server_without_log
wait $coordinator
[ $? = 5 ] && grep -q "the store has forgotten the search" err || fail "a server without a log: $(cat err)"
wait "${workers[@]}"
workers=()
stop_server
start_server

# A server that is full while the search runs: workers say so, and nothing is lost.
follow full
start_worker --lease 1s
under_way
redis-cli -p $port config set maxmemory 1mb >/dev/null
wait "${workers[0]}"
[ $? = 5 ] && grep -q "is full: raise its maxmemory" worker.log || fail "a server that is full: $(tail -3 worker.log)"
redis-cli -p $port config set maxmemory 0 >/dev/null
workers=()
kill -0 $coordinator 2>/dev/null || follow full
start_worker --lease 1s
ends_well full "a server that was full"

echo "$failures failures"
[ $failures = 0 ]
