#!/usr/bin/env bash
# Runs a command as a machine that has Node and npm only would: as nobody (or this user, who is not root), in a fresh clone of the
# last commit, with an empty home and a PATH without Redis, Chromium and pgbench.
set -euo pipefail
cd "$(dirname "$0")/.."
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir "$place"/{home,tmp,bin}
git clone -q . "$place/papermoon"
IFS=: read -ra folders <<< "$PATH"
for folder in "${folders[@]}"; do
  case $folder in "$PWD"*) continue ;; esac
  for program in "$folder"/*; do
    case ${program##*/} in
      redis-* | chromium* | google-chrome* | pgbench) ;;
      *) [ -e "$place/bin/${program##*/}" ] || ln -s "$program" "$place/bin/" ;;
    esac
  done
done
kept=()
for name in CI LANG TERM NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR http_proxy https_proxy no_proxy; do
  [ -z "${!name:-}" ] || kept+=("$name=${!name}")
done
kept+=("npm_config_registry=$(npm config get registry)" "HOME=$place/home" "TMPDIR=$place/tmp" "PATH=$place/bin")
become=()
if [ "$(id -u)" = 0 ]; then
  chmod 755 "$place"
  chown -R nobody "$place"
  become=(setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups)
fi
cd "$place/papermoon"
"${become[@]}" env -i "${kept[@]}" "$@"
