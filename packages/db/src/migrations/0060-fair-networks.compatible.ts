/**
 * Stores the network from which a player created a fair, as a keyed hash. New indexes find old sandboxes and the
 * winners of fairs.
 */
export const statements = [
  'alter table fairs add column made_from bytea',
  "create index fairs_sandboxes on fairs (host_id, id desc) where kind = 'sandbox'",
  'create index fair_results_winner on fair_results (fair_id) where place = 1',
]
