# A small Debian booted as a container with systemd as its first process, and the program in it. Sourced by the tests here.
# Nothing of this machine is written to: the container's root is an overlay that ends with it.
set -euo pipefail
program=$(readlink -f "$1")
source_folder=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
scratch=$(mktemp -d /tmp/tunekeeper-systemd.XXXXXX)
leader=

fail() {
  echo "FAILED: $1" >&2
  exit 1
}

# Runs a command in the container.
inside() { nsenter -t "$leader" -a env -i PATH=/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C "$@"; }

# run WANTED ARGUMENT…: runs the program there; its exit status must be the wanted one. Its output is in $scratch/out.
run() {
  local wanted=$1 status=0
  shift
  inside tunekeeper "$@" >"$scratch/out" 2>&1 || status=$?
  [ "$status" -eq "$wanted" ] || { cat "$scratch/out"; fail "tunekeeper $* exited $status, not $wanted"; }
}

# says TEXT: the last run's output holds it.
says() { grep -qF -- "$1" "$scratch/out" || { cat "$scratch/out"; fail "the output does not say: $1"; }; }

# is WHAT WANTED COMMAND…: what a command in the container prints is this.
is() {
  local what=$1 wanted=$2 got
  shift 2
  got=$(inside "$@") || true
  [ "$got" = "$wanted" ] || fail "$what is \"$got\", not \"$wanted\""
}

profile() { inside tee "/etc/tunekeeper/profiles/$1.yaml" >/dev/null; }

stop_machine() {
  [ -z "$leader" ] || inside systemctl poweroff --force --force >/dev/null 2>&1 || true
  wait 2>/dev/null || true
  rm -rf "$scratch"
}

boot_machine() {
  local root
  root=$("$source_folder/scripts/systemd-root")
  trap stop_machine EXIT
  systemd-nspawn --quiet --register=no --keep-unit --boot --private-network --volatile=overlay --directory="$root" \
    --bind-ro="$program:/usr/local/sbin/tunekeeper" --bind-ro="$source_folder/profiles:/usr/local/share/tunekeeper/profiles" \
    >"$scratch/console" 2>&1 </dev/null &
  local container=$! i
  for i in $(seq 300); do
    leader=$(pgrep -P "$container" | head -n 1) && [ -n "$leader" ] &&
      inside systemctl is-system-running --wait >"$scratch/state" 2>/dev/null && break
    grep -q degraded "$scratch/state" 2>/dev/null && break
    sleep 0.1
  done
  inside systemctl is-active --quiet nginx mariadb || { tail "$scratch/console"; fail "the container did not boot: $(cat "$scratch/state")"; }
  inside mkdir -p /etc/tunekeeper/profiles
}
