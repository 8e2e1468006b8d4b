import type { Tx } from '@papermoon/db'
import { sql } from 'kysely'
import type { AppPart } from '../../../../context.ts'
import { tellOwners } from '../../follow/tell-owners.ts'
import { wakeWebhooks } from '../../follow/wake-webhooks.ts'
import { lockPosition } from '../../notice-position.ts'

/** Max positions per step. */
const POSITIONS_A_STEP = 20_000

/**
 * Notifies players about their waiting orders in fairs, and marks the webhooks for fairs with new events. Takes and
 * returns the position. Every node continues from a position in the database, so others take over if one fails.
 */
export async function followFairs({ platform, market }: AppPart<'db' | 'fairs'>, followed: number): Promise<number> {
  const end = market.fairs?.live.feed.position ?? followed
  let position = followed
  while (position < end) position = await platform.db.transaction().execute((tx) => takeStep(tx, end))
  return position
}

/** Processes one step and returns the position after it. */
async function takeStep(tx: Tx, end: number): Promise<number> {
  const { fair_trade_id: after } = await lockPosition(tx)
  const through = Math.max(after, Math.min(end, after + POSITIONS_A_STEP))
  if (through === after) return after
  const told = await tellOwners(tx, { after, through }, 'fairs')
  await wakeWebhooks(tx, { after, through }, 'fairs')
  // If nobody was notified, a crash only costs a repeated check, so do not wait for the disk. Commits of orders are
  // faster then.
  if (told === 0) await sql`set local synchronous_commit = off`.execute(tx)
  await sql`update notice_position set fair_trade_id = ${through}`.execute(tx)
  return through
}
