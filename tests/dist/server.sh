#!/usr/bin/env bash
# A server that is full, and one with users: words that say what to do, exit codes, and nothing is lost.
#     server.sh SENNIT
. "$(dirname "$0")/lib.sh"
start_server
"$sennit" cc -I"$programs" -DN=10 "$programs/casrot.c" -o casrot || exit 1
"$sennit" cc -I"$programs" -DN=4 "$programs/fib_bench.c" -o fib || exit 1
right="38486 0 exhaustive 0"
ask() { redis-cli -p $port "$@" 2>/dev/null; }
limit() { ask config set maxmemory "$1" >/dev/null; }

# Full before the search: both wait, say so at once, and continue when there is room.
limit 1mb
"$sennit" explore -q --store "$url" -o early ./casrot >out 2>err &
coordinator=$!
for ((i = 0; i < 100; i++)); do grep -q "is full" err && break; sleep 0.1; done
grep -q "the store at 127.0.0.1:$port is full: raise its maxmemory.*trying again for 30 s" err ||
    fail "full at first: $(cat err)"
limit 0
start_worker --jobs 1
wait $coordinator
[ "$(result early)" = "$right" ] || fail "full at first: $(result early) $(cat err)"
workers_end "full at first"

# A search that has ended makes room for the next one.
ask set other "$(head -c 300000 /dev/zero | tr '\0' x)" >/dev/null
limit "$(($(ask info memory | sed -n 's/^used_memory:\([0-9]*\).*/\1/p') - 1000))"
"$sennit" explore -q --store "$url" -o next ./fib >out 2>err &
coordinator=$!
has_begun
[ "$(meta hash)" != "" ] || fail "no room although the previous search is over: $(cat err)"
kill -INT $coordinator
wait $coordinator
limit 0
ask del other >/dev/null
"$sennit" status --store "$url" --forget >/dev/null 2>&1

# Full in the middle: the worker and who follows say so, status too; when it stays full, both end with code 5 and what
# to do, and a time limit is kept. Given again, the commands finish the search.
"$sennit" explore -q --store "$url" -o middle ./casrot >out 2>err &
coordinator=$!
has_begun
limit 1mb
start_worker --jobs 1
begin=$SECONDS
for ((i = 0; i < 100; i++)); do grep -q "is full" err && grep -q "is full" worker.log && break; sleep 0.1; done
grep -q "is full: raise its maxmemory.*nothing is committed" err || fail "who follows says nothing: $(cat err)"
grep -q "is full: raise its maxmemory.*trying again" worker.log || fail "the worker says nothing: $(cat worker.log)"
"$sennit" status --store "$url" 2>&1 | grep -q "is full: raise its maxmemory" || fail "status says nothing"
within 60 $coordinator || fail "a server that stays full: who follows does not end"
wait $coordinator
code=$?
[ $code = 5 ] && grep -q "is full.*give the same command again" err || fail "a server that stays full: $code $(cat err)"
within 60 "${workers[0]}" || fail "a server that stays full: the worker does not end"
wait "${workers[0]}"
code=$?
[ $code = 5 ] && grep -q "is full.*give the same command again" worker.log ||
    fail "a worker, full: $code $(cat worker.log)"
[ $((SECONDS - begin)) -le 50 ] || fail "a server that stays full: ended after $((SECONDS - begin)) s"
workers=()
limit 0
start_worker --jobs 1
"$sennit" explore -q --store "$url" -o middle ./casrot >out 2>err
[ "$(result middle)" = "$right" ] || fail "after a full server: $(result middle) $(cat err)"
workers_end "after a full server"
"$sennit" explore -q --store "$url" --max-time 2s -o timed ./fib >out 2>err &
coordinator=$!
begin=$SECONDS
has_begun
limit 1mb
wait $coordinator
code=$?
[ $code = 3 ] && [ $((SECONDS - begin)) -le 6 ] ||
    fail "a time limit, full: $code after $((SECONDS - begin)) s: $(cat err)"
limit 0

# Users: by their names, with the permissions that the manual lists, and only those.
refused() { # pattern user
    "$sennit" status --store "redis://$2@127.0.0.1:$port/0" >out 2>err
    local got=$?
    [ $got = 2 ] && grep -qE "$1" err && ! grep -qE "secret|wrong" err || fail "$2 ended with $got: $(cat err)"
}
manual=$(sed -n 's/^ *user sennit on >SECRET \(.*[^ ]\) *#.*/\1/p' "$here/../../docs/many-machines.md")
[ "$manual" != "" ] || fail "the manual lists no permissions"
ask acl setuser sennit reset on '>secret' $manual >/dev/null
ask acl setuser weak reset on '>secret' '~*' +ping +auth +select >/dev/null
ask acl setuser gone reset off '>secret' '~*' +@all >/dev/null
ask acl setuser default '>another-secret' resetkeys -@all >/dev/null
refused "does not know the user sennit with this password" sennit:wrong
refused "does not know the user nobody with this password" nobody:secret
refused "does not know the user gone with this password, or the user is disabled" gone:secret
refused "the user weak of the store at .* lacks permissions .*info" weak:secret
refused "requires another password" :wrong
refused "redis://\[\[user\]:password@\]host" sennit:
url=redis://sennit:secret@127.0.0.1:$port/0
rm -rf worker.log
setsid "$sennit" worker --store "$url" --jobs 1 >>worker.log 2>&1 &
workers+=($!)
"$sennit" explore --store "$url" -o user ./fib >out 2>err
[ "$(result user)" = "19605 0 exhaustive 0" ] || fail "with a user: $(result user) $(cat err worker.log)"
workers_end "with a user"
! grep -rlF secret user out err worker.log || fail "the password is shown"
for address in "http://sennit:secret@x" "rediss://sennit:secret@x" "redis://sennit:secret@:x"; do
    "$sennit" status --store "$address" >out 2>&1 && fail "$address is accepted"
    ! grep -q secret out || fail "the password is shown: $(cat out)"
done

echo "$failures failures"
[ $failures = 0 ]
