/**
 * Adds an index for a player's followers, latest first. A query with this index is fast even if there are many
 * followers.
 */
export const statements = ["create index follows_latest on follows (target_id, created_at) where kind = 'player'"]
