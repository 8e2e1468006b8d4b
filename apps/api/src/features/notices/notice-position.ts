import type { Db, NoticePositionTable, Tx } from '@papermoon/db'
import { type Selectable, sql } from 'kysely'

/** Time in seconds after which another node takes over from a follower that does not renew its lease. */
const HELD_S = 15

/** Gives this node the lease to follow the market, or renews it. Returns false while another node has the lease. */
export async function holdPosition(db: Db, node: string): Promise<boolean> {
  const { rows } = await sql`
    update notice_position
       set holder = ${node}, held_until = clock_timestamp() + make_interval(secs => ${HELD_S})
     where holder is null or holder = ${node} or held_until < clock_timestamp() returning id`.execute(db)
  return rows.length > 0
}

/** Releases the lease, so that another node can follow the market at once. */
export async function releasePosition(db: Db, node: string): Promise<void> {
  await sql`update notice_position set holder = null where holder = ${node}`.execute(db)
}

/**
 * Locks the position until the transaction ends. Every writer of notices holds this lock. Notices are therefore
 * committed in the order of their ids, and readers can use the ids as cursors.
 */
export async function lockPosition(tx: Tx): Promise<Selectable<NoticePositionTable>> {
  return await tx.selectFrom('notice_position').selectAll().forUpdate().executeTakeFirstOrThrow()
}

/** Stores the last known Top 3, the best player first. The caller must hold the lock of `lockPosition`. */
export async function saveTopThree(tx: Tx, board: readonly number[]): Promise<void> {
  await sql`update notice_position set top_three = ${board}::int[]`.execute(tx)
}
