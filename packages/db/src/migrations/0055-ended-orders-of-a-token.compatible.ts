/**
 * Adds an index for a player's ended orders for one token, newest first. A query with this index is fast even if many
 * other orders have ended.
 */
export const statements = ['public', 'fairs'].map(
  (schema) =>
    `create index waiting_orders_past_of_token on ${schema}.waiting_orders (user_id, token_id, id) where state <> 'waiting'`,
)
