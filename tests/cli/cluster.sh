#!/usr/bin/env bash
# sennit explore --cluster: several programs as nodes in one process.
. "$(dirname "$0")/lib.sh"
for program in counter ask alone worker waits vote keeper pair; do
    "$sennit" cc -O1 "$sources/cluster/$program.c" -o $program || complain "$program does not compile"
done

count() { # executions what: of a run without a bug
    expect_code 0 "$2"
    expect_text out "every schedule covered by $1 executions?, no bug" "$2"
}

# Connecting before the server is bound, before it listens, and after that.
run "$sennit" explore --node s='./counter 4000' --client 'a=./ask 10.0.0.1:4000'
count 3 'a server and a client'
run "$sennit" explore --node 's=./counter 4000' --node 't=./counter 4000' \
    --client 'a=./ask 10.0.0.1:4000' --client 'b=./ask 10.0.0.2:4000'
count 9 'two pairs that have nothing in common, copies of the same programs'
run "$sennit" explore --node 's=./counter 4000' --client 'a=./ask 127.0.0.1:4000'
count 1 'another node is not localhost'
run "$sennit" explore -k --node s='./counter 4000' --client 'a=./ask 10.0.0.1:4000' --client 'b=./ask 10.0.0.1:4000'
expect_code 1 'two clients of one server'
expect_text out "^  b/main fails the assertion at .*ask.c:22 in ask" 'who fails'
expect_text out "covered by 10 executions, 1 bug" 'how often'
for trace in sennit-last/bugs/*.trace; do
    run "$sennit" replay "$trace"
    expect_code 1 "the replay of $trace"
    expect_text out 'the bug was reproduced' "the replay of $trace"
done

# State of a process: each node has its own, whoever runs in between.
cat >alone.conf <<'END'
# comment
client a ./alone -xy 241   # another one
    env NAME=a
client b ./alone "-z"x 242
    env 'NAME=b'
END
run "$sennit" explore --cluster alone.conf
count 1 'two nodes that do not meet'
run "$sennit" explore --cluster alone.conf --reduction=none
count 6,435 'all their interleavings'

# A library that the program brings belongs to each node, wherever the linker was told to look for it.
mkdir -p own
echo 'int owned(void) { static int calls; return ++calls; }' >own/owned.c
"$sennit" cc -c own/owned.c -o own/owned.o && ar rc own/libowned.a own/owned.o
echo 'int owned(void); int main(void) { return owned() != 1; }' >owner.c
for place in -Lown "LIBRARY_PATH= -Lown" "LIBRARY_PATH=own" "LIBRARY_PATH=nowhere:own"; do
    words=; setting=nothing=
    for word in $place; do case $word in -*) words=$word ;; *) setting=$word ;; esac; done
    env "$setting" "$sennit" cc owner.c $words -lowned -o owner || complain "owner does not compile with $place"
    run "$sennit" explore --client a=./owner --client b=./owner
    count 1 "a library found by $place"
done
"$sennit" cc owner.c -Wl,-Lown -lowned -o owner || complain 'owner does not compile with -Wl,-L'
run env LIBRARY_PATH=own "$sennit" explore --client a=./owner --client b=./owner
expect_code 2 'a library that the nodes would share'
expect_text err 'the nodes would share its memory' 'the message about it'

# A node ends with its sockets and all its threads; nodes that serve may wait for ever, clients may not.
run "$sennit" explore --node s=./worker --client 'a=./ask 10.0.0.1:4000'
expect_code 1 'a server that closes connections'
expect_text out "^  a/main fails the assertion at .*ask.c:20 in ask" 'its client'
run "$sennit" explore -k --any-exit-code --node s=./worker --client 'w=./counter 1' --client 'a=./ask 10.0.0.1:4000'
expect_text out 'w/main waits forever for' 'a client that waits'
expect_no_text out 's/answer .*fails' 'threads of a node that has ended'
run "$sennit" explore --client a=./waits --client 'b=./waits 10.0.0.1'
expect_code 1 'two that wait'
expect_text out 'deadlock' 'the bug of two that wait'
run "$sennit" explore --node a=./waits --node 'b=./waits 10.0.0.1' --client 'c=./alone 0'
expect_code 1 'a client that fails at once'
expect_text out 'c/main fails the assertion' 'the client that fails'
run "$sennit" explore --node 's=./counter 4000' --client 'a=./ask'
count 1 'a client that ends at once'
run "$sennit" explore --node 's=./counter' --client 'a=./ask'
expect_code 1 'a node that ends with a status'
expect_text out 'node s ends with exit status 8' 'its status'
run "$sennit" explore --any-exit-code --node 's=./counter' --client 'a=./ask'
count 1 'a status that does not matter'

# Nodes that begin with sockets: every order of arrival, and nothing else. (2! orders at 3 nodes, 3! at 4)
vote() { # nodes
    for i in $(seq "$1"); do
        printf 'client n%d ./vote %d %d\n  socket udp 5000\n' "$i" "$1" "$i"
    done >vote.conf
    run "$sennit" explore --cluster vote.conf "${@:2}"
}
vote 3
count 8 'a vote of three'
vote 4
count 1,296 'a vote of four'
vote 3 --lose=1
expect_code 1 'a vote is lost'
expect_text out 'n./main waits forever for' 'who misses it'
vote 3 --partition=1
expect_code 1 'votes are lost over a cut link'
expect_text out 'does not arrive at' 'votes are lost over a cut link'

# The example: a value on two servers.
cp "$sources"/../../../examples/cluster/* .
"$sennit" cc -O1 check.c -o check
"$sennit" cc -O1 store.c -o store
run "$sennit" explore --cluster store.conf
count 1 'a value that is passed on first'
"$sennit" cc -O1 -DWRONG store.c -o store
run "$sennit" explore --cluster store.conf -k
expect_code 1 'a value that is confirmed first'
expect_text out '^  check/main fails the assertion at check.c:22 in main' 'the old value'
expect_text out 'covered by 20 executions, 1 bug' 'how many executions'
run "$sennit" explore --cluster store.conf -k --delivery=at-once
expect_text out 'exhaustive but for: delays of TCP' 'what is not seen if all arrives at once'
expect_text out 'covered by 7 executions, 1 bug' 'how many executions at once'
"$sennit" cc -O1 store.c -o store
run "$sennit" explore --cluster store.conf -k --crash=1
expect_code 1 'servers that crash'
expect_text out 'covered by 117 executions' 'servers that crash'
expect_text out 'cut off 0, crashed 116$' 'how often'
expect_no_text out '^deadlock' 'a node that ends closes all its sockets'

# Files: each node has its own, and finds them again when it starts after a crash, but nothing else.
keep() { # lines what options...
    printf 'node s ./keeper s %s %s\n  restart\nclient c ./keeper client 0 -\n' "$1" "$2" >keep.conf
    run "$sennit" explore --cluster keep.conf -k --check=leak "${@:3}"
}
keep 0 sync
count 1 'two nodes with a file of the same name'
keep 1 sync --crash=1
expect_code 0 'a node that crashes'
expect_text out 'covered by 13 executions, no bug' 'a node that crashes'
expect_text out 'parts of what was not synced before a crash \(keeper.c:..' 'what was not explored'
expect_text out 'crashed 12$' 'how often it crashes'
keep 0 sync --crash=1
expect_code 1 'what it wrote before the crash'
expect_text out 's/main#2 fails the assertion at .*keeper.c:28 in look' 'who finds it'
run "$sennit" replay sennit-last/bugs/assertion-*.trace
expect_code 1 'the replay of an execution with a crash'
[ ! -e kept ] || complain 'a node has made a real file'
printf 'node s ./keeper s 0 -\n  crash 0\nclient c ./keeper client 0 -\n' >keep.conf
run "$sennit" explore --cluster keep.conf --restart --crash=3
count 1 'a node that may not crash'
run "$sennit" explore --node 's=./keeper s 2 -' --client 'c=./keeper c 0 -' --restart --crash=2
expect_code 0 'two crashes'
expect_text out 'covered by 198 executions, no bug' 'two crashes'

# The other example: votes must survive a crash.
"$sennit" cc -O1 vote.c -o vote
run "$sennit" explore --cluster vote.conf
expect_text out 'covered by 1,184 executions, no bug' 'an election without crashes'
run "$sennit" explore --cluster vote.conf --crash=1 --max-execs=1000
expect_code 3 'an election with a crash'
expect_text out 'others remain, no bug' 'an election with a crash'
for wrong in WRONG UNSYNCED; do
    "$sennit" cc -O1 -D$wrong vote.c -o vote
    run "$sennit" explore --cluster vote.conf --crash=1
    expect_code 1 "an election, $wrong"
    expect_text out 'fails the assertion at vote.c:106 in handle' "two leaders, $wrong"
    expect_text out ' three/main  *crashes$' "the crash, $wrong"
done

# Names of hosts are those of the nodes.
printf 'node s ./resolve x\n  address 10.0.0.9\nclient a ./resolve\n' >names.conf
"$sennit" cc -O1 "$sources/cluster/resolve.c" -o resolve
run "$sennit" explore --cluster names.conf --check=leak
count 1 'names of nodes'
expect_no_text out 'getaddrinfo' 'what was not seen of names'
"$sennit" cc -O1 -DLEAK "$sources/cluster/resolve.c" -o resolve
run "$sennit" explore --cluster names.conf --check=leak
expect_text out '^leak-' 'a list that is not freed'

# Connections that break: the server may see the client's request, its answer may be lost.
"$sennit" cc -O1 check.c -o check
"$sennit" cc -O1 store.c -o store
run "$sennit" explore --cluster store.conf -k --reset=1
expect_code 1 'connections that break'
expect_text out 'crashed 0, reset [1-9]' 'how many break'
expect_text out 'check/main fails the assertion at check.c:1' 'who does not expect it'

# Links that are cut until they heal: nobody connects, datagrams are lost, what is sent through connections times out.
run "$sennit" explore --cluster store.conf -k --partition=1
expect_code 1 'links that are cut'
expect_text out 'covered by 195 executions, 6 different bugs' 'how many cuts'
expect_text out 'cut off 178, crashed 0, partitions 194$' 'how often'
expect_text out 'partition .*cut the link between primary and backup' 'which link is cut'
run "$sennit" explore --cluster store.conf -k --partition=2 --max-execs=2000
expect_code 1 'two cuts'
{ cat store.conf && echo 'partition check'; } >parted.conf
run "$sennit" explore --cluster parted.conf -k --partition=1
expect_no_text out 'node primary ends with exit status' 'only the links that are named'
expect_text out 'partitions [1-9]' 'only the links that are named'
sed -i 's/^partition check/partition 1 primary \/ backup/' parted.conf
run "$sennit" explore --cluster parted.conf -k
expect_text out 'node primary ends with exit status 2' 'a cut that the file asks for'
expect_no_text out 'the link between .* check' 'no other cut'
refused 2 'is for clusters of several nodes' "$sennit" explore ./ask --partition=1
refused 2 'needs --delivery=late' "$sennit" explore --cluster store.conf --partition=1 --delivery=at-once

# Reads that get a part only.
run "$sennit" explore --node s='./pair 4000' --client 'a=./pair 10.0.0.1 4000'
expect_code 0 'whole writes'
expect_text out 'exhaustive but for: short reads of TCP \(pair.c' 'what is not seen of them'
run "$sennit" explore --node s='./pair 4000' --client 'a=./pair 10.0.0.1 4000' --short=1
expect_code 1 'a short read'
expect_text out 's/main fails the assertion at .*pair.c:1[0-9] in serve' 'who does not expect it'
refused 2 '--short needs --delivery=late' "$sennit" explore ./pair --short=1

# What is refused, and where.
refused 2 'x.conf: No such file' "$sennit" explore --cluster x.conf
bad() { # pattern lines...
    local pattern=$1
    shift
    printf '%s\n' "$@" >bad.conf
    refused 2 "$pattern" "$sennit" explore --cluster bad.conf
}
bad 'bad.conf:2: unknown word nodes' '# x' 'nodes a ./ask'
bad 'bad.conf:1: expected: node NAME PROGRAM' 'node a'
bad 'bad.conf:3: there is a node a already \(bad.conf:1\)' 'node a ./ask' '' 'client a ./ask'
bad 'bad.conf:1: a/b is no name of a node' 'node a/b ./ask'
bad 'bad.conf:2: there is no node b' 'node a ./ask' 'partition a / b'
bad 'bad.conf:2: expected: partition' 'node a ./ask' 'partition 1'
bad 'bad.conf:2: a node must be on one side' 'node a ./ask' 'partition a'
bad 'bad.conf:1: env before the first node' 'env A=B'
bad 'bad.conf:2: env A: expected NAME=VALUE' 'node a ./ask' 'env A'
bad 'bad.conf:2: 10.0.0 is no IPv4 address' 'node a ./ask' 'address 10.0.0'
bad 'bad.conf:2: 127.0.0.1 cannot be the address' 'node a ./ask' 'address 127.0.0.1'
bad 'bad.conf:2: expected: address' 'node a ./ask' 'address'
bad 'bad.conf:3: node b has the address of node a' 'node a ./ask' 'address 10.0.0.9' 'node b ./ask' 'address 10.0.0.9'
bad 'bad.conf:2: sctp is neither tcp nor udp' 'node a ./ask' 'socket sctp 1'
bad 'bad.conf:2: 70000 is no port' 'node a ./ask' 'socket tcp 70000'
bad 'bad.conf:3: node a has this port already' 'node a ./ask' 'socket tcp 7' 'socket tcp 7'
bad 'bad.conf:2: expected: restart' 'node a ./ask' 'restart 1'
bad 'bad.conf:2: clients do not crash' 'client a ./ask' 'restart'
bad 'bad.conf:2: crash x: expected a number up to 1000' 'node a ./ask' 'crash x'
bad 'bad.conf:2: expected: lose 1' 'node a ./ask' 'lose'
bad 'bad.conf:1: a quote is not closed' "node a ./ask 'x"
bad 'bad.conf:1: ./none: No such file' 'node a ./none'
bad 'bad.conf:1: ./bad.conf: not executable' 'node a ./bad.conf'
bad 'the cluster has no nodes' '# nothing'
cc -o plain "$sources/cluster/ask.c"
bad 'bad.conf:1: ./plain: not built with .sennit cc' 'node a ./plain'
strip -o stripped ask
bad 'bad.conf:1: ./stripped: it keeps no objects .* stripped' 'node a ./stripped'
refused 2 "expected NAME='PROGRAM" "$sennit" explore --node ./ask
refused 2 'the programs of a cluster' "$sennit" explore ./ask --node a=./ask
refused 2 'arguments of a node' "$sennit" explore --node a=./ask -- x
refused 2 'all nodes of the cluster are clients' "$sennit" explore --node a=./ask --crash=1
run "$sennit" explore --node s=./worker --client b=./ask --crash=1
expect_code 2 'a crash of a node with threads'
expect_text out 'a crash of a node with several threads is not modelled' 'a crash of a node with threads'
refused 2 'this is neither' "$sennit" explore ./ask --crash=1
refused 2 'only nodes of a cluster start again' "$sennit" explore ./ask --restart
refused 2 'reset is for programs that connect' "$sennit" explore ./keeper --reset=1
refused 2 'symbolic inputs' "$sennit" explore --node a=./ask --sym-args 0 1 2

finish
