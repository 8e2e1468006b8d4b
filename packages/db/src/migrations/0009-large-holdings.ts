/**
 * Finds a token's largest holders without reading all holdings. A holding is large from 1/2000 of the supply, so a
 * token has at most 2,000 large holdings. An index by amount would change with every trade, and so would every other
 * index of the row. This index changes only when a holding becomes large or small.
 */
export const statements = [
  'alter table holdings add column is_large boolean not null generated always as (amount >= 500000) stored',
  'create index holdings_large on holdings (token_id) where is_large',
]
