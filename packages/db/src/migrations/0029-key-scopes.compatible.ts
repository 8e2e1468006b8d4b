/**
 * Adds API keys only for public data (`market`) and for account resets (`reset`), and a limit to what a key spends per
 * UTC day. `spent` is the amount spent on `spent_on`. On any other day, the key has not spent anything yet.
 */
export const statements = [
  `alter table api_keys
    drop constraint api_keys_scopes_check,
    add constraint api_keys_scopes_check
      check (scopes <@ array['market', 'read', 'trade', 'reset'] and cardinality(scopes) > 0),
    add column spending_limit numeric(20,9) check (spending_limit > 0),
    add column spent numeric(20,9) not null default 0 check (spent >= 0),
    add column spent_on date`,
]
