#!/usr/bin/env bash
# Help, man pages and completions say the same: they are made from the same tables.
. "$(dirname "$0")/lib.sh"
built=$(dirname "$sennit")
verbs=$("$sennit" --help | awk '$1 == "sennit" { print $2 }')
[ "$(echo "$verbs" | wc -l)" = 15 ] || complain "not 15 verbs: $verbs"

# Each option that --help lists is in the man page and in the completion of its verb.
options_of() { # verb
    "$sennit" "$1" --help | grep -oE '^ {2}(-., |    )--[a-z-]+' | grep -oE -- '--[a-z-]+'
}
complete_line() { # words of a command line, the last one to be completed
    bash -c '. "$1/completion/sennit.bash"; shift
             compopt() { :; }
             COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _sennit; printf "%s\n" "${COMPREPLY[@]}"' - "$built" "$@"
}
for verb in $verbs; do
    page=$built/man/sennit-$verb.1
    mandoc "$page" >page.txt 2>&1 || complain "sennit-$verb.1 cannot be formatted"
    warnings=$(mandoc -T lint -W warning "$page" | grep -v 'missing date')
    [ -z "$warnings" ] || complain "sennit-$verb.1: $warnings"
    sed "s,.\x08,,g" <page.txt >plain.txt
    for option in $(options_of "$verb"); do
        grep -q -- "$option" plain.txt || complain "man sennit-$verb does not have $option"
        complete_line sennit "$verb" "$option" | grep -q -- "^$option=\?\$" ||
            complain "completion of sennit $verb does not have $option"
    done
done
mandoc "$built/man/sennit.1" | sed "s,.\x08,,g" | grep -q 'sennit-replay(1)' || complain 'man sennit does not list replay'

# Verbs and values are completed as well.
[ "$(complete_line sennit dea)" = deadlock ] || complain 'the verb deadlock is not completed'
[ "$(complete_line sennit test --channels = ca)" = causal ] || complain 'the value causal is not completed'
[ "$(complete_line sennit test --channels = | tr '\n' ' ')" = 'bag fifo causal mailbox ' ] ||
    complain 'the values of --channels are not listed'

# The other shells can at least read theirs; zsh and fish load the functions.
zsh -n "$built/completion/_sennit" || complain 'zsh cannot read its completion'
fish --no-config -c "source $built/completion/sennit.fish; complete -C 'sennit dead'" >fish.txt 2>&1
grep -q '^deadlock' fish.txt || complain "fish does not complete the verb: $(cat fish.txt)"
fish --no-config -c "source $built/completion/sennit.fish; complete -C 'sennit explore --channels=m'" >fish.txt 2>&1
grep -q -- '--channels=mailbox' fish.txt || complain "fish does not complete a value: $(cat fish.txt)"

# Help is grouped, and wrapped.
run "$sennit" test --help
for group in Search 'Bounds and budgets' 'Inputs and solver' 'Memory and checks' Actors 'ABS models' 'Cores and machines' Output; do
    expect_text out "^$group:" "test --help: group $group"
done
[ "$("$sennit" test --help | awk 'length($0) > 100' | wc -l)" = 0 ] || complain 'a line of help has more than 100 columns'
finish
