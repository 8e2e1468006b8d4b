import type { Tx } from '@papermoon/db'
import { sql } from 'kysely'
import type { AppPart } from '../../../../context.ts'
import { tellOwners } from '../../follow/tell-owners.ts'
import { wakeWebhooks } from '../../follow/wake-webhooks.ts'
import { lockPosition } from '../../notice-position.ts'

/** Positions of the journal of one step. */
const POSITIONS_A_STEP = 20_000

/**
 * Sends players the notices of their waiting orders in fairs, and marks the webhooks of fairs with new events. Every node does it
 * from one position in the database, so the others go on when one dies. Takes and returns the position that was reached.
 */
export async function followFairs({ platform, market }: AppPart<'db' | 'fairs'>, followed: number): Promise<number> {
  const end = market.fairs?.live.feed.position ?? followed
  let position = followed
  while (position < end) position = await platform.db.transaction().execute((tx) => takeStep(tx, end))
  return position
}

/** Returns the position after it. */
async function takeStep(tx: Tx, end: number): Promise<number> {
  const { fair_trade_id: after } = await lockPosition(tx)
  const through = Math.max(after, Math.min(end, after + POSITIONS_A_STEP))
  if (through === after) return after
  const told = await tellOwners(tx, { after, through }, 'fairs')
  await wakeWebhooks(tx, { after, through }, 'fairs')
  // Where nobody was told, losing this in a crash costs a second look only, so orders' commits need not wait for it.
  if (told === 0) await sql`set local synchronous_commit = off`.execute(tx)
  await sql`update notice_position set fair_trade_id = ${through}`.execute(tx)
  return through
}
