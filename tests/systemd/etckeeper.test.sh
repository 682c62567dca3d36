#!/bin/bash
# etckeeper.test.sh PROGRAM: beside a real etckeeper and a real apt: the hooks, what they cost, and how they go.
. "$(dirname "$0")/machine.sh"
boot_machine

pre_commit=/etc/etckeeper/pre-commit.d/25tunekeeper
post_install=/etc/etckeeper/post-install.d/60tunekeeper
live=/etc/tunekeeper/live.yaml
commits() { inside git -C /etc rev-list --count HEAD; }
clean() { ! inside etckeeper unclean || { inside git -C /etc status --short; fail "$1"; }; }
# As cron runs it: no terminal, no HOME, no identity.
etckeeper_commit() { inside etckeeper commit "$1" </dev/null >"$scratch/commit" 2>&1; }

# package NAME VERSION [COMMAND]: makes a small package whose installation runs COMMAND, and installs it by apt.
package() {
  inside sh -c "
    rm -rf /tmp/p && mkdir -p /tmp/p/DEBIAN /tmp/p/etc && echo $2 >/tmp/p/etc/$1.conf
    printf 'Package: %s\nVersion: %s\nArchitecture: all\nMaintainer: x <x@localhost>\nDescription: x\n' $1 $2 >/tmp/p/DEBIAN/control
    printf '#!/bin/sh\n%s\n' \"\$0\" >/tmp/p/DEBIAN/postinst && chmod 755 /tmp/p/DEBIAN/postinst
    dpkg-deb -b /tmp/p /tmp/$1.deb >/dev/null && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq /tmp/$1.deb
  " "${3:-exit 0}" >"$scratch/apt" 2>&1 || { cat "$scratch/apt"; fail "apt fails"; }
}

profile quiet <<'YAML'
summary: One value that this container has
sysctl: { net.ipv4.ip_local_reserved_ports: { value: "8080", on_release: leave } }
YAML
echo 'profiles: [quiet]' | inside tee /etc/tunekeeper/host.yaml >/dev/null
etckeeper_commit "the profile"

echo "init puts two hooks among etckeeper's and commits them; once more it writes nothing"
run 0 init
says "hooks are among etckeeper's"
inside test -x $pre_commit -a -x $post_install || fail "the hooks cannot be run"
clean "init leaves /etc dirty"
before=$(commits)
run 0 init
[ "$(commits)" = "$before" ] || fail "a second init commits"

run 0 apply --yes
clean "an apply leaves /etc dirty"

echo "etckeeper's commit carries the live values, and leaves nothing behind"
echo new | inside tee /etc/motd.new >/dev/null
etckeeper_commit "by hand" || { cat "$scratch/commit"; fail "etckeeper's commit fails"; }
is "the live values in the commit" '"sysctl:net.ipv4.ip_local_reserved_ports": "8080"' \
  sh -c 'git -C /etc show HEAD:tunekeeper/live.yaml | tail -n 1'
clean "etckeeper's commit leaves /etc dirty"
before=$(commits)
etckeeper_commit "nothing" || true
[ "$(commits)" = "$before" ] || fail "a commit of nothing"

echo "apt's own commits carry them too, with AVOID_COMMIT_BEFORE_INSTALL as well"
inside sh -c 'echo AVOID_COMMIT_BEFORE_INSTALL=1 >>/etc/etckeeper/etckeeper.conf; etckeeper commit conf >/dev/null'
package quiet-one 1
clean "apt leaves /etc dirty"
package quiet-two 1
clean "apt leaves /etc dirty"
! grep -q "settings differ" "$scratch/apt" || fail "a package that changed nothing of ours is told"

echo "drift that a package brought is told after it"
package loud 1 'echo 9090 >/proc/sys/net/ipv4/ip_local_reserved_ports'
grep -q "settings differ after this package run" "$scratch/apt" || { cat "$scratch/apt"; fail "the drift is not told"; }
grep -q "net.ipv4.ip_local_reserved_ports" "$scratch/apt" || fail "the setting is not named"
run 0 apply --yes

echo "commits are pushed where etckeeper's are, and a remote that refuses is told and stops nothing"
inside sh -c 'git init -q --bare /srv/backup.git && git -C /etc remote add backup /srv/backup.git && git -C /etc remote add gone /srv/gone.git &&
  sed -i "s/^PUSH_REMOTE=.*/PUSH_REMOTE=\"backup gone\"/" /etc/etckeeper/etckeeper.conf && git -C /etc config push.default current && etckeeper commit remotes' >/dev/null 2>&1 || true
inside sh -c 'echo 9090 >/proc/sys/net/ipv4/ip_local_reserved_ports; echo "net.ipv4.ip_local_reserved_ports = 1" >/etc/sysctl.d/zz-tunekeeper.conf'
run 0 apply --yes
says "the commit was not pushed to gone"
is "the backup's newest commit" "$(inside git -C /etc rev-parse HEAD)" git -C /srv/backup.git rev-parse HEAD

echo "after a rollback etckeeper finds nothing to do, and its init changes nothing"
run 0 rollback --yes
clean "a rollback leaves /etc dirty"
modes() { inside sh -c 'cd /etc && find . -path ./.git -prune -o -printf "%p %m %u %g %l\n" | sort | sha256sum'; }
before=$(modes)
inside etckeeper init >/dev/null 2>&1
[ "$(modes)" = "$before" ] || fail "etckeeper init changes modes or owners after a rollback"
clean "etckeeper init leaves /etc dirty after a rollback"
run 0 unhold
run 0 apply --yes
clean "an apply after a rollback leaves /etc dirty"

echo "a program that hangs, fails or is gone stops no commit, and takes no more than two seconds"
for fake in 'sleep 60' 'exit 1' 'kill -9 $$' ''; do
  inside sh -c "mkdir -p /opt/fake; rm -f /opt/fake/tunekeeper; [ -z \"\$0\" ] || { printf '#!/bin/sh\n%s\n' \"\$0\" >/opt/fake/tunekeeper; chmod 755 /opt/fake/tunekeeper; }" "$fake"
  # The one on the path comes first; with none the path leads to none.
  path=/opt/fake:/usr/bin:/bin
  [ -n "$fake" ] || inside mount --bind /dev/null /usr/local/sbin/tunekeeper
  for hook in $pre_commit $post_install; do
    begun=$(date +%s%N)
    inside env PATH=$path VCS=git ETCKEEPER_DIR=/etc sh -c "cd /etc && exec timeout 30 $hook" >"$scratch/hook" 2>&1 || fail "$hook fails with \"$fake\""
    took=$((($(date +%s%N) - begun) / 1000000))
    [ $hook != $pre_commit ] || [ $took -lt 2000 ] || fail "$hook took $took ms with \"$fake\""
    [ $hook = $pre_commit ] || [ "$fake" = 'sleep 60' ] || [ ! -s "$scratch/hook" ] || { cat "$scratch/hook"; fail "$hook speaks of \"$fake\""; }
  done
  [ -n "$fake" ] || inside umount /usr/local/sbin/tunekeeper
done

echo "a hook that somebody changed is left and told, on the way in and on the way out"
inside sh -c "echo '# mine' >>$pre_commit"
run 0 init
says "$pre_commit was changed by somebody"
run 0 init --remove --yes
says "$pre_commit was changed by somebody"
inside test -e $pre_commit || fail "a changed hook is gone"
inside test ! -e $post_install -a ! -e $live || fail "hooks or live values are left"
inside test -d /etc/.git || fail "etckeeper's repository is gone"
echo "beside etckeeper: all as it should be"
