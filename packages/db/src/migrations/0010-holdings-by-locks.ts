/**
 * Removes the foreign keys of holdings, as for trades and candles. They are not needed: the engine holds the locks on
 * pool and account when it writes a holding, neither row is ever deleted, and the audit finds any non-empty holding
 * that no trade explains. The two checks of each first purchase took a tenth of PostgreSQL's time per trade, spread
 * over 1,000 tokens.
 */
export const statements = [
  'alter table holdings drop constraint holdings_token_id_fkey',
  'alter table holdings drop constraint holdings_user_id_fkey',
]
