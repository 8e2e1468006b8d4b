#!/bin/sh
# Runs once, in a new volume: the server's role owns its database and is nothing beyond that.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
  --set password="$PAPERMOON_PASSWORD" <<'SQL'
create role papermoon login nosuperuser nocreatedb nocreaterole noreplication password :'password';
-- Errors name players' e-mail addresses in their details.
alter role papermoon set log_error_verbosity = terse;
alter role papermoon set log_min_error_statement = panic;
create database papermoon owner papermoon encoding 'UTF8' template template0;
revoke connect, temporary on database papermoon from public;
revoke connect on database postgres from public;
SQL
