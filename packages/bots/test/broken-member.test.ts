import { expect, it } from 'vitest'
import { type Character, Fleet, type FleetMember, MemberError, type Strategies, type TokenStart } from '../src/index.ts'

const START_MS = Date.UTC(2026, 0, 1)
const temper = { activity: 1, size: 0.1, sizeSpread: 0.5, bagMax: 1, greed: 1, fear: 0.5, patienceMs: 60_000 }
const strategies: Strategies = {
  breaks: () => {
    throw new Error('no idea')
  },
  buys: ({ token }) => ({ kind: 'buy', tokenId: token.id, sol: 0.1 }),
}
const members = ['breaks', 'buys'].map((strategy, index): FleetMember => {
  const character = { name: strategy, emoji: '🤖', about: 'A bot.', strategy, temper } as Character
  return { userId: index + 1, character, balance: 100 }
})
const token: TokenStart = {
  id: 1,
  name: 'Moon',
  symbol: 'MOON',
  createdAtMs: START_MS,
  creatorId: 2,
  creatorRugs: 0,
  creatorLaunches: 1,
  solReserve: 30,
  tokenReserve: 1_000_000_000,
  lastTradeAtMs: START_MS,
  tradeCount: 0,
  volume: 0,
  holderCount: 0,
  isRugged: false,
}

/** Lets the fleet act `turns` times. Returns who acted, and whose strategy threw. */
function act(fleet: Fleet, turns: number) {
  const acted: number[] = []
  const broken: number[] = []
  for (let turn = 0; turn < turns; turn++) {
    try {
      const order = fleet.act(Math.max(START_MS, fleet.nextAtMs))
      if (order !== null) acted.push(order.userId)
      if (order !== null) fleet.refused(order)
    } catch (error) {
      if (!(error instanceof MemberError)) throw error
      expect(error.cause).toMatchObject({ message: 'no idea' })
      broken.push(error.userId)
    }
  }
  return { acted, broken }
}

it('names the member whose strategy throws, continues with the others, and skips members at rest', () => {
  const fleet = new Fleet({ seed: 1, members, startMs: START_MS, strategies })
  fleet.addToken(token)
  const first = act(fleet, 50)
  expect(new Set(first.broken)).toEqual(new Set([1]))
  expect(new Set(first.acted)).toEqual(new Set([2]))

  const restsUntilMs = fleet.nextAtMs + 300_000
  fleet.rest(1, restsUntilMs)
  while (fleet.nextAtMs < restsUntilMs) expect(act(fleet, 1).broken).toEqual([])
  expect(act(fleet, 50).broken).toContain(1)
})
