/**
 * Removes the foreign keys of holdings. These keys are not needed, because the engine holds the locks on pool and
 * account when it writes a holding. Neither row is ever deleted, and the audit finds any holding that does not follow
 * from trades. The checks of the two keys at each first purchase took a tenth of PostgreSQL's time per trade over 1,000
 * tokens.
 */
export const statements = [
  'alter table holdings drop constraint holdings_token_id_fkey',
  'alter table holdings drop constraint holdings_user_id_fkey',
]
