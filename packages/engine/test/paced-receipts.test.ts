import { parseSol } from '@papermoon/amm'
import { expect, it } from 'vitest'
import { BusyError } from '../src/errors.ts'
import type { TokenId, UserId } from '../src/ids.ts'
import type { BuyOrder } from '../src/orders.ts'
import { paceReceipts } from '../src/paced-receipts.ts'
import type { TradingEngine } from '../src/trading-engine.ts'

const buyOf = (userId: number): BuyOrder => ({
  kind: 'buy',
  userId: userId as UserId,
  tokenId: 1 as TokenId,
  sol: parseSol('1'),
})
const turn = () => new Promise(setImmediate)

/** An engine that answers every order with its player, all of them in one go; player 13 is refused. */
function engineThatAnswersAtOnce(): TradingEngine {
  const submit = async ({ userId }: BuyOrder) => {
    if (userId === 13) throw new BusyError()
    return { userId }
  }
  return { submit, close: async () => {} } as unknown as TradingEngine
}

/** Submits orders of so many players; the list grows as they are answered. */
function submitAll(engine: TradingEngine, players: number): number[] {
  const answered: number[] = []
  for (let userId = 100; userId < 100 + players; userId++) {
    void engine.submit(buyOf(userId)).then(() => answered.push(userId))
  }
  return answered
}

it('answers a few orders a turn, in their order', async () => {
  const answered = submitAll(paceReceipts(engineThatAnswersAtOnce()), 30)
  const afterEachTurn: number[] = []
  while (answered.length < 30) {
    await turn()
    afterEachTurn.push(answered.length)
  }
  expect(afterEachTurn[0]).toBeLessThan(30)
  expect(answered).toEqual(Array.from({ length: 30 }, (_, i) => 100 + i))
})

it('answers more a turn the longer turns are, so that others cannot keep them for ever', async () => {
  const answered = submitAll(paceReceipts(engineThatAnswersAtOnce()), 400)
  let turns = 0
  for (; answered.length < 400; turns++) {
    const untilMs = performance.now() + 20
    while (performance.now() < untilMs);
    await turn()
  }
  // The least a turn would take more than a hundred.
  expect(turns).toBeLessThan(40)
})

it('keeps nobody who comes alone', async () => {
  const engine = paceReceipts(engineThatAnswersAtOnce())
  for (let i = 0; i < 3; i++) {
    let turns = 0
    setImmediate(() => turns++)
    await engine.submit(buyOf(2))
    expect(turns).toBe(0)
    await turn()
  }
})

it('passes refusals on at once, though others wait', async () => {
  const engine = paceReceipts(engineThatAnswersAtOnce())
  const answered = submitAll(engine, 100)
  await expect(engine.submit(buyOf(13))).rejects.toBeInstanceOf(BusyError)
  expect(answered.length).toBeLessThan(100)
  while (answered.length < 100) await turn()
})

it('has answered everybody when it is closed', async () => {
  const engine = paceReceipts(engineThatAnswersAtOnce())
  const answered = submitAll(engine, 1_000)
  await Promise.resolve()
  await engine.close()
  await Promise.resolve()
  expect(answered).toHaveLength(1_000)
})
