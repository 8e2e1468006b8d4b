import { Decimal, solText } from '@papermoon/amm'
import { LEAGUE_PLACES } from '@papermoon/contract/leaderboard'
import { systemTimers, type TokenId, type UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { getBotsLeague } from '../../src/features/leaderboard/bots-league.ts'
import { getLeaderboard } from '../../src/features/leaderboard/get.ts'
import { closeOpenWindows } from '../../src/features/leaderboard/giveaway/close-window.ts'
import { giveawayWindow } from '../../src/features/leaderboard/giveaway/giveaway-window.ts'
import { findWinners } from '../../src/features/leaderboard/giveaway/window-store.ts'
import { createTurnedMarket, type TurnedMarket } from '../support/turned-market.ts'

const HOUR_MS = 3_600_000
/** The giveaway window in which the market's clock starts. */
const NOON = giveawayWindow(new Date('2026-01-05T12:00:00Z'))
const at = (time: string) => new Date(`2026-01-05T${time}:00Z`)

let market: TurnedMarket
let one: UserId
let two: UserId
let loser: UserId
let tokenId: TokenId
beforeEach(async () => {
  market = await createTurnedMarket()
  ;[one, two, loser] = [await market.addPlayer(), await market.addPlayer(), await market.addPlayer()]
  tokenId = await market.launch(one, '5')
  await market.buy(two, tokenId, '3')
  await market.buy(loser, tokenId, '40')
  await market.sellAll(one, tokenId)
  await market.sellAll(two, tokenId)
})
afterEach(() => market.close())

const parts = () => ({
  platform: market.platform,
  market: market.market,
})
const people = async () => (await getLeaderboard(parts())).map(({ userId }) => userId)
const bots = async () => (await getBotsLeague(parts())).map(({ userId }) => userId)

async function setKind(userId: UserId, kind: 'player' | 'bot' | 'house'): Promise<void> {
  await market.db.updateTable('users').set({ kind }).where('id', '=', userId).execute()
}

async function addSpan(userId: UserId, since: string, until: string | null): Promise<void> {
  const span = { user_id: userId, since: at(since), until: until === null ? null : at(until) }
  await market.db.insertInto('bot_spans').values(span).execute()
  await setKind(userId, until === null ? 'bot' : 'player')
}

async function winnersAtNoon(): Promise<number[]> {
  market.passTime(NOON.until.getTime() + HOUR_MS - market.clock.now().getTime())
  await closeOpenWindows({
    platform: { db: market.db, clock: market.clock, timers: systemTimers, log: pino({ level: 'silent' }) },
  })
  return (await findWinners(market.db, NOON.since)).map(({ user_id }) => user_id)
}

describe('the Top 3', () => {
  it('ranks both winners while neither is a bot', async () => {
    expect([await people(), await bots()]).toEqual([[one, two], []])
  })

  it.each(['bot', 'house'] as const)(
    'leaves out an account of kind %s, which the bots’ league ranks instead',
    async (kind) => {
      await setKind(one, kind)
      expect([await people(), await bots()]).toEqual([[two], [one]])
    },
  )

  it('leaves out a player who was a bot within the last six hours, even if they are a player again', async () => {
    await addSpan(one, '11:00', '11:59')
    expect([await people(), await bots()]).toEqual([[two], []])
  })

  it('ranks a player who stopped being a bot before that', async () => {
    await addSpan(one, '05:00', '06:00')
    expect(await people()).toEqual([one, two])
  })

  it('ranks people even if the best dozens are bots', async () => {
    const fleet: UserId[] = []
    for (let i = 0; i < 12; i++) {
      const bot = await market.addPlayer()
      const own = await market.launch(bot, '5')
      await market.buy(loser, own, '4')
      await market.sellAll(bot, own)
      await setKind(bot, i % 2 === 0 ? 'bot' : 'house')
      fleet.push(bot)
    }
    expect(await people()).toEqual([one, two])
    const league = await bots()
    expect(league).toHaveLength(LEAGUE_PLACES)
    expect(fleet).toEqual(expect.arrayContaining(league))
  })
})

describe("the bots' league", () => {
  it('shows profit, trades and the character of a house bot, the best first', async () => {
    await setKind(one, 'bot')
    await setKind(two, 'house')
    await sql`update users set emoji = '🦊', about = 'I wait.' where id = ${two}`.execute(market.db)
    const league = await getBotsLeague(parts())
    expect(league).toMatchObject([
      { rank: 1, userId: one, isBot: true, isHouse: false, emoji: null, about: null, tradesCount: 2 },
      { rank: 2, userId: two, isBot: true, isHouse: true, emoji: '🦊', about: 'I wait.', tradesCount: 2 },
    ])
    const [best, second] = league.map(({ totalPnL }) => new Decimal(totalPnL))
    expect(best?.gt(second ?? 0) && second?.gt(0)).toBe(true)
    const flow = await market.db.selectFrom('trades').selectAll().where('user_id', '=', two).execute()
    const gained = flow.reduce(
      (sum, { side, sol_amount }) => (side === 'buy' ? sum.sub(sol_amount) : sum.add(sol_amount)),
      new Decimal(0),
    )
    expect(league[1]?.totalPnL).toBe(solText(gained))
  })

  it('is empty if no bot made a profit', async () => {
    await setKind(loser, 'bot')
    expect(await bots()).toEqual([])
  })
})

describe('the recorded winners of a window', () => {
  it.each([
    { what: 'still is a bot', since: '12:00', until: null },
    { what: 'was a bot before and after its end', since: '17:59', until: '18:30' },
    { what: 'was a bot for a minute in it', since: '14:00', until: '14:01' },
    { what: 'was a bot as it began', since: '11:00', until: '12:01' },
  ])('leave out whoever $what', async ({ since, until }) => {
    await addSpan(one, since, until)
    expect(await winnersAtNoon()).toEqual([two])
  })

  it.each([
    { what: 'stopped as it began', since: '11:00', until: '12:00' },
    { what: 'became one and stopped after its end', since: '18:00', until: '18:30' },
  ])('have whoever $what', async ({ since, until }) => {
    await addSpan(one, since, until)
    expect(await winnersAtNoon()).toEqual([one, two])
  })

  it('leave out a player who switched to bot in the window, even after another switch later', async () => {
    await addSpan(one, '13:00', '13:01')
    await addSpan(one, '18:10', '18:20')
    expect(await winnersAtNoon()).toEqual([two])
  })

  it('leave out house bots', async () => {
    await setKind(two, 'house')
    expect(await winnersAtNoon()).toEqual([one])
  })
})
