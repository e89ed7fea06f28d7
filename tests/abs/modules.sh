#!/usr/bin/env bash
# Models of several files: directories, and modules that are found by themselves.
#
# Usage: tests/abs/modules.sh SENNIT
here=$(cd "$(dirname "$0")" && pwd)
BASH_ARGV0=$here/../cli/modules.sh # lib.sh looks for its programs beside it
. "$here/../cli/lib.sh"

mkdir -p chat/deep lib twice
cat >chat/Server.abs <<'END'
module Chat.Server;
export *;
import * from Tools;
interface Server { Int answer(); }
class Server implements Server { Int answer() { return twice(21); } }
{ assert False; }
END
cat >chat/Main.abs <<'END'
module Main;
import * from Chat.Server;
{ Server s = new Server(); Int n = await s!answer(); assert n == 42; }
END
echo 'module Tools; export *; def Int twice(Int x) = x + x;' >lib/anything.abs
echo 'module Tools; export *; def Int twice(Int x) = x;' >twice/one.abs
echo 'module Tools; export *; def Int twice(Int x) = 0;' >twice/two.abs

# A module that is not there: every place is named, and the option that adds one.
run "$sennit" check chat/Main.abs
expect_code 2 'a missing module'
expect_text out "^chat/Server.abs:3:15: error: module 'Tools' is not known; looked for in chat \(--path=DIR adds" 'places'
run "$sennit" check --path=nowhere:twice/.. chat/Main.abs
expect_text out "looked for in chat, nowhere, twice/\.\. \(" 'places of the path'

# Found beside the file and on the path; the main block is that of the given file.
run "$sennit" explore --path=lib chat/Main.abs -o run
expect_code 0 'explore with modules found'
expect_text out 'exhaustive: every schedule covered by' 'verdict with modules found'
run "$sennit" explore --path=lib chat/Server.abs -o run
expect_code 1 'the main block of the given file'
run "$sennit" replay run/bugs/assertion-*.trace
expect_code 1 'replay of a model with modules found'
for verb in test deadlock check; do
    run "$sennit" $verb --path=lib chat/Main.abs
    expect_code 0 "$verb with modules found"
done

# Two files of one directory that define it: the user decides.
run "$sennit" check --path=twice chat/Main.abs
expect_code 2 'a module that is found twice'
expect_text err 'chat/Server.abs imports module Tools, which both twice/one.abs and twice/two.abs define' 'both files'
run "$sennit" explore chat/Main.abs twice/two.abs -o run
expect_code 1 'a module that is given'
mv twice/two.abs twice/Tools.abs
run "$sennit" explore --path=twice chat/Main.abs -o run
expect_code 1 'a file that is named like its module'

# A directory is all of its files.
mv lib/anything.abs chat/deep
run "$sennit" check chat
expect_code 0 'check of a directory'
expect_text out '^chat and other files: no errors' 'check of a directory'
run "$sennit" explore chat -o run
expect_code 1 'explore of a directory: the last main block'
mkdir empty
run "$sennit" explore empty
expect_code 2 'a directory without models'
expect_text err 'empty: no ABS files \(\.abs\) in this directory' 'a directory without models'
run "$sennit" explore --path=lib ./chat.c
expect_code 2 '--path for a C program'

# A module exports what it imports, and the annotations of deployment have no effect.
mkdir -p through
cat >through/Inner.abs <<'END'
module Inner;
export *;
interface I { Int f(); }
class C implements I { Int f() { return 3; } }
END
cat >through/Outer.abs <<'END'
module Outer;
import * from Inner;
export I, C;
END
cat >through/Main.abs <<'END'
module Main;
import I, C from Outer;
import * from ABS.SmartDeploy;
[SmartDeploy: "{}"] { I i = new C(); Int n = await i!f(); assert n == 3; }
END
run "$sennit" explore through/Main.abs -o through/run
expect_code 0 'names that a module passes on'
sed -i 's/I, C;/I, C, D;/' through/Outer.abs
run "$sennit" check through/Main.abs
expect_text out "Outer.abs:3:14: error: module 'Outer' does not define or import 'D'" 'a name that it does not have'

# `die` ends the main block with the exception.
echo 'module M; { try { die DivisionByZeroException; } catch { _ => skip; } }' >die.abs
run "$sennit" explore die.abs -o die
expect_code 1 'die in the main block'
expect_text out 'DivisionByZeroException in the main block' 'the exception'

finish
