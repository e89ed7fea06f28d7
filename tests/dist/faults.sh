#!/usr/bin/env bash
# What networks, clocks, disks and systems do to a search through a store: the count stays right.
#     faults.sh SENNIT
. "$(dirname "$0")/lib.sh"
cc -O1 -o proxy "$here/proxy.c" && cc -O1 -shared -fPIC -o skew.so "$here/skew.c" || exit 1
"$sennit" cc -I"$programs" -DN=12 "$programs/casrot.c" -o casrot || exit 1 # long enough for something to happen
right="919146 0 exhaustive 0"

say() { printf '%-44s %s\n' "$1" "$2"; }

# follow NAME: the coordinator, in the background, straight to the store
follow() {
    "$sennit" explore -q --store "$url" -o "$1" ./casrot >out 2>err &
    coordinator=$!
}
ends_well() { # name what
    within 240 $coordinator || fail "$2: not over after a long time: $("$sennit" status --store "$url" 2>&1)"
    wait $coordinator
    [ "$(result "$1")" = "$right" ] || fail "$2: $(result "$1") $(cat err) $(tail -3 worker.log)"
    workers_end "$2"
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
for ((i = 0; i < 600; i++)); do # workers that come before it would give up
    timeout 5 redis-cli -p $through ping 2>/dev/null | grep -q PONG && break
    kill -0 $proxy 2>/dev/null || { ./proxy $through $port >lost & proxy=$!; }
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
# The last file of the log. (The newest one may be another: a server that repairs its log writes to earlier files.)
log() { sed -n 's/^file \([^ ]*\) seq .* type i$/appendonlydir\/\1/p' appendonlydir/appendonly.aof.manifest | tail -1; }
first=$(log) floor=$(stat -c %s "$(log)") # before this, there is no search
cuts=0
for bytes in 7 300 1500 4000 1 60 900; do
    sleep 0.5
    stop_server
    [ "$(log)" = "$first" ] || floor=0
    [ "$(stat -c %s "$(log)")" -gt $((floor + bytes)) ] && truncate -s "-$bytes" "$(log)" && cuts=$((cuts + 1))
    # Twice it is killed again while it writes the new log, which takes it long.
    [ $bytes != 1 ] && [ $bytes != 60 ] && start_server || start_server --rdb-key-save-delay 300000
done
ends_well torn "a log that was cut off"
# A client waits until the new log is complete: what is written behind a partial call would be read with it.
stop_server
truncate -s -1 "$(log)"
start_server --rdb-key-save-delay 100000
"$sennit" status --store "$url" >out 2>err
[ "$(grep -c 'type i' appendonlydir/appendonly.aof.manifest)" = 1 ] || fail "a client that does not wait for the new log: $(cat appendonlydir/appendonly.aof.manifest)"
stop_server
start_server
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
has_taken
start_server_without_log
within 200 $coordinator || fail "a server without a log: nobody is told"
wait $coordinator
[ $? = 5 ] && grep -q "the store has lost the search" err || fail "a server without a log: $(cat err)"
workers_end "a server without a log"
stop_server
start_server

# A server that is full while the search runs: workers say so, and nothing is lost.
follow full
start_worker --lease 1s
has_taken
redis-cli -p $port config set maxmemory 1mb >/dev/null
within 100 "${workers[0]}" || fail "a server that is full: the worker does not end"
wait "${workers[0]}"
[ $? = 5 ] && grep -q "is full: raise its maxmemory" worker.log || fail "a server that is full: $(tail -3 worker.log)"
redis-cli -p $port config set maxmemory 0 >/dev/null
workers=()
kill -0 $coordinator 2>/dev/null || follow full
start_worker --lease 1s
ends_well full "a server that was full"

# A worker that is asked to end while its store says nothing, or is not there, does so soon.
ends_soon() { # what
    local begin=$SECONDS
    kill -TERM "${workers[0]}"
    within 60 "${workers[0]}" || fail "a worker asked to end, $1: still there"
    wait "${workers[0]}"
    local code=$?
    [ $code = 130 ] && [ $((SECONDS - begin)) -le 20 ] || fail "a worker asked to end, $1: code $code after $((SECONDS - begin)) s"
    workers=()
}
follow asked
start_worker --lease 2s
has_taken
kill -STOP $server
sleep 0.5
ends_soon "the store silent"
kill -CONT $server
start_worker --lease 2s
ends_well asked "a worker that was asked to end"
follow gone # a search of its own: what the one before has left may end at once
start_worker --lease 2s
sleep 0.5
stop_server
sleep 0.5
ends_soon "the store gone"
kill -INT $coordinator # the same for who follows
within 60 $coordinator || fail "who follows does not end"
start_server
follow gone
start_worker --lease 2s
ends_well gone "workers that were asked to end"

# What killed workers leave in the directory for temporary files goes when the next one comes; what is in
# use stays.
export TMPDIR=$work/temporary
mkdir -p "$TMPDIR/sennit-worker-abcdef/below" "$TMPDIR/sennit-worker-of-others" "$TMPDIR/other"
echo >"$TMPDIR/sennit-worker-abcdef/below/file"
echo >"$TMPDIR/sennit-search-abcdef"
ln -s "$TMPDIR/other" "$TMPDIR/sennit-worker-ghijkl"
follow scratch
start_worker --lease 2s
start_worker --lease 2s
under_way
left() { find "$TMPDIR" -mindepth 1 -maxdepth 1 -type d -name 'sennit-worker-??????' | wc -l; }
for ((i = 0; i < 100; i++)); do [ "$(left)" = 2 ] && break; sleep 0.1; done
[ "$(left)" = 2 ] || fail "two workers: $(ls "$TMPDIR")"
kill_worker 0
workers=("${workers[1]}")
start_worker --lease 2s
ends_well scratch "workers that sweep"
[ "$(ls "$TMPDIR" | tr '\n' ' ')" = "other sennit-worker-ghijkl sennit-worker-of-others " ] || fail "left behind: $(ls "$TMPDIR" | tr '\n' ' ')"
unset TMPDIR

echo "$failures failures"
[ $failures = 0 ]
