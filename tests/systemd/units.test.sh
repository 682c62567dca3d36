#!/bin/bash
# units.test.sh PROGRAM: units on a booted systemd: what is in force, who has taken what, and the way back.
. "$(dirname "$0")/machine.sh"
boot_machine

limit_of() { inside sh -c "grep 'Max open files' /proc/\$(systemctl show -P MainPID $1)/limits | awk '{ print \$4 }'"; }

profile limits <<'YAML'
summary: Limits of two services
units:
  mysql: { Service: { LimitNOFILE: 8000, OOMScoreAdjust: 300 } }
  nginx: { Service: { LimitNOFILE: 9000, Restart: always } }
YAML
echo 'profiles: [limits]' | inside tee /etc/tunekeeper/host.yaml >/dev/null

echo "a diff shows what the processes and the manager have"
before=$(limit_of nginx)
run 2 diff --json
says '"id": "unit:mariadb.service:Service.LimitNOFILE"'
says '"live": "0"'
says "\"live\": \"$(inside systemctl show -P Restart nginx)\""

echo "an apply makes systemd read the drop-ins, and processes that are older await their restart"
run 0 apply --yes
is "nginx's loaded limit" 9000 systemctl show -P LimitNOFILE nginx
is "mariadb's loaded limit" 8000 systemctl show -P LimitNOFILE mariadb
[ "$(limit_of nginx)" = "$before" ] || fail "nginx was restarted unasked"
run 3 verify
says "restart nginx"
says "restart mariadb"

echo "a second apply writes nothing and asks systemd for nothing"
stamp=$(inside systemctl show -P UnitsLoadStartTimestampMonotonic)
run 0 apply --yes
[ "$(inside systemctl show -P UnitsLoadStartTimestampMonotonic)" = "$stamp" ] || fail "a daemon-reload without a changed unit file"

echo "a restart by hand puts them in force"
inside systemctl restart nginx mariadb
[ "$(limit_of nginx)" = 9000 ] || fail "nginx has $(limit_of nginx) after its restart"
run 0 verify

echo "a drop-in that the manager has not read is found by what is loaded, and read"
inside sh -c 'mkdir -p /run/systemd/system/nginx.service.d && printf "[Service]\nRestart=no\n" >/run/systemd/system/nginx.service.d/zzz.conf && systemctl daemon-reload && rm -r /run/systemd/system/nginx.service.d'
is "nginx's loaded policy" no systemctl show -P Restart nginx
run 2 verify
run 0 apply --yes
is "nginx's loaded policy" always systemctl show -P Restart nginx
run 0 verify

echo "--restart restart restarts what awaits it, once, and proves it"
profile limits <<'YAML'
summary: Other limits of two services
units:
  mysql: { Service: { LimitNOFILE: 6000, OOMScoreAdjust: 200 } }
  nginx: { Service: { LimitNOFILE: 7000, Restart: always } }
YAML
started() { inside systemctl show -P ExecMainStartTimestampMonotonic "$1"; }
nginx_before=$(started nginx)
run 0 apply --yes --restart restart
[ "$(limit_of nginx)" = 7000 ] || fail "nginx has $(limit_of nginx)"
[ "$(limit_of mariadb)" = 6000 ] || fail "mariadb has $(limit_of mariadb)"
run 0 verify
nginx_after=$(started nginx)
[ "$nginx_after" != "$nginx_before" ] || fail "nginx was not restarted"
run 0 apply --yes --restart restart
[ "$(started nginx)" = "$nginx_after" ] || fail "nginx was restarted for nothing"

echo "a service that cannot start with it is undone, and runs as before"
profile broken <<'YAML'
summary: A unit that cannot start
units: { nginx: { Service: { User: no-such-user } } }
YAML
run 4 apply broken --yes --restart restart
says "systemctl restart nginx.service failed"
inside systemctl is-active --quiet nginx || fail "nginx does not run after the undo"
[ "$(limit_of nginx)" = 7000 ] || fail "nginx has $(limit_of nginx) after the undo"
run 0 verify

echo "a rollback takes the drop-ins back, and systemd reads the files again"
run 0 rollback 0 --yes
inside test ! -e /etc/systemd/system/nginx.service.d || fail "our drop-in's folder is left"
is "nginx's loaded policy" no systemctl show -P Restart nginx
run 0 rollback 0 --yes
echo "units on a booted systemd: all as it should be"
