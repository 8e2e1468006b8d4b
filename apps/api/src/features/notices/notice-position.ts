import type { Db, NoticePositionTable, Tx } from '@papermoon/db'
import { type Selectable, sql } from 'kysely'

/** How long a node follows the market without renewing; another takes over after it. */
const HELD_S = 15

/** Makes this node the one that follows the market, or renews that; false while another node is. */
export async function holdPosition(db: Db, node: string): Promise<boolean> {
  const { rows } = await sql`
    update notice_position
       set holder = ${node}, held_until = clock_timestamp() + make_interval(secs => ${HELD_S})
     where holder is null or holder = ${node} or held_until < clock_timestamp() returning id`.execute(db)
  return rows.length > 0
}

/** Lets another node follow the market at once. */
export async function releasePosition(db: Db, node: string): Promise<void> {
  await sql`update notice_position set holder = null where holder = ${node}`.execute(db)
}

/**
 * Locks the position until the transaction ends. Every writer of notices holds this lock, so their ids are committed in order:
 * readers may use them as cursors.
 */
export async function lockPosition(tx: Tx): Promise<Selectable<NoticePositionTable>> {
  return await tx.selectFrom('notice_position').selectAll().forUpdate().executeTakeFirstOrThrow()
}

/** The node that follows the market; null: none does. */
export async function readHolder(db: Db): Promise<string | null> {
  const position = await db.selectFrom('notice_position').select('holder').executeTakeFirst()
  return position?.holder ?? null
}

/** Keeps the Top 3 that was looked at, best first. Only under the lock of `lockPosition`. */
export async function saveTopThree(tx: Tx, board: readonly number[]): Promise<void> {
  await sql`update notice_position set top_three = ${board}::int[]`.execute(tx)
}
