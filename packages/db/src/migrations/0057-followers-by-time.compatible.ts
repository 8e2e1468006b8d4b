/** Adds an index for the followers of a player, latest first, however many there are. */
export const statements = ["create index follows_latest on follows (target_id, created_at) where kind = 'player'"]
