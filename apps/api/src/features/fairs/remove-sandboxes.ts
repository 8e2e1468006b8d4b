import type { Db } from '@papermoon/db'
import { sql } from 'kysely'

/** Max number of ended sandboxes that are stored per player, and for how many days. */
const KEPT = 5
const KEPT_DAYS = 90
const MARKET_TABLES = [
  ...['trades', 'waiting_orders', 'holdings', 'rugs', 'seals', 'closed_candles', 'holder_checkpoints', 'pools'],
]

/**
 * Deletes ended sandboxes that are too old or too many, with all their data. No sum, hash chain or audit includes
 * sandboxes.
 */
export async function removeOldSandboxes(db: Db): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from (
      select f.id, f.settled_at, row_number() over (partition by f.host_id order by f.id desc) as n from fairs f
       where f.kind = 'sandbox' and f.state in ('settled', 'void')) ended
     where n > ${KEPT} or settled_at < clock_timestamp() - ${KEPT_DAYS} * interval '1 day'`.execute(db)
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
