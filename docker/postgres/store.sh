#!/bin/sh
# The store's own role and database, with pgvector, beside Dagster's. The image runs this once, on a fresh volume.
set -eu
psql --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" \
    --set=password="$(cat /run/secrets/store_password)" <<'SQL'
CREATE ROLE iris_assets LOGIN PASSWORD :'password';
CREATE DATABASE iris_assets OWNER iris_assets;
\connect iris_assets
CREATE EXTENSION vector;
SQL
