import type { Db, Tx } from '@papermoon/db'
import { sql } from 'kysely'
import type { AppPart } from '../../../context.ts'
import { readPosition } from '../../../events/journal.ts'
import { lockPosition } from '../notice-position.ts'
import type { ConsumerStep } from './follow.ts'
import { endAlertsOfRuggedTokens, fireNewAlerts, fireReachedAlerts } from './reached-alerts.ts'
import { type EntryRange, recordRugPulls } from './rug-pulls.ts'
import { recordSealEnds } from './seal-ends.ts'
import { tellCreators } from './tell-creators.ts'
import { tellSomeHolders } from './tell-holders.ts'
import { tellOwners } from './tell-owners.ts'
import { wakeWebhooks } from './wake-webhooks.ts'
import { recordWhaleSales } from './whale-sales.ts'

/** How many times its duration a step rests that notified holders: it takes at most a fifth of the time. */
const REST_PER_TOLD = 4
/** Max number of the journal's positions in a step. */
const POSITIONS_A_STEP = 20_000

/**
 * A consumer's step that notifies players of rug pulls, sales of large holders, reached alerts, and news of their
 * tokens and orders, and marks the webhooks with new events. Orders do not wait for it.
 */
export async function followMarket({
  platform: { db },
  market: { fairs },
}: AppPart<'db' | 'fairs'>): Promise<ConsumerStep> {
  const steps = [await takeStep(db, { end: await readPosition(db), column: 'trade_id', notify: notifyOfMarket })]
  if (fairs !== undefined) {
    const notify = async (tx: Tx, range: EntryRange) => {
      const told = await tellOwners(tx, range, 'fairs')
      await wakeWebhooks(tx, range, 'fairs')
      return told
    }
    steps.push(await takeStep(db, { end: fairs.live.feed.position, column: 'fair_trade_id', notify }))
  }
  const hasToldHolders = await tellSomeHolders(db)
  return {
    told: steps.reduce((sum, { told }) => sum + told, hasToldHolders ? 1 : 0),
    isDone: !hasToldHolders && steps.every(({ isDone }) => isDone),
    ...(hasToldHolders && { rest: REST_PER_TOLD }),
  }
}

interface MarketStep {
  /** The journal's last position. */
  readonly end: number
  /** The cursor's column. */
  readonly column: 'trade_id' | 'fair_trade_id'
  /** Creates the notices for a range of the journal. Returns their number. */
  notify(tx: Tx, range: EntryRange): Promise<number>
}

/** Writes the notices and the cursor in one transaction. */
async function takeStep(db: Db, { end, column, notify }: MarketStep): Promise<ConsumerStep> {
  return await db.transaction().execute(async (tx) => {
    const after = (await lockPosition(tx))[column]
    const through = Math.max(after, Math.min(end, after + POSITIONS_A_STEP))
    const told = await notify(tx, { after, through })
    // If nothing was told, a crash that loses this step costs a second look only, so commits of orders need not wait.
    if (told === 0) await sql`set local synchronous_commit = off`.execute(tx)
    if (through > after) await sql`update notice_position set ${sql.ref(column)} = ${through}`.execute(tx)
    return { told, isDone: through >= end }
  })
}

async function notifyOfMarket(tx: Tx, range: EntryRange): Promise<number> {
  let told = await recordRugPulls(tx, range)
  told += await endAlertsOfRuggedTokens(tx, range)
  told += await fireNewAlerts(tx)
  if (range.through > range.after) {
    told += await recordWhaleSales(tx, range)
    told += await fireReachedAlerts(tx, range)
    told += await tellCreators(tx, range)
    told += await tellOwners(tx, range)
  }
  // Seal ends come last, because they lock pools.
  told += await recordSealEnds(tx)
  await wakeWebhooks(tx, range, 'public')
  return told
}
