import { createTestMarket } from '@papermoon/engine/testing'
import { expect, it, onTestFinished } from 'vitest'
import { readFrom } from '../src/exploit/measure-waiting-tricks.ts'
import { playWaitingTrick, TRICK_PLAYERS, WAITING_TRICKS } from '../src/exploit/waiting-tricks.ts'

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
