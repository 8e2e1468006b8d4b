import { Decimal } from '@papermoon/amm'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { createTestMarket, type TestMarket } from '../support/test-market.ts'
import { playWaitingTrick, TRICK_PLAYERS, WAITING_TRICKS } from './tricks.ts'

it('shows that of the tricks of waiting orders only a stop at any price feeds who hunts it', async () => {
  const market = await createTestMarket()
  onTestFinished(() => market.close())
  const players = []
  for (let index = 0; index < TRICK_PLAYERS; index++) players.push(await market.addPlayer('1000'))
  const stage = { engine: market.engine, players, ...readFrom(market) }
  const more: Record<string, number> = {}
  for (const trick of WAITING_TRICKS) {
    const earned = await playWaitingTrick(stage, trick, true)
    more[trick.name] = earned.sub(await playWaitingTrick(stage, trick, false)).toNumber()
  }
  const of = (part: string) => Object.entries(more).find(([name]) => name.includes(part))?.[1]
  expect(of('dust')).toBeLessThanOrEqual(0.000001)
  expect(of('one’s own')).toBeLessThan(0)
  expect(of('20 accounts')).toBeLessThan(1)
  expect(of('front-run')).toBeLessThan(0)
  expect(of('cascade')).toBeLessThan(0)
  expect(of('at any price')).toBeGreaterThan(1)
})

/** Returns functions that read what a trick needs to know between its orders. */
function readFrom({ db }: TestMarket) {
  const read = async (query: ReturnType<typeof sql<{ value: string }>>) =>
    new Decimal((await query.execute(db)).rows[0]?.value ?? 0)
  return {
    readBalance: (userId: number) => read(sql`select sol_balance as value from accounts where user_id = ${userId}`),
    readBag: (userId: number, tokenId: number) =>
      read(sql`select amount as value from holdings where user_id = ${userId} and token_id = ${tokenId}`),
    readPrice: (tokenId: number) => read(sql`select price as value from pools where token_id = ${tokenId}`),
  }
}
