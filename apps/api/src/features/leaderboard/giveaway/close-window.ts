import assert from 'node:assert/strict'
import { solText } from '@papermoon/amm'
import type { Db, Tx } from '@papermoon/db'
import { systemTimers, type Timers, type UserId } from '@papermoon/engine'
import type { AppPart } from '../../../context.ts'
import { countBrowserAccounts } from '../../../database/conditions.ts'
import { sleep } from '../../../lib/durations.ts'
import { lockPosition, notifyPlayers } from '../../notices/public.ts'
import { rankWinners } from '../ranking/best-flows.ts'
import { findProfitSources } from '../ranking/profit-sources.ts'
import { countCounterparties, findPlayers, prepareRanking } from '../store.ts'
import { type GiveawayWindow, giveawayWindow, lastWindowOver } from './giveaway-window.ts'
import {
  accountWriters,
  countWalletAccounts,
  findOpenWindows,
  isRecorded,
  lockClosing,
  type RecordedWinner,
  recordWindow,
} from './window-store.ts'

/**
 * Number of recorded ranks. More ranks are recorded than there are prizes, because the first players may not be
 * eligible.
 */
const RECORDED_RANKS = 50
/** Number of ranks with a prize. */
const PRIZES = 3

/** Max time for a statement in ms, enough for a busy window on a busy machine. No caller waits for it. */
const STATEMENT_TIMEOUT_MS = 60_000

/** Max time to wait for transactions that write, in ms. The engine ends its transactions sooner than this. */
const WRITERS_END_WITHIN_MS = 20_000

/**
 * Max number of giveaway windows that one round closes. The limit matters in the first round after a long downtime. The
 * next round closes the rest.
 */
const WINDOWS_A_ROUND = 40

type Parts = AppPart<'db' | 'clock' | 'timers' | 'log'>

/** Time in ms between two checks whether transactions are still open. */
export const LOOK_AGAIN_MS = 50

/**
 * Waits until every trade dated before this call is committed or rolled back. Returns false if a transaction stays open
 * for too long, or if `stopping` is aborted. A batch reads the clock only after it has locked its players' accounts.
 * Only transactions that hold such locks now can therefore add a trade to a past window.
 */
export async function settleTrades(
  { db, timers = systemTimers }: { readonly db: Db; readonly timers?: Timers },
  stopping?: AbortSignal,
): Promise<boolean> {
  const giveUpAt = timers.monotonic() + WRITERS_END_WITHIN_MS
  let open = await accountWriters(db)
  while (open.length > 0) {
    if (stopping?.aborted || timers.monotonic() > giveUpAt) return false
    await sleep(timers, LOOK_AGAIN_MS, stopping)
    const writers = new Set(await accountWriters(db))
    open = open.filter((name) => writers.has(name))
  }
  return true
}

/**
 * Records the winners of a window after `settleTrades` has waited for the window's trades. Returns the number of
 * notices. Nodes record windows one at a time, so a node that had to wait finds that the window is already recorded.
 */
export async function closeWindow(db: Db, window: GiveawayWindow, now: Date): Promise<number | null> {
  // The isolation level is read committed, so this statement sees records that others wrote while it waited for the
  // lock. From here on, the trades of the window do not change.
  return await db.transaction().execute(async (tx) => {
    await prepareRanking(tx, STATEMENT_TIMEOUT_MS)
    await lockClosing(tx, STATEMENT_TIMEOUT_MS)
    if (await isRecorded(tx, window.since)) return null
    const winners = await findWinners(tx, window)
    await recordWindow(tx, window, { closedAt: now, winners })
    await notifyWinners(tx, window, winners.slice(0, PRIZES))
    return winners.length
  })
}

/** Notifies the players in the Top 3 of a window. Does not promise a giveaway, because an operator checks it first. */
async function notifyWinners(tx: Tx, { until }: GiveawayWindow, winners: readonly RecordedWinner[]): Promise<void> {
  if (winners.length === 0) return
  const windowEnd = until.toISOString()
  await lockPosition(tx)
  await notifyPlayers(
    tx,
    winners.map(({ user_id: userId, rank, profit }) => ({
      userId: userId as UserId,
      kind: 'mention',
      key: `window ${windowEnd} ${userId}`,
      tokenId: null,
      actorId: null,
      seq: null,
      detail: { windowEnd, rank, value: profit },
    })),
  )
}

async function findWinners(tx: Tx, window: GiveawayWindow): Promise<RecordedWinner[]> {
  const ranked = await rankWinners(tx, window, { most: RECORDED_RANKS, who: 'people' })
  const rankedIds = ranked.map(({ userId }) => userId)
  const players = new Map((await findPlayers(tx, rankedIds)).map((player) => [player.id, player]))
  // Leave out deleted players, because there is no wallet to which a reward could be sent.
  const winners = ranked.filter(({ userId }) => players.get(userId)?.deleted_at === null)
  const ids = winners.map(({ userId }) => userId)
  const counterparties = await countCounterparties(tx, window, ids)
  const walletAccounts = await countWalletAccounts(tx, ids)
  const browserAccounts = await countBrowserAccounts(tx, ids)
  const gains = winners.flatMap((winner) => winner.gains)
  const sources = await findProfitSources(tx, window, { gains, by: 'browsers' })
  return winners.map(({ userId, profit, trades }, index) => {
    const player = players.get(userId)
    const source = sources.get(userId)
    assert(player !== undefined, 'every trader is a player')
    return {
      rank: index + 1,
      user_id: userId,
      username: player.username,
      wallet: player.wallet,
      wallet_accounts: walletAccounts.get(userId) ?? 1,
      account_created_at: player.created_at,
      profit: solText(profit),
      trades,
      counterparties: counterparties.get(userId) ?? 0,
      browser_accounts: browserAccounts.get(userId) ?? 1,
      source_user_id: source?.userId ?? null,
      source_percent: source?.percent ?? null,
      source_shares_browser: source?.isInBrowser ?? false,
    }
  })
}

/**
 * Records the winners of the oldest windows that have ended and are not recorded. If one window fails, the others are
 * still recorded. Several nodes can do this on one database at once.
 */
export async function closeOpenWindows({ platform }: Parts, stopping?: AbortSignal): Promise<void> {
  const { db, clock, log } = platform
  const now = clock.now()
  const open = await findOpenWindows(db, lastWindowOver(now).since, WINDOWS_A_ROUND)
  if (open.length === 0 || stopping?.aborted) return
  if (!(await settleTrades(platform, stopping))) {
    if (!stopping?.aborted) log.warn('giveaway windows wait for an older open transaction')
    return
  }
  for (const since of open) {
    if (stopping?.aborted) return
    try {
      const winners = await closeWindow(db, giveawayWindow(since), now)
      // Log windows without winners only at debug level, because a market with a history of two weeks closes fifty of
      // them at its first start.
      if (winners !== null)
        log[winners === 0 ? 'debug' : 'info']({ window: since, winners }, 'a giveaway window was closed')
    } catch (error) {
      log.warn({ err: error, window: since }, 'a giveaway window could not be closed; retrying')
    }
  }
}
