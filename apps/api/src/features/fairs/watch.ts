import { type Fair, type FairNow, RANKING_PAGE } from '@papermoon/contract/fairs'
import type { UserId } from '@papermoon/engine'
import { tracked } from '@trpc/server'
import { sql } from 'kysely'
import type { CachedKind } from '../../cache/memory.ts'
import type { App } from '../../context.ts'
import { sleep } from '../../lib/durations.ts'
import { isPrivate } from './access.ts'
import { FairNotFoundError } from './errors.ts'
import { readRanking, toPage } from './ranking.ts'
import { type FairRow, getFair, toFair } from './store.ts'

const CHECK_EVERY_MS = 1_000
/**
 * Time in ms between two checks when a fair is about to start or end. This time is short, so that everyone sees the
 * start or end at once.
 */
const SOON_EVERY_MS = 100
const SOON_MS = 3_000

interface Watched {
  readonly fair: FairRow
  readonly accounts: ReadonlyMap<number, Pick<FairRow, 'my_balance' | 'my_left_at'>>
}

const watchedFairs: CachedKind<Watched> = { name: 'watched fair', sizeKb: ({ accounts }) => 1 + accounts.size / 4 }

/**
 * Yields the fair and its ranking whenever they change, at most once a second, until it has ended. Throws
 * `FairNotFoundError`.
 */
export async function* watchFair(
  app: App,
  { userId, fairId }: { readonly userId: UserId | null; readonly fairId: number },
  signal: AbortSignal | undefined,
): AsyncGenerator<ReturnType<typeof tracked<FairNow>>> {
  let last = ''
  let lastText = ''
  let events = 0
  let pauseMs = 0
  while (signal?.aborted !== true) {
    // If the player left the room or was removed, the read throws an error and ends the stream.
    const fair = await readShown(app, { userId, fairId, maxAgeMs: pauseMs })
    const isOver = fair.state === 'settled' || fair.state === 'void'
    // Never send the fair's end together with an older ranking.
    const known = await readRanking(app, fair)
    const fairText = JSON.stringify(fair)
    if (fairText !== last || known.text !== lastText) {
      const ranking = toPage(known, { fairId, userId, from: 0, limit: RANKING_PAGE })
      // Freeze the value, because hundreds of watchers may share it.
      yield tracked(String(++events), Object.freeze({ fair, ranking }))
    }
    last = fairText
    lastText = known.text
    if (isOver) return
    pauseMs = isSoon(fair, app.platform.clock.now()) ? SOON_EVERY_MS : CHECK_EVERY_MS
    await sleep(app.platform.timers, pauseMs, signal)
  }
}

/** Returns whether the fair may start or its bell may ring soon. */
function isSoon({ state, startsAt, bellFrom }: Fair, now: Date): boolean {
  const dueMs = Date.parse(state === 'lobby' ? startsAt : bellFrom)
  return now.getTime() > dueMs - SOON_MS
}

async function readShown(
  app: App,
  { userId, fairId, maxAgeMs }: { readonly userId: UserId | null; readonly fairId: number; readonly maxAgeMs: number },
): Promise<Fair> {
  const { fair, accounts } = await readWatched(app, fairId, maxAgeMs)
  const account = userId === null ? undefined : accounts.get(userId)
  const isIn = account !== undefined && account.my_left_at === null
  if (isPrivate(fair.kind) && !isIn && (userId === null || fair.host_id !== userId)) throw new FairNotFoundError()
  return toFair({ ...fair, ...account }, userId)
}

/** Reads a fair with all its accounts, once for all its watchers. */
function readWatched({ platform, market }: App, fairId: number, maxAgeMs: number): Promise<Watched> {
  // Watchers' timers are not exact to the millisecond, so they may share a read that is slightly older.
  return market.memory.share(watchedFairs, fairId, { freshMs: maxAgeMs * 0.9 }, () => readAll(platform.db, fairId))
}

async function readAll(db: App['platform']['db'], fairId: number): Promise<Watched> {
  const fair = await getFair(db, fairId)
  const { rows } = await sql<{ user_id: number; my_balance: string; my_left_at: Date | null }>`
    select user_id, sol_balance as my_balance, left_at as my_left_at from fairs.accounts
     where fair_id = ${fairId}`.execute(db)
  return { fair, accounts: new Map(rows.map(({ user_id, ...account }) => [user_id, account])) }
}
