/**
 * Indexes idempotency keys by key first, then by player. Keys of the engine and the web app increase with time (UUID
 * version 7), so new entries are neighbours at the end of the index. When the player came first, each trade changed a
 * different page of the index. With ten million trades, most of the WAL was full images of these pages, written once
 * after every checkpoint.
 */
export const statements = [
  'drop index trades_request',
  'create unique index trades_request on trades (request_key, user_id) where request_key is not null',
]
