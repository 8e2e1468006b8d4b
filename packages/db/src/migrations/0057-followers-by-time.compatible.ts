/** An index for a player's followers, latest first, however many there are. */
export const statements = ["create index follows_latest on follows (target_id, created_at) where kind = 'player'"]
