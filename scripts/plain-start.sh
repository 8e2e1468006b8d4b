#!/usr/bin/env bash
# `scripts/as-plain-user.sh scripts/plain-start.sh`: starts Papermoon as the README says. A player registers, launches and buys;
# then Ctrl-C must stop everything. Fails if one of these steps fails.
set -euo pipefail
# Each job gets its own process group, which receives the signal of Ctrl-C.
set -m
export PORT=${PORT:-3999}
cookies=$(mktemp)
npm start &
server=$!
trap 'kill -KILL -- -$server 2> /dev/null || true; rm -f "$cookies"' EXIT

send() {
  curl -sS --fail-with-body -b "$cookies" -c "$cookies" -H 'accept: application/json' --json "$2" \
    "http://localhost:$PORT/api/$1"
}

curl -sf --retry 300 --retry-delay 1 --retry-max-time 300 --retry-all-errors -o /dev/null "http://localhost:$PORT/readyz"
send auth/register '{"username":"plain","email":"plain@papermoon.example","wallet":"none","password":"moonlit-kite"}' > /dev/null
token=$(send tokens/launch '{"name":"Plain Moon","symbol":"PLAIN"}' | node -p 'JSON.parse(fs.readFileSync(0)).id')
send tokens/buy "{\"tokenId\":$token,\"solAmount\":\"2.5\"}" > /dev/null
kill -INT -- -$server
wait $server
echo 'A player registered, launched and bought; then everything stopped.'
