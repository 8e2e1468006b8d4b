/** The network that a player's fair was made from, as a keyed hash, and indexes for sandboxes to remove and winners to name. */
export const statements = [
  'alter table fairs add column made_from bytea',
  "create index fairs_sandboxes on fairs (host_id, id desc) where kind = 'sandbox'",
  'create index fair_results_winner on fair_results (fair_id) where place = 1',
]
