import { parseSol } from '@papermoon/amm'
import type { TokenId, UserId } from '@papermoon/contract/ids'
import { expect, it } from 'vitest'
import { BusyError } from '../src/errors.ts'
import type { BuyOrder } from '../src/orders.ts'
import { paceReceipts, type TradingEngine } from '../src/trading-engine.ts'

const buyBy = (userId: number): BuyOrder => ({
  kind: 'buy',
  userId: userId as UserId,
  tokenId: 1 as TokenId,
  sol: parseSol('1'),
})
const turn = () => new Promise(setImmediate)

/** Creates an engine that responds to every order at once with its player's id, but rejects orders of player 13. */
function createInstantEngine(): TradingEngine {
  const submit = async ({ userId }: BuyOrder) => {
    if (userId === 13) throw new BusyError()
    return { userId }
  }
  return { submit, close: async () => {} } as unknown as TradingEngine
}

/** Submits one order for each player. The returned list grows with each response. */
function submitAll(engine: TradingEngine, players: number): number[] {
  const answered: number[] = []
  for (let userId = 100; userId < 100 + players; userId++) {
    void engine.submit(buyBy(userId)).then(() => answered.push(userId))
  }
  return answered
}

it('resolves a few receipts per turn, in order', async () => {
  const answered = submitAll(paceReceipts(createInstantEngine()), 30)
  const afterEachTurn: number[] = []
  while (answered.length < 30) {
    await turn()
    afterEachTurn.push(answered.length)
  }
  expect(afterEachTurn[0]).toBeLessThan(30)
  expect(answered).toEqual(Array.from({ length: 30 }, (_, i) => 100 + i))
})

it('resolves more receipts per turn when turns are long', async () => {
  const answered = submitAll(paceReceipts(createInstantEngine()), 400)
  let turns = 0
  for (; answered.length < 400; turns++) {
    const untilMs = performance.now() + 20
    while (performance.now() < untilMs);
    await turn()
  }
  // With the minimum per turn alone, it would take more than a hundred turns.
  expect(turns).toBeLessThan(40)
})

it('does not delay a single order', async () => {
  const engine = paceReceipts(createInstantEngine())
  for (let i = 0; i < 3; i++) {
    let turns = 0
    setImmediate(() => turns++)
    await engine.submit(buyBy(2))
    expect(turns).toBe(0)
    await turn()
  }
})

it('does not delay rejections while receipts wait', async () => {
  const engine = paceReceipts(createInstantEngine())
  const answered = submitAll(engine, 100)
  await expect(engine.submit(buyBy(13))).rejects.toBeInstanceOf(BusyError)
  expect(answered.length).toBeLessThan(100)
  while (answered.length < 100) await turn()
})

it('has resolved all receipts when it is closed', async () => {
  const engine = paceReceipts(createInstantEngine())
  const answered = submitAll(engine, 1_000)
  await Promise.resolve()
  await engine.close()
  await Promise.resolve()
  expect(answered).toHaveLength(1_000)
})
