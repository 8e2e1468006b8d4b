import type { Db } from '@papermoon/db'
import { type RawBuilder, sql } from 'kysely'

/** A sandbox is kept for this long after its last order. It cannot last longer. */
const KEPT_HOURS = 24
const MARKET_TABLES = [
  ...['trades', 'waiting_orders', 'holdings', 'rugs', 'seals', 'closed_candles', 'holder_checkpoints', 'pools'],
]

/** Removes ended sandboxes whose last order is a day old, whole: nothing of them counts, and no chain or audit knows them. */
export async function removeOldSandboxes(db: Db): Promise<void> {
  const lastOrder = sql`(select max(p.last_event_at) from fairs.tokens t join fairs.pools p on p.token_id = t.id
    where t.fair_id = f.id)`
  await removeSandboxes(
    db,
    sql`greatest(f.created_at, ${lastOrder}) < clock_timestamp() - ${KEPT_HOURS} * interval '1 hour'`,
  )
}

/** Removes those of the ended sandboxes `f`. */
export async function removeSandboxes(db: Db, where: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select f.id from fairs f where f.kind = 'sandbox' and f.state in ('settled', 'void') and ${where}`.execute(db)
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return
  await db.transaction().execute(async (tx) => {
    for (const table of MARKET_TABLES) {
      await sql`
        delete from ${sql.table(`fairs.${table}`)}
         where token_id in (select id from fairs.tokens where fair_id = any(${ids}))`.execute(tx)
    }
    for (const table of ['fairs.tokens', 'fairs.accounts', 'public.fair_results'])
      await sql`delete from ${sql.table(table)} where fair_id = any(${ids})`.execute(tx)
    await sql`delete from fairs where id = any(${ids})`.execute(tx)
  })
}
