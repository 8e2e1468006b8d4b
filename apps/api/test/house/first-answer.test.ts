import { Decimal } from '@papermoon/amm'
import { type Actor, CHARACTERS, Fleet, HOUSE_FLOAT_SOL, type MarketEvent, simulate } from '@papermoon/bots'
import type { TokenId, UserId } from '@papermoon/engine'
import type { MarketHistory } from '@papermoon/engine/bulk'
import { expect, it } from 'vitest'
import { ExactVenue, type HistoryBot, makeHistory } from '../../src/house/make-history.ts'

const END_MS = Date.parse('2026-03-14T20:09:26.535Z')
const FIRST_STRANGER = 1_000
const STRANGERS = 9
const LAUNCH_EVERY_MS = 180_000

// The bots take over all bags and rugged tokens of the history; what they may lose must not be used up by these.
it('leaves bots that answer a stranger’s first launch within a minute', () => {
  const answers = measureAnswers(makeWorld(1)).sort((a, b) => a - b)
  expect(answers).toHaveLength(STRANGERS)
  expect(answers[Math.floor(STRANGERS / 2)]).toBeLessThan(20_000)
  expect(answers.at(-1)).toBeLessThan(60_000)
})

interface World {
  readonly history: MarketHistory
  readonly bots: readonly HistoryBot[]
}

function makeWorld(seed: number): World {
  let tokens = 0
  const bots = CHARACTERS.map((character, i) => ({
    userId: (i + 1) as UserId,
    character,
    balance: new Decimal(HOUSE_FLOAT_SOL),
  }))
  const { history } = makeHistory({ seed, bots, endMs: END_MS, nextTokenId: () => ++tokens as TokenId })
  for (let i = 0; i < STRANGERS; i++) {
    history.addPlayer({ userId: (FIRST_STRANGER + i) as UserId, username: `stranger ${i}` }, new Decimal(100))
  }
  return { history, bots }
}

/** Times in ms from the launches of strangers, with a first buy each, to the first trade of a bot. */
function measureAnswers({ history, bots }: World): number[] {
  const venue = new ExactVenue(history, { toHistoryMs: (ms) => ms, toMarketMs: (ms) => ms })
  const launches = new Map<number, number>()
  const answers = new Map<number, number>()
  const onEvent = (event: MarketEvent) => {
    if (event.type === 'launch' && event.creatorId >= FIRST_STRANGER) launches.set(event.tokenId, event.atMs)
    if (event.type !== 'trade' || event.userId >= FIRST_STRANGER || answers.has(event.tokenId)) return
    const launchedMs = launches.get(event.tokenId)
    if (launchedMs !== undefined) answers.set(event.tokenId, event.atMs - launchedMs)
  }
  const untilMs = END_MS + STRANGERS * LAUNCH_EVERY_MS
  simulate({ actors: [createStrangers(), takeOver(history, bots)], venue, fromMs: END_MS, untilMs, onEvent })
  return [...answers.values()]
}

function createStrangers(): Actor {
  let launched = 0
  return {
    get nextAtMs() {
      return launched < STRANGERS ? END_MS + launched * LAUNCH_EVERY_MS : Number.POSITIVE_INFINITY
    },
    act: () => {
      const [userId, symbol] = [FIRST_STRANGER + launched, `FIRST${launched}`]
      launched++
      const story = { name: `First Try ${launched}`, symbol, emoji: '🌱', description: 'A first token.' }
      return { kind: 'launch', userId, story, initialBuy: 1 }
    },
    observe: () => {},
  }
}

/** A fleet that knows of the history what the live runner reads from the API. */
function takeOver({ market, launches, trades, holdings }: MarketHistory, bots: readonly HistoryBot[]): Fleet {
  const members = bots.map(({ userId, character }) => ({
    userId,
    character,
    balance: market.account(userId)?.balance.toNumber() ?? 0,
  }))
  const fleet = new Fleet({ seed: 3, members, startMs: END_MS })
  for (const { tokenId, order, creator, atMs } of launches) {
    const pool = market.pool(tokenId)
    if (pool === undefined) continue
    const own = trades.filter(({ event }) => event.tokenId === tokenId)
    fleet.addToken({
      id: tokenId,
      name: order.token.name,
      symbol: order.token.symbol,
      createdAtMs: atMs,
      creatorId: creator.id,
      creatorRugs: 0,
      creatorLaunches: 1,
      solReserve: pool.pool.sol.toNumber(),
      tokenReserve: pool.pool.tokens.toNumber(),
      lastTradeAtMs: pool.lastEventAtMs,
      tradeCount: own.length,
      volume: own.reduce((sum, { event }) => sum + Number(event.volume), 0),
      holderCount: holdings.get(tokenId)?.size ?? 0,
      isRugged: pool.pool.sol.isZero(),
    })
    for (const [userId, { amount, cost }] of holdings.get(tokenId) ?? []) {
      const bag = { userId, tokenId, amount: Number(amount), cost: Number(cost), boughtAtMs: pool.lastEventAtMs }
      if (bag.amount > 0) fleet.addBag(bag)
    }
  }
  return fleet
}
