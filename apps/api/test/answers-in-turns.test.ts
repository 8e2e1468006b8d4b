import { parseSol } from '@papermoon/amm'
import { expect, it } from 'vitest'
import { answersInTurns } from '../src/features/trading/answers-in-turns.ts'
import { BusyError } from '../src/features/trading/errors.ts'
import type { TokenId, UserId } from '../src/ids.ts'
import type { BuyOrder, TradingDesk } from '../src/orders.ts'

const buyOf = (userId: number): BuyOrder => ({
  kind: 'buy',
  userId: userId as UserId,
  tokenId: 1 as TokenId,
  sol: parseSol('1'),
})
const turn = () => new Promise(setImmediate)

/** A desk that answers every order with its player, all of them in one go; odd ones are refused. */
function deskThatAnswersAtOnce(): TradingDesk {
  const submit = async ({ userId }: BuyOrder) => {
    if (userId % 2 === 1) throw new BusyError()
    return { userId }
  }
  return { submit } as unknown as TradingDesk
}

it('answers a few orders a turn, refusals too, in their order', async () => {
  const desk = answersInTurns(deskThatAnswersAtOnce())
  const answered: number[] = []
  const players = Array.from({ length: 30 }, (_, i) => i)
  const all = players.map((userId) =>
    desk.submit(buyOf(userId)).then(
      () => answered.push(userId),
      () => answered.push(userId),
    ),
  )
  const afterEachTurn: number[] = []
  while (answered.length < players.length) {
    await turn()
    afterEachTurn.push(answered.length)
  }
  await Promise.all(all)
  expect(afterEachTurn.length).toBeGreaterThanOrEqual(6)
  for (const [i, count] of afterEachTurn.entries()) expect(count - (afterEachTurn[i - 1] ?? 0)).toBeLessThanOrEqual(8)
  expect(answered).toEqual(players)
})

it('keeps nobody who comes alone', async () => {
  const desk = answersInTurns(deskThatAnswersAtOnce())
  for (let i = 0; i < 3; i++) {
    let turns = 0
    setImmediate(() => turns++)
    await desk.submit(buyOf(2))
    expect(turns).toBe(0)
    await turn()
  }
})

it('answers what the desk answers', async () => {
  const desk = answersInTurns(deskThatAnswersAtOnce())
  await expect(desk.submit(buyOf(2))).resolves.toEqual({ userId: 2 })
  await expect(desk.submit(buyOf(3))).rejects.toBeInstanceOf(BusyError)
})
