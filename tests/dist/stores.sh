#!/usr/bin/env bash
# The store in memory and the one in Redis give the same answers to random calls.
#     stores.sh STORES FIRST LAST
. "$(dirname "$0")/lib.sh"
stores=$sennit
start_server
cat >restart <<END
#!/bin/sh
if [ "\${1:-}" = clean ]; then exec redis-cli -p $port flushall >/dev/null; fi
redis-cli -p $port shutdown >/dev/null 2>&1
while redis-cli -p $port ping >/dev/null 2>&1; do sleep 0.02; done
redis-server --port $port --bind 127.0.0.1 --dir "$work" --appendonly yes --save "" --daemonize yes --pidfile "$work/pid" >/dev/null
until redis-cli -p $port ping 2>/dev/null | grep -q PONG; do sleep 0.02; done
END
chmod +x restart
# Servers that were started again are not children of this script.
trap '[ $BASHPID != $$ ] || { timeout 5 redis-cli -p $port shutdown nosave >/dev/null 2>&1; clean_up; }' EXIT
timeout 600 "$stores" "$url" "$work/restart" "$2" "$3" || fail "the stores differ"
[ $failures = 0 ]
