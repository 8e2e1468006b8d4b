import { type Db, formatNumeric, type Tx } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { AppPart } from '../../../context.ts'
import { isLastFill, readPosition } from '../../../events/journal.ts'
import { notifyPlayers, type PersonalCause } from '../notify-players.ts'
import { type ConsumerStep, lockPosition } from './follow.ts'
import { notifyCreators } from './notify-creators.ts'
import { notifyNextPage } from './notify-next-page.ts'
import { endAlertsOfRuggedTokens, fireNewAlerts, fireReachedAlerts } from './reached-alerts.ts'
import { type EntryRange, recordLaunches, recordRugPulls, recordSealEnds, recordWhaleSales } from './record-causes.ts'

/** Pause after a step that created notices for holders or followers, as a multiple of the step's duration. */
const REST_PER_NOTIFIED = 4

/** Max number of journal positions that one step covers. */
const POSITIONS_A_STEP = 20_000

/** Do not notify players about what they did themselves. */
const OWN_ACTS = ['PLAYER', 'CHANGED', 'LEFT_FAIR', 'ACCOUNT_DELETED']

interface OrderRow {
  readonly id: number
  readonly user_id: UserId
  readonly token_id: TokenId
  readonly kind: string
  readonly state: string
  readonly cause: string | null
  readonly seq: number
  readonly least_price: string | null
  readonly is_triggered: boolean
  readonly is_fill: boolean
}

/**
 * Returns a consumer's step that notifies players of rug pulls, large sales, launches, reached alerts, and news of their
 * tokens and orders. The step also marks webhooks that have new events. Orders do not wait for this step.
 */
export async function followMarket({
  platform: { db },
  market: { fairs },
}: AppPart<'db' | 'fairs'>): Promise<ConsumerStep> {
  const steps = [await takeStep(db, { end: await readPosition(db), column: 'trade_id', notify: notifyOfMarket })]
  if (fairs !== undefined) {
    const notify = async (tx: Tx, range: EntryRange) => {
      const notified = await notifyOwners(tx, range, 'fairs')
      await wakeWebhooks(tx, range, 'fairs')
      return notified
    }
    steps.push(await takeStep(db, { end: fairs.live.feed.position, column: 'fair_trade_id', notify }))
  }
  const hasNotifiedPage = await notifyNextPage(db)
  return {
    notified: steps.reduce((sum, { notified }) => sum + notified, hasNotifiedPage ? 1 : 0),
    isDone: !hasNotifiedPage && steps.every(({ isDone }) => isDone),
    ...(hasNotifiedPage && { rest: REST_PER_NOTIFIED }),
  }
}

interface MarketStep {
  /** The last position in the journal. */
  readonly end: number
  /** The database column that contains the cursor. */
  readonly column: 'trade_id' | 'fair_trade_id'
  /** Creates the notices for a range of the journal. Returns the number of notified players. */
  notify(tx: Tx, range: EntryRange): Promise<number>
}

/** Writes the notices and the cursor in one transaction. */
async function takeStep(db: Db, { end, column, notify }: MarketStep): Promise<ConsumerStep> {
  return await db.transaction().execute(async (tx) => {
    const after = (await lockPosition(tx))[column]
    const through = Math.max(after, Math.min(end, after + POSITIONS_A_STEP))
    const notified = await notify(tx, { after, through })
    // If the step created no notices, a crash costs only a second read, so do not delay commits of orders.
    if (notified === 0) await sql`set local synchronous_commit = off`.execute(tx)
    if (through > after) await sql`update notice_position set ${sql.ref(column)} = ${through}`.execute(tx)
    return { notified, isDone: through >= end }
  })
}

async function notifyOfMarket(tx: Tx, range: EntryRange): Promise<number> {
  let notified = await recordRugPulls(tx, range)
  notified += await endAlertsOfRuggedTokens(tx, range)
  notified += await fireNewAlerts(tx)
  if (range.through > range.after) {
    notified += await recordLaunches(tx, range)
    notified += await recordWhaleSales(tx, range)
    notified += await fireReachedAlerts(tx, range)
    notified += await notifyCreators(tx, range)
    notified += await notifyOwners(tx, range)
  }
  // Record seal ends last, because this locks pools.
  notified += await recordSealEnds(tx)
  await wakeWebhooks(tx, range, 'public')
  return notified
}

/**
 * Marks the webhooks for which a step found events. A webhook that is not marked has no events in the range, so its
 * position moves past the range.
 */
export async function wakeWebhooks(tx: Tx, { after, through }: EntryRange, schema: 'public' | 'fairs'): Promise<void> {
  if (through <= after) return
  const isOfMarket = schema === 'fairs' ? sql`fairs is not null` : sql`fairs is null`
  const sleeping = await sql`
    select from webhooks where not is_ready and verified_at is not null and ${isOfMarket} limit 1`.execute(tx)
  if (sleeping.rows.length === 0) return
  const table = (name: string) => sql.table(`${schema}.${name}`)
  const position = sql.ref(schema === 'fairs' ? 'fair_trade_id' : 'trade_id')
  const isIn = (column: string) => sql`${sql.ref(column)} > ${after} and ${sql.ref(column)} <= ${through}`
  await sql`
    with moved as materialized (
      select distinct 'trade' as kind, token_id, user_id from ${table('trades')} where ${isIn('id')}
      union all select 'rug', token_id, null from ${table('rugs')} where ${isIn('position')}
      union all select 'launch', id, null from ${table('tokens')} where ${isIn('position')}
      union all select 'post', topic, null from ${table('posts')}
        where topic > 0 and ((${isIn('position')}) or (${isIn('changed_position')}))
      union all select 'order', token_id, user_id from ${table('waiting_orders')} where ${isIn('position')}
    ), found as materialized (
      select moved.*, t.fair_id from moved join ${table('tokens')} t on t.id = moved.token_id
      union all select 'fair', null, null, fair_id from ${table('fair_moments')} where ${isIn('position')}
    )
    update webhooks w set is_ready = true, ${position} = greatest(w.${position}, ${after})
     where w.${isOfMarket} and not w.is_ready and w.verified_at is not null and exists (
       select from found f where (w.fairs is null or f.fair_id = any(w.fairs)) and (
         (f.kind = any(w.events) and (f.kind <> 'order' or f.user_id = w.user_id)
           and (w.token_ids is null or f.kind not in ('trade', 'post', 'rug') or f.token_id = any(w.token_ids)))
         or (f.kind = 'trade' and f.user_id = w.user_id and 'fill' = any(w.events))))`.execute(tx)
}

/**
 * Notifies players when their waiting orders were filled, partly filled or ended. Also notifies players when a
 * triggered stop found no buyer at its minimum price. Returns the number of notices.
 */
export async function notifyOwners(
  tx: Tx,
  { after, through }: EntryRange,
  schema: 'public' | 'fairs' = 'public',
): Promise<number> {
  const [orders, pools] = [sql.table(`${schema}.waiting_orders`), sql.table(`${schema}.pools`)]
  const trades = sql.table(`${schema}.trades`)
  const { rows } = await sql<OrderRow>`
    select w.id, w.user_id, w.token_id, w.kind, w.state, w.cause, p.seq, w.least_price,
           w.kind in ('stop', 'bracket') and w.below is null and w.state = 'waiting' as is_triggered,
           exists (select from ${trades} t where ${isLastFill}) as is_fill
      from ${orders} w join ${pools} p on p.token_id = w.token_id
     where w.position > ${after} and w.position <= ${through} and (w.fills > 0 or w.state <> 'waiting' or (w.kind in ('stop', 'bracket') and w.below is null))
       and coalesce(w.cause, '') <> all(${OWN_ACTS}::text[])
     order by w.position`.execute(tx)
  return await notifyPlayers(tx, rows.map(toCause))
}

function toCause({ id, user_id, token_id, kind, state, cause, seq, ...stop }: OrderRow): PersonalCause {
  const waitsAt = stop.is_triggered && !stop.is_fill && stop.least_price !== null ? formatNumeric(stop.least_price) : ''
  return {
    userId: user_id,
    kind: 'order',
    // The trigger of a stop and its later fill cause two separate notices.
    key: stop.is_triggered && !stop.is_fill ? `order ${id} triggered` : `order ${id}`,
    tokenId: token_id,
    actorId: null,
    seq,
    detail: { kind, state, cause: cause ?? '', waitsAt },
  }
}
