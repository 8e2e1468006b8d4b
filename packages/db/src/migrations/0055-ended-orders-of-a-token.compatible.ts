/** Adds an index for the ended orders of a player for one token, newest first, however many other orders have ended. */
export const statements = ['public', 'fairs'].map(
  (schema) =>
    `create index waiting_orders_past_of_token on ${schema}.waiting_orders (user_id, token_id, id) where state <> 'waiting'`,
)
