#!/bin/bash
# scenario.test.sh PROGRAM: the quickstart's main job on real packages' files, looked at from outside.
set -euo pipefail
export LC_ALL=C
source_dir=$(cd "$(dirname "$0")/../.." && pwd)
program=$(readlink -f "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
tree=$scratch/host
cd "$source_dir"

fail() {
  echo "FAILED: $1" >&2
  exit 1
}

# expect STATUS ARGUMENT…: runs the program on the tree; its output is in $scratch/out.
expect() {
  local wanted=$1 status=0
  shift
  "$program" "$@" --root "$tree" --profile-path profiles >"$scratch/out" 2>&1 || status=$?
  [ "$status" -eq "$wanted" ] || { cat "$scratch/out"; fail "tunekeeper $* exited $status, not $wanted"; }
}

# Every file but our own state and git's: type, mode, link target, digest. Of a kernel value the chosen word counts: a
# staged one is replaced by the bare word, which the kernel would show in brackets.
picture() {
  (cd "$tree" && find . \( -path ./var/lib/tunekeeper -o -path ./run/tunekeeper -o -path ./etc/.git -o -path ./etc/.etckeeper \) -prune -o \
    \( -type f -o -type l \) -printf '%y %m %p %l\n' | sort
    find . \( -path ./var/lib/tunekeeper -o -path ./run/tunekeeper -o -path ./etc/.git -o -path ./etc/.etckeeper -o -path ./proc -o -path ./sys \) \
      -prune -o -type f -print0 | sort -z | xargs -0 sha256sum
    find ./proc ./sys -type f | sort | while read -r value; do
      echo "$value $(sed 's/.*\[\(.*\)\].*/\1/' "$value" | cksum)"
    done)
}

# Every file with its inode and times, git's and our state's included; the lock and last-run record apart.
times() { (cd "$tree" && find . -path ./run/tunekeeper -prune -o -printf '%p %i %T@ %C@\n' | sort); }

scripts/host-tree "$tree"
mkdir -p "$tree/etc/tunekeeper"
printf '%s\n' 'profiles: [mysql-oltp, web-frontend]' >"$tree/etc/tunekeeper/host.yaml"

echo "a diff changes nothing and exits 2"
times >"$scratch/before"
expect 2 diff
times | diff "$scratch/before" - || fail "diff wrote to the host"
picture >"$scratch/as-found"

echo "apply exits 0, and its settings are right on disk"
expect 0 apply --yes
picture >"$scratch/applied"
cmp -s "$scratch/as-found" "$scratch/applied" && fail "apply changed no file"
grep -qx '60' "$tree/proc/sys/vm/swappiness" && fail "vm.swappiness was not written live"

echo "a second apply exits 0 and writes nothing at all"
times >"$scratch/before"
expect 0 apply --yes
times | diff "$scratch/before" - || fail "the second apply wrote to the host"

echo "its system calls open nothing for writing, and change no name or mode, but for /run/tunekeeper"
strace -f -y -qq -o "$scratch/calls" \
  -e trace=open,openat,openat2,creat,?rename,?renameat,renameat2,?unlink,unlinkat,?mkdir,mkdirat,?link,linkat,?symlink,symlinkat,?chmod,fchmod,fchmodat,?chown,fchown,fchownat,truncate,ftruncate,setxattr,fsetxattr,utimensat \
  "$program" apply --yes --root "$tree" --profile-path profiles >"$scratch/out" 2>&1 || fail "apply under strace: $(cat "$scratch/out")"
grep -E 'O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND|rename|unlink|mkdir|link\(|linkat|creat\(|chmod|chown|truncate|setxattr|utimensat' "$scratch/calls" |
  grep -vE 'run/tunekeeper|/dev/null|readlink|= -1 ' >"$scratch/writes" && { cat "$scratch/writes"; fail "the second apply opened something for writing"; }
grep -q 'O_RDONLY' "$scratch/calls" || fail "strace saw no open at all"

echo "verify exits 3: right on disk, the kernel line awaits a reboot"
expect 3 verify

echo "rollback exits 0, and every file is byte for byte as it was found"
expect 0 rollback --yes
picture | diff "$scratch/as-found" - || fail "the rollback left a difference"
expect 2 diff

echo "rollback under its own hold says so and exits 0; apply is held"
expect 0 rollback --yes
expect 75 apply --yes
picture | diff "$scratch/as-found" - || fail "the second rollback or the held apply left a difference"

echo "the quickstart itself ends well, on a fresh tree"
rm -rf "$tree"
scripts/host-tree "$tree"
scripts/quickstart --program "$program" --tree "$tree" >"$scratch/quickstart" 2>&1 ||
  { cat "$scratch/quickstart"; fail "scripts/quickstart exited $?"; }
echo "all well"
