#!/bin/sh
# Tries the files of this folder as processes of one machine: three etcd, three Patroni, HAProxy. A client writes through the
# leader, the leader is killed and comes back; then every write that was acknowledged must be there. Exit code 1: one is not.
# apt-get install patroni python3-etcd etcd-server haproxy pgbackrest postgresql. Ports: BASE to BASE+33 of the loopback address.
set -eu
BASE=${BASE:-5600}
FILES=$(cd "$(dirname "$0")" && pwd)
RUN=$(mktemp -d /tmp/papermoon-drill.XXXXXX)
BIN=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1)
# PostgreSQL refuses root.
AS=$([ "$(id -u)" = 0 ] && echo 'setpriv --reuid=postgres --regid=postgres --clear-groups' || true)
PIDS=

start() { # NAME COMMAND…: in the background, with a log of its own
  name=$1
  shift
  (cd "$RUN" && exec $AS env "$@" >>"$RUN/$name.log" 2>&1) &
  PIDS="$PIDS $!"
  echo $! >"$RUN/$name.pid"
}
postmaster() { head -1 "$RUN/pg$1/data/postmaster.pid" 2>/dev/null || true; }
kill_machine() { # Patroni, its PostgreSQL and all of its backends, as a power cut does
  main=$(postmaster "$1")
  kill -9 "$(cat "$RUN/patroni$1.pid")" $main $(ps -o pid= --ppid "${main:-1}" | grep -v '^ *1$') 2>/dev/null || true
}
finish() {
  touch "$RUN/stop"
  for n in 1 2 3; do [ -z "$(postmaster $n)" ] || kill -3 "$(postmaster $n)" 2>/dev/null || true; done
  kill $PIDS 2>/dev/null || true
  wait
  [ "${FAILED:-1}" = 1 ] && echo "see $RUN" || rm -rf "$RUN"
}
trap finish EXIT

start_patroni() {
  start "patroni$1" PATRONI_NAME="pg$1" PATRONI_ETCD_HOSTS="$ETCD_HOSTS" PGPORT=$((BASE + 20 + $1)) \
    PATRONI_RESTAPI_LISTEN=127.0.0.1:$((BASE + 30 + $1)) PATRONI_RESTAPI_CONNECT_ADDRESS=127.0.0.1:$((BASE + 30 + $1)) \
    PATRONI_POSTGRESQL_LISTEN=127.0.0.1:$((BASE + 20 + $1)) PATRONI_POSTGRESQL_CONNECT_ADDRESS=127.0.0.1:$((BASE + 20 + $1)) \
    PATRONI_SUPERUSER_USERNAME=postgres PATRONI_SUPERUSER_PASSWORD=drill PATRONI_REPLICATION_USERNAME=replicator \
    PATRONI_REPLICATION_PASSWORD=drill PATRONI_REWIND_USERNAME=rewinder PATRONI_REWIND_PASSWORD=drill \
    PAPERMOON_PASSWORD=drill patroni "$RUN/pg$1/patroni.yml"
}
is() { curl -sf -o /dev/null "http://127.0.0.1:$((BASE + 30 + $1))/$2"; }
query() { PGPASSWORD=drill PGCONNECT_TIMEOUT=2 psql -h 127.0.0.1 -p "$BASE" -U papermoon -d papermoon -Atqc "$1" 2>/dev/null; }
until_true() { # SECONDS COMMAND…
  left=$(($1 * 5))
  shift
  until "$@"; do
    left=$((left - 1))
    [ $left -gt 0 ] || { echo "not within its time: $*"; exit 1; }
    sleep 0.2
  done
}

ETCD_HOSTS=127.0.0.1:$((BASE + 1)),127.0.0.1:$((BASE + 2)),127.0.0.1:$((BASE + 3))
MEMBERS=pg1=http://127.0.0.1:$((BASE + 11)),pg2=http://127.0.0.1:$((BASE + 12)),pg3=http://127.0.0.1:$((BASE + 13))
mkdir "$RUN/repository"
cp "$FILES/haproxy-postgres.cfg" "$RUN"
for n in 1 2 3; do
  mkdir -p "$RUN/pg$n/run" "$RUN/pg$n/pgbackrest"
  for file in patroni.yml create-database.sh pgbackrest.conf; do
    sed -e "s#/var/lib/papermoon#$RUN/pg$n#; s#/etc/papermoon#$RUN/pg$n#; s#/repository#$RUN/repository#; s#=5432#=$((BASE + 20 + n))#" \
      -e "s#/usr/lib/postgresql/18/bin#$BIN#; s#pgbackrest --stanza#pgbackrest --config=$RUN/pg$n/pgbackrest.conf --stanza#" \
      "$FILES/patroni/$file" >"$RUN/pg$n/$file"
  done
done
[ -z "$AS" ] || chown -R postgres "$RUN"
for n in 1 2 3; do
  start "etcd$n" etcd --name "pg$n" --data-dir "$RUN/pg$n/etcd" --enable-v2 --initial-cluster "$MEMBERS" \
    --listen-client-urls "http://127.0.0.1:$((BASE + n))" --advertise-client-urls "http://127.0.0.1:$((BASE + n))" \
    --listen-peer-urls "http://127.0.0.1:$((BASE + 10 + n))" --initial-advertise-peer-urls "http://127.0.0.1:$((BASE + 10 + n))"
done
for n in 1 2 3; do start_patroni $n; done
start haproxy LISTEN="127.0.0.1:$BASE" PG_1="127.0.0.1:$((BASE + 21))" PG_2="127.0.0.1:$((BASE + 22))" \
  PG_3="127.0.0.1:$((BASE + 23))" PATRONI_1=$((BASE + 31)) PATRONI_2=$((BASE + 32)) PATRONI_3=$((BASE + 33)) \
  haproxy -db -f "$RUN/haproxy-postgres.cfg"

until_true 120 query 'create table if not exists drill (id int primary key)'
touch "$RUN/acknowledged"
(i=0; until [ -e "$RUN/stop" ]; do i=$((i + 1)); query "insert into drill values ($i) returning id" >>"$RUN/acknowledged" || sleep 0.2; done) &
grown() { [ "$(wc -l <"$RUN/acknowledged")" -gt "$1" ]; }
until_true 60 grown 50
for n in 1 2 3; do is $n primary && leader=$n; done
before=$(wc -l <"$RUN/acknowledged")
began=$(date +%s)
kill_machine "$leader"
until_true 90 grown "$((before + 20))"
echo "the leader pg$leader was killed after $before writes; $(($(date +%s) - began)) s until 20 more were acknowledged"
start_patroni "$leader"
until_true 120 is "$leader" replica
touch "$RUN/stop"
sleep 1
query 'select id from drill' | sort >"$RUN/there"
sort "$RUN/acknowledged" | comm -23 - "$RUN/there" >"$RUN/lost"
echo "$(wc -l <"$RUN/acknowledged") acknowledged, $(wc -l <"$RUN/lost") lost; pg$leader follows again"
[ ! -s "$RUN/lost" ]
FAILED=0
