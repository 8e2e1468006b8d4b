import { Decimal, type Sol, solText } from '@papermoon/amm'
import { type History, type historyInput, type NetWorth, WORTH_PARTS_MAX } from '@papermoon/contract/portfolio'
import { isStatementCanceled } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { AppPart } from '../../../context.ts'
import { inSnapshot, type Snapshot } from '../../../database/snapshot.ts'
import { createWorkQueue } from '../../../lib/work-queue.ts'
import { CREATED_MAX } from '../created-tokens.ts'
import { HistoryBusyError } from '../get.ts'
import { findNetWorth } from '../net-worth.ts'
import { type HistoryPlan, historyBegin, planMoments, stepsFor } from './history-plan.ts'
import { countTokens, findBusySince, findFlows, findLargestParts, findOpenPools, findWorths } from './history-store.ts'
import { findGrants, readSpanStart } from './span-store.ts'

/**
 * Max number of the player's trades that one history reads. The history of a player with more trades begins at a later
 * time.
 */
const TRADES_MAX = 100_000
const STATEMENT_TIMEOUT_MS = 2_000
/**
 * Fractions of the requested period that are tried in turn. If reading one of them takes too long, the next one is
 * tried; 0 means only the current point.
 */
const FRACTIONS = [1, 1 / 8, 0]
/**
 * The queue runs only two histories at a time, because a history is the most expensive read that has no rate limit of
 * its own.
 */
const historyQueue = createWorkQueue({ runningMax: 2, waitingMax: 64, full: () => new HistoryBusyError() })

type Parts = AppPart<'db' | 'clock' | 'memory'>

interface Bounds {
  readonly tradesMax: number
  readonly statementTimeoutMs: number
}

const BOUNDS: Bounds = { tradesMax: TRADES_MAX, statementTimeoutMs: STATEMENT_TIMEOUT_MS }

/**
 * Reads a player's balance and net worth over a timeframe: about 100 points and the current point, oldest first, all
 * from one snapshot. All balances and held amounts are exact, and so are the first and the last point. Between the
 * first and the last point, the values of holdings and own pools are approximate, because the pools are computed from
 * prices. The error of these values is at most 2·10⁻¹¹ of a pool's SOL for each later trade of its token. In a pool of
 * 50 SOL, this error is a thousandth of a SOL after a million trades. Players with more than 400 tokens get fewer
 * points. The history begins later than requested (at `since`) if a player has made more than 100,000 trades, or has
 * more tokens than can be read in time. Throws `HistoryBusyError`.
 */
export async function getHistory(
  { app, ip }: { readonly app: Parts; readonly ip: string },
  userId: UserId,
  { timeframe }: z.output<typeof historyInput>,
  bounds = BOUNDS,
): Promise<History> {
  return await historyQueue(ip, async () => {
    for (const fraction of FRACTIONS) {
      const request = { userId, timeframe, fraction, ...bounds }
      const history = await readUnlessSlow(app, request)
      if (history !== null) return history
    }
    throw new HistoryBusyError()
  })
}

/**
 * Returns null if reading a part of the period takes too long. If even the current point takes too long, the database
 * is too slow or down.
 */
async function readUnlessSlow(app: Parts, request: HistoryRequest): Promise<History | null> {
  return await readHistory(app, request).catch((error: unknown) => {
    if (request.fraction > 0 && isStatementCanceled(error)) return null
    throw error
  })
}

interface HistoryRequest extends Bounds {
  readonly userId: UserId
  readonly timeframe: History['timeframe']
  /** Part of the timeframe to read, from 0 to 1, counted back from now. */
  readonly fraction: number
}

async function readHistory(app: Parts, request: HistoryRequest): Promise<History> {
  const now = app.platform.clock.now()
  const { userId, timeframe, fraction, statementTimeoutMs } = request
  return await inSnapshot(app.platform.db, async (snapshot) => {
    await sql`select set_config('statement_timeout', ${String(statementTimeoutMs)}, true)`.execute(snapshot)
    const { balance, cashOut, ownPools } = await findNetWorth(snapshot, userId)
    const live = toPoint(now, balance, cashOut.add(ownPools))
    const plan = fraction === 0 ? null : await findPlan(snapshot, request, now)
    const past = plan === null ? [] : await readPastPoints(app, snapshot, { ...plan, userId, balance })
    const since = (past[0] ?? live).time
    const { before } = await findGrants(snapshot, { userId, since: new Date(since) })
    return { timeframe, since, grantedBefore: solText(before), points: [...past, live] }
  })
}

/** Plans the history. Returns null if the period contains no past time. */
async function findPlan(snapshot: Snapshot, request: HistoryRequest, now: Date): Promise<HistoryPlan | null> {
  const { userId, timeframe, fraction, tradesMax } = request
  const { first: grant } = await findGrants(snapshot, { userId, since: now })
  if (grant === null) return null
  // A point does not include an event exactly at its time, so let the first SOL appear one millisecond later.
  const firstSolAt = new Date(grant.at.getTime() + 1)
  const wholeMs = now.getTime() - historyBegin(timeframe, firstSolAt, now).getTime()
  const begin = new Date(now.getTime() - wholeMs * fraction)
  const busySince = await findBusySince(snapshot, userId, { since: begin, most: tradesMax })
  const plan = planMoments({
    timeframe,
    firstSolAt,
    begin: busySince === null ? begin : new Date(busySince.getTime() + 1),
    now,
    stepsMax: stepsFor(await countTokens(snapshot, userId)),
    isShortened: busySince !== null || fraction < 1,
  })
  return plan.moments.length === 0 ? null : plan
}

async function readPastPoints(
  app: Parts,
  snapshot: Snapshot,
  { userId, balance, ...plan }: HistoryPlan & { userId: UserId; balance: Sol },
): Promise<History['points']> {
  const { moments } = plan
  const [since] = moments
  const flows = await findFlows(snapshot, userId, moments)
  const worths = await findWorths(snapshot, userId, plan)
  const zero = new Decimal(0)
  const points: History['points'] = []
  // Start from now and go back: the balance at a time is the current balance minus the later changes.
  let balanceThen = balance
  for (const [index, time] of [...moments.entries()].reverse()) {
    balanceThen = balanceThen.sub(flows.get(index + 1) ?? zero)
    points.unshift(toPoint(time, balanceThen, worths.get(index + 1) ?? zero))
  }
  // The first point must also be exact, because the gain over the period is the last point minus the first.
  if (since === undefined || !worths.has(1)) return points
  const { netWorth } = await readSpanStart(app, snapshot, { userId, since })
  return points.map((point, index) => (index === 0 ? { ...point, netWorth: solText(netWorth) } : point))
}

function toPoint(time: Date, balance: Sol, worth: Sol): History['points'][number] {
  return { time: time.toISOString(), netWorth: solText(balance.add(worth)), balance: solText(balance) }
}

/** Reads a player's exact net worth in SOL and its parts, from one snapshot. */
export async function readNetWorth(app: AppPart<'db' | 'clock'>, userId: UserId): Promise<NetWorth> {
  return await inSnapshot(app.platform.db, async (snapshot) => {
    const worth = await findNetWorth(snapshot, userId)
    const { total } = await findGrants(snapshot, { userId, since: app.platform.clock.now() })
    const largest = await findLargestParts(snapshot, userId, WORTH_PARTS_MAX)
    const listed = largest.reduce((sum, part) => sum.add(part.cashOut), new Decimal(0))
    return {
      netWorth: solText(worth.netWorth),
      balance: solText(worth.balance),
      cashOutValue: solText(worth.cashOut),
      ownPools: solText(worth.ownPools),
      ownBags: solText(worth.ownBags),
      openPools: worth.openPools,
      ownTokens: await findOpenPools(snapshot, userId, CREATED_MAX),
      holdings: worth.holdings,
      granted: solText(total),
      largest: largest.map((part) => ({
        tokenId: part.tokenId,
        tokenName: part.name,
        tokenSymbol: part.symbol,
        emoji: part.emoji,
        cashOutValue: solText(part.cashOut),
      })),
      others: solText(worth.cashOut.sub(listed)),
      othersCount: worth.foreignHoldings - largest.length,
    }
  })
}
