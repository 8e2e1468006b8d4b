import { Decimal } from '@papermoon/amm'
import type { FairRanking } from '@papermoon/contract/fairs'
import type { UserId } from '@papermoon/engine'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toLive, toPage } from '../../src/features/fairs/ranking.ts'
import type { Standings } from '../../src/features/fairs/results.ts'
import { type FairRules, RandomFair, someSteps } from '../support/random-fair.ts'

const aStake = fc.constantFrom('1', '100', '10000')

it('has its rows in the order of the number shown, at every moment of 1,000 random fairs', () => {
  let moments = 0
  fc.assert(
    fc.property(fc.record({ everyoneRanks: fc.boolean(), stake: aStake }), someSteps(), (rules, steps) => {
      const fair = new RandomFair(rules)
      for (const _ of fair.play(steps)) {
        moments++
        checkRanking(fair.rank())
      }
      checkLedger(fair, rules)
    }),
    { numRuns: 1_000 },
  )
  expect(moments).toBeGreaterThan(10_000)
})

it('has no score of two accounts above the stake, a tenth of it and the SOL that idle strangers paid', () => {
  const before = someSteps(fc.constantFrom(2, 3), { launch: 1, buy: 4 }, 3)
  const steps = someSteps(fc.constantFrom(0, 1), { launch: 2, buy: 9, sell: 9, rug: 1, gift: 6 })
  fc.assert(
    fc.property(aStake, fc.option(before, { nil: [] }), steps, (stake, first, then) => {
      const fair = new RandomFair({ everyoneRanks: false, stake })
      let most = new Decimal(stake).mul('1.1').add('0.00000001')
      for (const { kind, player, amount } of fair.play([...first, ...then]))
        if (kind === 'buy' && player > 1) most = most.add(amount)
      for (const { userId, score } of fair.rank().entrants) if (userId <= 2) expect(most.gte(score)).toBe(true)
    }),
    { numRuns: 500 },
  )
})

/** Checks what `fairs.ranking` returns: the sums to the last digit, each page in the order of the scores, and own rows. */
function checkRanking(standings: Standings): void {
  const known = { asOf: new Date(0), text: '', ...toLive(standings) }
  const page = (from: number, limit: number, userId: UserId | null = null) =>
    toPage(known, { fairId: 2, userId, from, limit })
  const { entrants, sum } = page(0, 500)
  expect(entrants).toSatisfy(isInOrder)
  const [last] = page(entrants.length - 1, 2).entrants
  expect(last).toBe(page(0, 1, last?.userId).mine)
  const total = entrants.reduce((all, { standing }) => all.add(standing), new Decimal(0))
  expect([sum.standings, new Decimal(sum.stakes).sub(sum.fees).toFixed()]).toEqual([
    total.toFixed(),
    total.add(sum.dust).toFixed(),
  ])
  expect(Number(sum.dust)).toBeGreaterThanOrEqual(0)
}

/** Returns whether the ranked players are above the others, and each group in the order of its scores. */
function isInOrder(rows: FairRanking['entrants']): boolean {
  return rows.every(({ place, score, isRanked }, index) => {
    const above = rows[index - 1] ?? { isRanked: true, score }
    return place === index + 1 && (above.isRanked === isRanked ? new Decimal(above.score).gte(score) : above.isRanked)
  })
}

/** Checks that what one player won, without fees, others lost, and that scores leave out the gifts of single players. */
function checkLedger(fair: RandomFair, { everyoneRanks, stake }: FairRules): void {
  const settled = fair.ledger.settle()
  const { entrants } = fair.rank()
  const allowance = BigInt(stake) * 100_000_000n
  for (const { userId, standing, score } of entrants) {
    let [taken, excess] = [0n, 0n]
    for (const { userId: other } of entrants) {
      if (other === userId) continue
      const [part, won] = [settled.takenFrom(userId, other), settled.wonFrom(userId, other)]
      taken += part
      if (won > allowance) excess += won - allowance
      expect(won <= part + part / 10n).toBe(true)
    }
    const off = taken - settled.wonBy(userId)
    expect(off < 200n && off > -200n).toBe(true)
    expect(settled.findExcess(allowance).get(userId) ?? 0n).toBe(excess)
    const counted = new Decimal(standing).sub(score).mul(1e9).toFixed()
    expect(counted).toBe(String(everyoneRanks ? 0n : excess))
  }
}
