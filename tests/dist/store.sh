#!/usr/bin/env bash
# Searches through a Redis server: how they begin and end; clear words when something is wrong.
#     store.sh SENNIT
. "$(dirname "$0")/lib.sh"
start_server

build() { # source name flags...
    local source=$1 name=$2
    shift 2
    "$sennit" cc -I"$programs" "$@" "$source" -o "$name" || fail "$source does not compile"
}
build "$programs/fib_bench.c" fib -DN=4
build "$here/programs/bugs.c" bugs

# The first bug ends the search for everybody.
start_worker --jobs 1
timeout 60 "$sennit" explore -q --store "$url" -o first ./bugs >out 2>err
[ $? = 1 ] || fail "the first bug: exit code; $(cat out err)"
[ "$(jq -r '.verdict' first/run.json)" = incomplete ] || fail "the first bug: $(jq -c . first/run.json)"

# Long enough for something to happen, also on a fast machine or on one that stands still now and then.
build "$programs/casrot.c" casrot -DN=12
right="919146 0 exhaustive 0"
build "$programs/casrot.c" shorter -DN=11

# A worker that hangs loses its jobs to others.
workers_end "the first bug"
start_worker --jobs 1 --lease 1s
"$sennit" explore -q --store "$url" -o hung ./casrot >out 2>err &
coordinator=$!
has_taken
kill -STOP "-${workers[0]}"
start_worker --jobs 1 --lease 1s
sleep 2
kill -CONT "-${workers[0]}"
wait $coordinator
[ "$(result hung)" = "$right" ] || fail "a worker that hangs: $(result hung) $(cat err)"
wait "${workers[@]}"

# The server does not answer for a while; then it is another one with the same files.
workers=()
start_worker --jobs 1 --lease 2s
start_worker --jobs 1 --lease 2s
"$sennit" explore -q --store "$url" -o cut ./shorter >out 2>err &
coordinator=$!
under_way
kill -STOP $server
sleep 3
kill -CONT $server
sleep 0.5
stop_server
sleep 1
start_server
wait $coordinator
[ "$(result cut)" = "182905 0 exhaustive 0" ] || fail "a server that is cut off: $(result cut) $(cat err)"
wait "${workers[@]}"

# Who follows can be interrupted, and comes back.
workers=()
"$sennit" explore -q --store "$url" -o detached ./shorter >out 2>err &
coordinator=$!
has_begun
kill -INT $coordinator
wait $coordinator
[ $? = 130 ] && grep -q "detached; the search continues" err || fail "detaching: $(cat err)"
"$sennit" explore -q --store "$url" ./fib >out 2>err
[ $? = 2 ] && grep -q "database 0 of the store contains another search" err || fail "two searches in one database: $(cat err)"
start_worker --jobs 2
"$sennit" explore -q --store "$url" -o detached ./shorter >out 2>err
[ "$(result detached)" = "182905 0 exhaustive 0" ] || fail "following again: $(result detached)"
"$sennit" status --store "$url" >out 2>err
grep -q "everything is explored" out && grep -q "executions  182,905, 0 redundant" out && grep -q "per 1000 executions" out ||
    fail "status: $(cat out err)"

# A tenth of the search: `status` does not say that most of it is over, and the true number is in its interval.
workers=()
start_worker --jobs 1
start_worker --jobs 1
"$sennit" explore -q --store "$url" --max-execs 90000 -o tenth ./casrot >out 2>err
[ "$(result tenth)" = "90000 0 incomplete 3" ] || fail "a tenth: $(result tenth)"
"$sennit" status --store "$url" >out 2>err
sed -n 's/^estimate.*, \([^ ]*\) to \([^ ]*\);.* \([0-9.]*\) %.*/\1 \2 \3/p' out | tr k K | numfmt --from=si --field=1,2 --to=none >numbers
read -r low high part <numbers
[ "${low:-0}" -gt 0 ] && [ "$low" -le 919146 ] && [ "$high" -ge 919146 ] && [ "${part%.*}" -le 40 ] || fail "status at 9.8 %: $(cat out)"
workers_end "a tenth"
last_search=$(meta id)

# A worker that ends by request hands in what it did.
workers=()
"$sennit" explore -q --store "$url" -o asked ./casrot >out 2>err &
coordinator=$!
start_worker --jobs 1
has_taken
kill -TERM "-${workers[0]}"
wait "${workers[0]}"
[ $? = 130 ] || fail "a worker asked to end: exit code"
[ "$(redis-cli -p $port zcard sennit:leases)" = 0 ] || fail "a worker asked to end kept its leases"
start_worker --jobs 1
wait $coordinator
[ "$(result asked)" = "$right" ] || fail "a worker asked to end: $(result asked)"

# Trouble with the server, in words.
refused() { # code pattern command...
    local code=$1 pattern=$2
    shift 2
    timeout 20 "$@" >out 2>err
    local got=$?
    [ $got = "$code" ] && grep -qE "$pattern" err || fail "$* ended with $got: $(cat err)"
}
refused 2 "a store is redis://" "$sennit" worker --store http://x
refused 2 "TLS .* tunnel" "$sennit" status --store rediss://x
refused 2 "no store given" "$sennit" worker
refused 5 "no store at 127.0.0.1:1: Connection refused" "$sennit" worker --store redis://127.0.0.1:1/0
refused 2 "only the exhaustive search" "$sennit" explore --store "$url" --strategy random ./fib
refused 2 "only the exhaustive search" "$sennit" explore --store "$url" --order bfs ./fib
refused 2 "a search on one machine" "$sennit" explore --store "$url" --smtlib queries ./fib
refused 2 "store is an option of sennit explore" "$sennit" test --store "$url" "$programs/fib_bench.c"
redis-cli -p $port config set maxmemory 200mb >/dev/null
redis-cli -p $port config set maxmemory-policy allkeys-lru >/dev/null
refused 2 "maxmemory-policy noeviction" "$sennit" status --store "$url"
redis-cli -p $port config set maxmemory-policy noeviction >/dev/null
redis-cli -p $port config set maxmemory 0 >/dev/null
redis-cli -p $port replicaof 127.0.0.1 1 >/dev/null
refused 2 "a replica: use the primary" "$sennit" explore --store "$url" ./fib
redis-cli -p $port replicaof no one >/dev/null
redis-cli -p $port config set requirepass secret >/dev/null
refused 2 "requires a password" "$sennit" status --store "$url"
refused 2 "requires another password" "$sennit" status --store "redis://:wrong@127.0.0.1:$port/0"
"$sennit" status --store "redis://:secret@127.0.0.1:$port/0" >out 2>err || fail "with a password: $(cat err)"
redis-cli -p $port -a secret config set requirepass "" >/dev/null 2>&1

# A library that is another one where the worker runs: named, and nothing is explored with it.
mkdir -p here there
echo 'int amount(void) { return 1; }' >amount.c
cc -shared -fPIC -o here/libamount.so amount.c && cc -shared -fPIC -DOTHER=1 -O2 -g -o there/libamount.so amount.c
cat >linked.c <<'END'
#include <pthread.h>
int amount(void);
static void *run(void *argument) { return argument; }
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
    return amount() - 1;
}
END
"$sennit" cc linked.c -Lhere -lamount -o linked || fail "linked.c does not compile"
LD_LIBRARY_PATH=$work/here "$sennit" explore -q --store "$url" -o linked-run ./linked >out 2>err &
coordinator=$!
for ((i = 0; i < 100; i++)); do
    redis-cli -p $port hget sennit:meta libraries | grep -q libamount && break
    sleep 0.1
done
refused 2 "libamount.so differs from the one" env LD_LIBRARY_PATH="$work/there" "$sennit" worker --store "$url"
refused 2 "libamount.so differs from the one" "$sennit" worker --store "$url"
workers=()
LD_LIBRARY_PATH=$work/here setsid "$sennit" worker --store "$url" -q --jobs 1 >>worker.log 2>&1 &
workers+=($!)
wait $coordinator
[ $? = 0 ] && [ "$(result linked-run)" = "1 0 exhaustive-but-for 0" ] || fail "with its library: $(result linked-run) $(cat err)"
wait "${workers[@]}"

# Another version, another library, damage.
last_search=$(meta id)
"$sennit" explore -q --store "$url" ./fib >out 2>err &
coordinator=$!
has_begun
kill -INT $coordinator
wait $coordinator
redis-cli -p $port hset sennit:meta version 0.0.1 >/dev/null
refused 2 "started by Sennit 0.0.1" "$sennit" worker --store "$url"
redis-cli -p $port hset sennit:meta version "$("$sennit" --version | sed -n '1s/.* //p')" libraries $'libc.so.6 0000000000000000\n' >/dev/null
refused 2 "libc.so.6 differs from the one" "$sennit" worker --store "$url"
hash=$(redis-cli -p $port hget sennit:meta hash)
redis-cli -p $port hset sennit:meta libraries "" hash 0000000000000000 >/dev/null
refused 5 "the program in the store is damaged" "$sennit" worker --store "$url"
redis-cli -p $port hset sennit:meta hash "$hash" >/dev/null
redis-cli -p $port hset sennit:tree open 7 >/dev/null
refused 5 "damaged: 7 jobs are open, 1 are known" "$sennit" worker --store "$url"
redis-cli -p $port hset sennit:tree open 1 >/dev/null
redis-cli -p $port del sennit:queue >/dev/null # a truncated log: rebuilt from the tree
redis-cli -p $port hset sennit:meta libraries "" >/dev/null
start_worker --jobs 1
timeout 60 "$sennit" explore -q --store "$url" -o anew ./fib >out 2>err
[ "$(result anew)" = "19605 0 exhaustive 0" ] || fail "a queue that was lost: $(result anew) $(cat err)"

# --max-time of a worker, and of the search, in the middle of an execution that takes much longer: the job is returned.
workers_end "a queue that was lost"
cat >endless.c <<'EOF'
int main(void) { for (volatile int i = 0;;) i = !i; }
EOF
build endless.c endless
last_search=$(meta id)
"$sennit" explore -q --store "$url" --max-step-time 10m -o endless-run ./endless >out 2>err &
coordinator=$!
has_begun
timeout 30 "$sennit" worker -q --store "$url" --jobs 1 --max-time 1s >worker.log 2>&1 || fail "a worker in a long execution: code $? $(cat worker.log)"
[ "$(redis-cli -p $port zcard sennit:queue) $(redis-cli -p $port zcard sennit:leases)" = "1 0" ] || fail "a worker in a long execution keeps its job"
kill -INT $coordinator
wait $coordinator
"$sennit" status --store "$url" --forget >/dev/null
start_worker --jobs 1
timeout 30 "$sennit" explore -q --store "$url" --max-time 1s --max-step-time 10m -o late ./endless >out 2>err
[ $? = 3 ] && [ "$(result late)" = "0 0 incomplete 3" ] || fail "the time of a search with a long execution: $(result late) $(cat out err)"
grep -q "resume" out err && fail "a search through a store cannot be resumed: $(cat err)"
workers_end "the time of a search with a long execution"

echo "$failures failures"
[ $failures = 0 ]
