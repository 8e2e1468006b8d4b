import { Decimal, type Sol, solText } from '@papermoon/amm'
import { getSqlState } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { App } from '../../../context.ts'
import { inSnapshot, type Snapshot } from '../../../database/snapshot.ts'
import { createWorkQueue, type WorkQueue } from '../../../lib/work-queue.ts'
import { findNetWorth } from '../../../players/net-worth.ts'
import { HistoryBusyError } from '../errors.ts'
import type { History, historyInput } from '../schemas.ts'
import { type HistoryPlan, historyBegin, planHistory, stepsFor } from './history-plan.ts'
import { countTokens, findBusySince, findFlows, findWorths } from './history-store.ts'
import { readSpanStart } from './span-start.ts'
import { findGrants } from './span-store.ts'

/** Trades of the player that one history reads at most; who traded more is told of a later time on. */
const TRADES_MAX = 100_000
const STATEMENT_TIMEOUT_MS = 2_000
/** Parts of the span that are tried in turn, where the whole of it takes too long; the last is the live point alone. */
const PARTS = [1, 1 / 8, 0]
const QUERY_CANCELED = '57014'

type Parts = Pick<App, 'db' | 'clock' | 'spanStarts'>

interface Bounds {
  readonly tradesMax: number
  readonly statementTimeoutMs: number
}

const BOUNDS: Bounds = { tradesMax: TRADES_MAX, statementTimeoutMs: STATEMENT_TIMEOUT_MS }

/** Few at a time: a history is the dearest thing that a player may ask for as often as they like. */
const queues = new WeakMap<object, WorkQueue>()

function queueOf({ db }: Pick<App, 'db'>): WorkQueue {
  const queue = queues.get(db) ?? createWorkQueue({ runningMax: 2, waitingMax: 64, full: () => new HistoryBusyError() })
  queues.set(db, queue)
  return queue
}

/**
 * A player's balance and net worth over a timeframe: about 100 points and the live one, oldest first, of one moment of
 * the database.
 *
 * Exact: every balance, every amount held, and the whole first and last point. Approximate: what holdings and own pools were worth
 * at the other points, since their pools are rebuilt from prices; the error is at most 2·10⁻¹¹ of a pool's SOL for each
 * trade of its token since (a thousandth of a SOL after a million trades of a token whose pool has 50 SOL).
 *
 * Has fewer points for players with more than 400 tokens. Begins later than asked (`since`) for players with more than
 * 100,000 trades, or more tokens than can be read in time. Throws `HistoryBusyError`.
 */
export async function getHistory(
  app: Parts,
  userId: UserId,
  { timeframe }: z.output<typeof historyInput>,
  bounds = BOUNDS,
): Promise<History> {
  return await queueOf(app)(async () => {
    for (const part of PARTS) {
      const history = await readHistory(app, { userId, timeframe, part }, bounds).catch((error: unknown) => {
        // Too slow, so less of it; without any of the past, the database is away.
        if (part > 0 && getSqlState(error) === QUERY_CANCELED) return null
        throw error
      })
      if (history !== null) return history
    }
    throw new HistoryBusyError()
  })
}

interface Asked {
  readonly userId: UserId
  readonly timeframe: History['timeframe']
  readonly part: number
}

async function readHistory(app: Parts, asked: Asked, bounds: Bounds): Promise<History> {
  const now = app.clock.now()
  const { userId, timeframe } = asked
  return await inSnapshot(app.db, async (snapshot) => {
    await sql`select set_config('statement_timeout', ${String(bounds.statementTimeoutMs)}, true)`.execute(snapshot)
    const { balance, cashOut, ownPools } = await findNetWorth(snapshot, userId)
    const live = toPoint(now, balance, cashOut.add(ownPools))
    const plan = asked.part === 0 ? null : await planPoints(snapshot, { ...asked, ...bounds, now })
    const past = plan === null ? [] : await pastPoints(app, snapshot, { ...plan, userId, balance })
    const since = (past[0] ?? live).time
    const { before } = await findGrants(snapshot, { userId, since: new Date(since) })
    return { timeframe, since, grantedBefore: solText(before), points: [...past, live] }
  })
}

/** Null where there is no past to tell of. */
async function planPoints(
  snapshot: Snapshot,
  { userId, timeframe, part, now, tradesMax }: Asked & Bounds & { now: Date },
): Promise<HistoryPlan | null> {
  const { first: grant } = await findGrants(snapshot, { userId, since: now })
  if (grant === null) return null
  // What happens at a moment counts as after it: the first SOL is there a millisecond later.
  const first = new Date(grant.at.getTime() + 1)
  const whole = historyBegin(timeframe, first, now)
  const begin = new Date(now.getTime() - (now.getTime() - whole.getTime()) * part)
  const busySince = await findBusySince(snapshot, userId, { since: begin, most: tradesMax })
  const span = { now, stepsMax: stepsFor(await countTokens(snapshot, userId)) }
  if (busySince !== null || part < 1) {
    const from = busySince === null ? begin : new Date(busySince.getTime() + 1)
    return nonEmpty(planHistory({ ...span, begin: from, edge: 'within' }))
  }
  if (timeframe === '24H') return nonEmpty(planHistory({ ...span, begin, edge: 'at' }))
  const plan = planHistory({ ...span, begin, edge: 'around' })
  const isBeforeFirst = (plan.moments[0] ?? first) <= first
  return nonEmpty(isBeforeFirst ? planHistory({ ...span, begin: first, edge: 'at' }) : plan)
}

function nonEmpty(plan: HistoryPlan): HistoryPlan | null {
  return plan.moments.length === 0 ? null : plan
}

async function pastPoints(
  app: Parts,
  snapshot: Snapshot,
  { userId, balance, ...plan }: HistoryPlan & { userId: UserId; balance: Sol },
): Promise<History['points']> {
  const { moments } = plan
  const [since] = moments
  const flows = await findFlows(snapshot, userId, moments)
  const worths = await findWorths(snapshot, userId, plan)
  const zero = new Decimal(0)
  let then = balance
  // Backwards from the balance of now.
  const points = moments.map((_, index) => {
    const place = moments.length - index
    then = then.sub(flows.get(place) ?? zero)
    return toPoint(moments[place - 1] as Date, then, worths.get(place) ?? zero)
  })
  points.reverse()
  // What the span brought is told by its first and last point, so these two are exact.
  if (since === undefined || !worths.has(1)) return points
  const { netWorth } = await readSpanStart(app, snapshot, { userId, since })
  return points.map((point, index) => (index === 0 ? { ...point, netWorth: solText(netWorth) } : point))
}

function toPoint(time: Date, balance: Sol, worth: Sol): History['points'][number] {
  return { time: time.toISOString(), netWorth: solText(balance.add(worth)), balance: solText(balance) }
}
