#!/usr/bin/env bash
# `npm run release -- VERSION`: renames *Unreleased* in CHANGELOG.md to the version, gives it to every package, and stores the API's
# released document.
set -euo pipefail
cd "$(dirname "$0")/.."
version=${1:-}
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || { echo 'npm run release -- VERSION, such as 0.4.0'; exit 1; }
sed -n '/^## Unreleased$/,/^## [0-9]/p' CHANGELOG.md | grep '^- ' > /dev/null || { echo 'There is nothing to release.'; exit 1; }
npm run types --silent
sed -i "s/^## Unreleased$/&\n\n## $version/" CHANGELOG.md
sed -i "s/^  \"version\": \".*\"/  \"version\": \"$version\"/" package.json {apps,packages}/*/package.json scripts/package.json
sed -i "s/^version = \".*\"/version = \"$version\"/" clients/python/pyproject.toml
node apps/api/src/http/rest/openapi/release-api.ts
node_modules/.bin/biome format --write apps/api/released-openapi.json
echo "$version: look at CHANGELOG.md, commit, then git tag -a v$version -m v$version"
