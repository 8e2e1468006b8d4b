import assert from 'node:assert/strict'
import { solText } from '@papermoon/amm'
import { sql } from 'kysely'
import type { App } from '../../context.ts'
import { SharedReading } from '../../shared-reading.ts'
import { inSnapshot } from '../../snapshot.ts'
import { rankWinners } from './rank-winners.ts'
import type { LeaderboardEntry } from './schemas.ts'
import { countCounterparties, findPlayers } from './store.ts'

const PLACES = 3
const WINDOW_MS = 6 * 3_600_000
const MAX_AGE_MS = 30_000
/** A crowded window on a busy machine; everybody waits for this one reading, so it may take longer than others. */
const STATEMENT_TIMEOUT_MS = 30_000

const boards = new WeakMap<object, SharedReading<LeaderboardEntry[]>>()

/** The best traders of the last 6 hours: read anew every 30 seconds if anybody asks, and shared by all who do. */
export async function leaderboardOf(app: Pick<App, 'db' | 'clock'>): Promise<LeaderboardEntry[]> {
  const board = boards.get(app.db) ?? new SharedReading(MAX_AGE_MS)
  boards.set(app.db, board)
  const now = app.clock.now()
  return await board.get(now.getTime(), () => readBoard(app, now))
}

async function readBoard({ db }: Pick<App, 'db'>, now: Date): Promise<LeaderboardEntry[]> {
  const window = { since: new Date(now.getTime() - WINDOW_MS), until: null }
  return await inSnapshot(db, async (snapshot) => {
    await sql`select set_config('statement_timeout', ${String(STATEMENT_TIMEOUT_MS)}, true)`.execute(snapshot)
    const winners = await rankWinners(snapshot, window, PLACES)
    const ids = winners.map((winner) => winner.userId)
    const players = new Map((await findPlayers(snapshot, ids)).map((player) => [player.id, player]))
    const counterparties = await countCounterparties(snapshot, window, ids)
    return winners.map(({ userId, profit, trades }, index) => {
      const player = players.get(userId)
      assert(player !== undefined, 'who trades is a player')
      return {
        rank: index + 1,
        userId,
        username: player.username,
        wallet: printable(player.wallet),
        totalPnL: solText(profit),
        tradesCount: trades,
        accountCreatedAt: player.created_at.toISOString(),
        counterparties: counterparties.get(userId) ?? 0,
      }
    })
  })
}

/** A wallet is copied by hand into other programs: nothing in it may look like something else. */
function printable(wallet: string): string {
  return wallet.replace(/[^\x20-\x7e]/g, '?')
}
