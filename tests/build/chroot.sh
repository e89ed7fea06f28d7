#!/usr/bin/env bash
# Installs the Debian package, with what it depends on and nothing else, into a new root, and finds the
# deadlock of examples/bank.c there. Needs root (sudo) and a Debian archive, which is that of this machine.
# Usage: tests/build/chroot.sh BUILD WORK
set -euo pipefail
if [ -z "${SENNIT_MOUNTS:-}" ]; then # mounts end with this process
    as_root=()
    [ "$(id -u)" = 0 ] || as_root=(sudo)
    exec "${as_root[@]}" env SENNIT_MOUNTS=own unshare --mount "$0" "$@"
fi
source=$(cd "$(dirname "$0")/../.." && pwd)
deb=$("$source/tools/package" "$1") || { echo "$deb"; exit 1; }
work=$(realpath -m "$2") root=$(realpath -m "$2")/root
rm -rf --one-file-system "$work"
mkdir -p "$work"

suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(apt-get indextargets --format '$(RELEASE) $(REPO_URI)' 'Created-By: Packages' |
    awk -v suite="$suite" '$1 == suite && !found { print $2; found = 1 }')
echo "== a root of Debian $suite from $mirror"
debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$work/log" 2>&1 || { tail "$work/log"; exit 1; }
mount -t proc proc "$root/proc"
mount -t devtmpfs dev "$root/dev" 2>/dev/null || mount --bind /dev "$root/dev"

inside() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive chroot "$root" "$@"; }

echo "== the package and what it depends on"
cp "$deb" "$root/tmp/sennit.deb"
cp -r /etc/apt/apt.conf.d "$root/etc/apt/"
inside apt-get install -y -q --no-install-recommends /tmp/sennit.deb >"$work/log" 2>&1 || { tail "$work/log"; exit 1; }
inside sennit --version

echo "== sennit test bank.c"
code=0
inside sh -c 'cd && sennit test /usr/share/doc/sennit/examples/bank.c' >"$work/report" 2>&1 </dev/null || code=$?
cat "$work/report"
[ $code = 1 ] && grep -q '^deadlock-' "$work/report" || { echo "FAIL: no deadlock found, exit code $code"; exit 1; }
inside sh -c 'cd && sennit test /usr/share/doc/sennit/examples/bank.c -DFIXED' </dev/null
umount "$root/proc" "$root/dev"
rm -rf --one-file-system "$root"
