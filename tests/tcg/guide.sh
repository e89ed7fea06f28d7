#!/bin/sh
# The commands of the guide to test generation, and their output word for word. Usage: guide.sh SENNIT
. "$(dirname "$0")/lib.sh"
mkdir bin tests || exit 1
ln -s "$sennit" bin/sennit
PATH=$work/bin:$PATH
rmdir tests
guide=$here/../../docs/test-generation.md
awk '/^```console/ { on = 1; next } /^```/ { on = 0 } on' "$guide" >wanted
grep '^\$ ' wanted | sed 's/^\$ //' >commands
while read -r command; do
    printf '$ %s\n' "$command"
    case $command in
    "cp "*) cp "$examples/generate/account.abs" . ;;
    *) sh -c "$command" 2>&1 ;;
    esac
done <commands >got
expect "the guide" "$(cat wanted)" "$(cat got)"
expect "all commands" 6 "$(wc -l <commands)"
exit $failed
