import type { Database } from '@papermoon/db'
import type { OrderEntry } from '@papermoon/engine'
import { type Kysely, sql } from 'kysely'
import { driveOnDemand } from './drive-on-demand.ts'
import { openEngine } from './open-engine.ts'

/** The trading engine for players whose API keys have a spending limit: every buy is counted against it. */
driveOnDemand((address) => {
  const keys = new Map<number, number>()
  const { db, trade } = openEngine(address, undefined, (own) => countBuys(own, keys))
  const ready = makeKeys(db, keys)
  return async (order) => {
    await ready
    return await trade(order)
  }
})

function countBuys(own: OrderEntry, keys: ReadonlyMap<number, number>): OrderEntry {
  return {
    submit: (order) => own.submit(order.kind === 'buy' ? { ...order, spendingKeyId: keys.get(order.userId) } : order),
    dryRun: (order) => own.dryRun(order),
    findPending: (userId, requestKey) => own.findPending(userId, requestKey),
  }
}

/** Gives each player a key with a limit that nobody reaches. */
async function makeKeys(db: Kysely<Database>, keys: Map<number, number>): Promise<void> {
  const { rows } = await sql<{ id: number; user_id: number }>`
    insert into api_keys (user_id, name, scopes, key_hash, created_at, spending_limit)
    select id, 'bench', array['trade'], sha256(random()::text::bytea), now(), 1000000 from users
    returning id, user_id`.execute(db)
  for (const { id, user_id } of rows) keys.set(user_id, id)
}
