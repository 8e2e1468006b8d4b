/**
 * Adds used proofs of work and shared budgets, which limit anonymous callers on all nodes. Reset links in mails get a
 * secret. New columns are empty at first, so that no table is rewritten.
 */
export const statements = [
  `create table spent_proofs (
    nonce bytea primary key,
    expires_at timestamptz(3) not null
  )`,
  'create index spent_proofs_expiry on spent_proofs (expires_at)',
  `create table shared_budgets (
    name text primary key,
    began_at timestamptz(3) not null,
    spent integer not null check (spent >= 0)
  )`,
  `alter table password_resets
    alter column code_hash drop not null,
    add column secret_hash bytea`,
  'create unique index password_resets_secret on password_resets (secret_hash) where secret_hash is not null',
]
