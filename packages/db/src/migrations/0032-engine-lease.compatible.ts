/**
 * Adds the lease of the node whose engine leads. The lease is one row, which is rewritten twice a second. Builds
 * without this table execute orders themselves.
 */
export const statements = [
  `create table engine_lease (
    id integer primary key default 1 check (id = 1),
    term bigint not null,
    node uuid not null,
    host text not null,
    address text not null,
    expires_at timestamptz(3) not null
  ) with (fillfactor = 50)`,
]
