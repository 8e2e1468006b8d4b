/**
 * Adds indexes that find a player's recent trades and launches without reading the whole journal. A portfolio's last
 * day, the leaderboard's exact sums and a profile's tokens need them.
 */
export const statements = [
  'create index trades_player on trades (user_id, created_at)',
  'create index tokens_creator on tokens (creator_id, id)',
]
