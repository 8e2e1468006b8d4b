import { connect } from '@papermoon/db'
import { systemTimers, type Timers, type TokenId, type UserId } from '@papermoon/engine'
import { ManualTimers } from '@papermoon/engine/testing'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import {
  closeOpenWindows,
  closeWindow,
  LOOK_AGAIN_MS,
} from '../../../src/features/leaderboard/giveaway/close-window.ts'
import {
  giveawayWindow,
  lastWindowOver,
  objectionsTo,
} from '../../../src/features/leaderboard/giveaway/giveaway-window.ts'
import { findRecordedWindows, findWinners } from '../../../src/features/leaderboard/giveaway/window-store.ts'
import { findNotices } from '../../../src/features/notices/read-notices.ts'
import { createTurnedMarket, type TurnedMarket } from '../../support/turned-market.ts'

const HOUR_MS = 3_600_000
/** The window in which the market's clock starts, 30 seconds after the window's start. */
const NOON = giveawayWindow(new Date('2026-01-05T12:00:00Z'))
const log = pino({ level: 'silent' })

let market: TurnedMarket
let winner: UserId
let loser: UserId
let tokenId: TokenId
beforeEach(async () => {
  market = await createTurnedMarket()
  winner = await market.addPlayer()
  loser = await market.addPlayer()
})
afterEach(() => market.close())

/** `winner` makes a profit in the window at noon and keeps a part of the tokens. */
async function playAtNoon(): Promise<void> {
  tokenId = await market.launch(winner, '5')
  await market.buy(loser, tokenId, '20')
  const half = (await market.heldBy(winner, tokenId)).div(2).toFixed(6)
  await market.sell(winner, tokenId, half)
}

const passTo = (time: string) => market.passTime(Date.parse(time) - market.clock.now().getTime())
const platform = (timers: Timers = systemTimers) => ({ db: market.db, clock: market.clock, timers, log })
const round = (db = market.db) => closeOpenWindows({ platform: { ...platform(), db } })
const winnersAtNoon = () => findWinners(market.db, NOON.since)
const recorded = async () => (await findRecordedWindows(market.db, 100)).map(({ since }) => since.toISOString())

describe('the winners of a fixed window', () => {
  it('are recorded once the window is over on every node’s clock, and not before', async () => {
    await playAtNoon()
    passTo('2026-01-05T18:00:09.999Z')
    await round()
    expect(await recorded()).toEqual([])
    market.passTime(1)
    await round()
    expect(await recorded()).toEqual(['2026-01-05T12:00:00.000Z'])
    expect(await winnersAtNoon()).toEqual([
      {
        window_started_at: NOON.since,
        rank: 1,
        user_id: winner,
        username: 'player-1',
        wallet: 'wallet',
        wallet_accounts: 1,
        account_created_at: expect.any(Date),
        profit: expect.stringMatching(/^\d+\.\d+$/),
        trades: 2,
        counterparties: 1,
        browser_accounts: 1,
        source_user_id: loser,
        source_percent: 100,
        source_shares_browser: false,
        may_rank: true,
      },
    ])
  })

  it('are notified of their rank and profit', async () => {
    await playAtNoon()
    passTo('2026-01-05T18:00:10Z')
    await round()
    const [row] = await winnersAtNoon()
    expect(await findNotices(market.db, winner)).toMatchObject([
      { kind: 'mention', windowEnd: '2026-01-05T18:00:00.000Z', rank: 1, sol: row?.profit },
    ])
    expect(await findNotices(market.db, loser)).toEqual([])
  })

  it('are those at the window’s end, however late it is closed, with names and wallets as of the closing', async () => {
    await playAtNoon()
    passTo('2026-01-05T18:00:10Z')
    await round()
    const before = await winnersAtNoon()
    expect(before).toHaveLength(1)
    await sql`delete from giveaway_windows`.execute(market.db)
    await market.buy(loser, tokenId, '30')
    await market.sellAll(winner, tokenId)
    await market.rug(winner, tokenId)
    await market.db.updateTable('users').set({ wallet: 'own' }).where('id', '=', winner).execute()
    passTo('2026-01-20T07:00:00Z')
    await round()
    expect(await winnersAtNoon()).toEqual(before.map((row) => ({ ...row, wallet: 'own' })))
    await market.db.updateTable('users').set({ wallet: 'another' }).where('id', '=', winner).execute()
    await round()
    expect(await winnersAtNoon()).toMatchObject([{ wallet: 'own' }])
  })

  it('never include a deleted player, who has no wallet for a reward', async () => {
    await playAtNoon()
    await market.db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', winner).execute()
    passTo('2026-01-05T18:00:10Z')
    await round()
    expect(await recorded()).toEqual(['2026-01-05T12:00:00.000Z'])
    expect(await winnersAtNoon()).toEqual([])
  })

  it('are recorded for every window since the first launch, even if nobody won or traded', async () => {
    await playAtNoon()
    passTo('2026-01-06T06:00:10Z')
    await market.buy(loser, tokenId, '1')
    passTo('2026-01-06T12:30:00Z')
    await round()
    const windows = await findRecordedWindows(market.db, 100)
    expect(windows.map(({ since, winners }) => [since.toISOString(), winners])).toEqual([
      ['2026-01-06T06:00:00.000Z', 0],
      ['2026-01-06T00:00:00.000Z', 0],
      ['2026-01-05T18:00:00.000Z', 0],
      ['2026-01-05T12:00:00.000Z', 1],
    ])
    await round()
    expect(await findRecordedWindows(market.db, 100)).toEqual(windows)
  })

  it('are not recorded on a market without tokens', async () => {
    passTo('2026-01-09T00:00:00Z')
    await round()
    expect(await recorded()).toEqual([])
  })

  it('are recorded for a limited number of windows per round after a long downtime, oldest first', async () => {
    await playAtNoon()
    market.passTime(60 * 6 * HOUR_MS)
    await round()
    expect(await recorded()).toHaveLength(40)
    expect((await recorded()).at(-1)).toBe('2026-01-05T12:00:00.000Z')
    await round()
    expect(await recorded()).toHaveLength(60)
  })

  it('are recorded once when several nodes close at once', async () => {
    await playAtNoon()
    passTo('2026-01-06T12:30:00Z')
    const others = [connect(market.address), connect(market.address)]
    onTestFinished(async () => void (await Promise.all(others.map((other) => other.close()))))
    await Promise.all([market, market, ...others].map(({ db }) => round(db)))
    expect(await recorded()).toHaveLength(4)
    expect(await winnersAtNoon()).toHaveLength(1)
    const answers = await Promise.all(
      [market, ...others].map(({ db }) => closeWindow(db, giveawayWindow(new Date(0)), new Date())),
    )
    expect(answers.sort()).toEqual([0, null, null])
  })

  it('are not recorded while a transaction may still commit a trade of the window', async () => {
    await playAtNoon()
    passTo('2026-01-05T18:00:10Z')
    const batch = await market.pool.connect()
    await batch.query('begin')
    await batch.query('select 1 from accounts where user_id = $1 for no key update', [winner])
    const timers = new ManualTimers()
    const closing = closeOpenWindows({ platform: platform(timers) })
    await timers.untilAwaited()
    expect(await recorded()).toEqual([])
    await batch.query(`insert into trades (token_id, seq, user_id, side, sol_amount, fee, token_amount, price, sol_reserve,
        token_reserve, spot_price, created_at, hash)
      select token_id, seq + 1, user_id, side, sol_amount, fee, 0.000001, price, sol_reserve, token_reserve, spot_price,
        '2026-01-05T17:59:59.999Z', hash from trades order by id desc limit 1`)
    await batch.query('commit')
    batch.release()
    timers.pass(LOOK_AGAIN_MS)
    await closing
    expect(await winnersAtNoon()).toMatchObject([{ user_id: winner, trades: 3 }])
  })

  it('do not wait for transactions that began after the window’s end', async () => {
    await playAtNoon()
    passTo('2026-01-05T18:00:10Z')
    let isTrading = true
    const trading = (async () => {
      while (isTrading) await Promise.all([1, 2, 3].map(() => market.buy(loser, tokenId, '0.001')))
    })()
    await round()
    isTrading = false
    await trading
    expect(await recorded()).toEqual(['2026-01-05T12:00:00.000Z'])
  })

  it('are not recorded by a server that is stopping', async () => {
    await playAtNoon()
    passTo('2026-01-06T00:30:00Z')
    await closeOpenWindows({ platform: platform() }, AbortSignal.abort())
    expect(await recorded()).toEqual([])
    await round()
    expect(await recorded()).toHaveLength(2)
  })

  it('of one window are recorded even if another window fails', async () => {
    await playAtNoon()
    passTo('2026-01-06T00:30:00Z')
    await sql`alter table window_winners add constraint nobody check (rank > 1)`.execute(market.db)
    await round()
    expect(await recorded()).toEqual(['2026-01-05T18:00:00.000Z'])
    await sql`alter table window_winners drop constraint nobody`.execute(market.db)
    await round()
    expect(await recorded()).toHaveLength(2)
    expect(await winnersAtNoon()).toHaveLength(1)
  })
})

describe('a giveaway', () => {
  const anybody = { browser_accounts: 1, source_percent: null, source_shares_browser: false }
  const endMs = NOON.until.getTime()
  const aged = (ms: number, wallet_accounts = 1) =>
    objectionsTo({ ...anybody, account_created_at: new Date(endMs - ms), wallet_accounts }, NOON)

  it('is for accounts that were older than a day at the end of the window', () => {
    expect(aged(24 * HOUR_MS)).toEqual(['the account is not older than a day'])
    expect(aged(24 * HOUR_MS + 1)).toEqual([])
    expect(aged(-HOUR_MS, 3)).toEqual(['the account is not older than a day', 'an older account uses the same wallet'])
  })

  /**
   * Plays the window at noon. The winner's wallet is also that of other accounts, in another case of letters. Each of
   * them is so many days older than the winner's account. Returns the winner's row and the objections.
   */
  async function wonBeside(daysOlder: readonly number[]) {
    const days = [0, ...daysOlder]
    for (const [place, older] of days.entries()) {
      const id = place === 0 ? winner : await market.addPlayer()
      const wallet = place % 2 === 0 ? '0xAb' : '0xaB'
      const created_at = new Date(Date.parse('2026-01-01T00:00:00Z') - older * 24 * HOUR_MS)
      await market.db
        .updateTable('users')
        .set({ wallet, created_at } as never)
        .where('id', '=', id)
        .execute()
    }
    await playAtNoon()
    passTo('2026-01-05T18:00:10Z')
    await round()
    const [first] = await winnersAtNoon()
    return { first, objections: first && objectionsTo(first, NOON) }
  }

  it('is rejected if an older account has the same wallet, in any case of letters', async () => {
    const { first, objections } = await wonBeside([1, 3])
    expect(first).toMatchObject({ user_id: winner, wallet: '0xAb', wallet_accounts: 3 })
    expect(objections).toEqual(['an older account uses the same wallet'])
  })

  it('is not spoilt by accounts created later with the same wallet, even at the same moment', async () => {
    const { first, objections } = await wonBeside([-3, 0])
    expect(first).toMatchObject({ user_id: winner, wallet_accounts: 1 })
    expect(objections).toEqual([])
  })

  it('has windows of six hours that begin at 00, 06, 12 and 18 h UTC', () => {
    const over = (time: string) => lastWindowOver(new Date(time)).since.toISOString()
    expect(over('2026-01-05T18:00:09.999Z')).toBe('2026-01-05T06:00:00.000Z')
    expect(over('2026-01-05T18:00:10Z')).toBe('2026-01-05T12:00:00.000Z')
    expect(over('2026-01-06T00:00:10Z')).toBe('2026-01-05T18:00:00.000Z')
  })
})
