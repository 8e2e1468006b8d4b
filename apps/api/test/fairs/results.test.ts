import { Decimal } from '@papermoon/amm'
import type { FairRanking } from '@papermoon/contract/fairs'
import type { TokenId, UserId } from '@papermoon/engine'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endFair } from '../../src/features/fairs/open-fair.ts'
import { toLive, toPage } from '../../src/features/fairs/ranking.ts'
import { computeResults, createLedgers, type Standings } from '../../src/features/fairs/results.ts'
import { awardMedals, findSeated } from '../../src/features/fairs/settle.ts'
import { createFairMarket, FAIR_STARTS_AT, type FairMarket } from '../support/fair-market.ts'
import { type FairOrder, type FairRules, HOUSE, PLAYERS, RandomFair, someSteps } from '../support/random-fair.ts'

/** The cached computations of earlier calls, as on a server. */
const ledgers = createLedgers()
let market: FairMarket
beforeAll(async () => {
  market = await createFairMarket()
})
afterAll(() => market.close())

const at = (minute: number) => new Date(FAIR_STARTS_AT.getTime() + minute * 60_000)
const rowOf = ({ entrants }: Standings, userId: UserId) => {
  const row = entrants.find((entrant) => entrant.userId === userId)
  if (row === undefined) throw new Error(`player ${userId} has no standing`)
  return row
}

describe('the standings of a fair', () => {
  it('are balance plus pool share: three buyers of 10 SOL', async () => {
    const fairId = await market.openFair()
    const players = [await market.addEntrant(fairId), await market.addEntrant(fairId), await market.addEntrant(fairId)]
    const creator = await market.addEntrant(fairId)
    const tokenId = await market.launch(fairId, creator)
    for (const player of players) await market.buy(player, tokenId, '10')
    const standings = await computeResults(market.fairs, fairId, ledgers)
    expect(players.map((player) => rowOf(standings, player).standing.slice(0, 6))).toEqual([
      '104.94',
      '98.977',
      '95.989',
    ])
    expect(rowOf(standings, creator).standing).toBe('99.98')
    expect(standings.sum).toMatchObject({ stakes: '400', fees: '0.11' })
  })

  it('rank players who stayed and traded the stake before the last third', async () => {
    const fairId = await market.openFair({ stake: '10' })
    const [early, late, little, left] = [
      await market.addEntrant(fairId, { kind: 'bot' }),
      await market.addEntrant(fairId),
      await market.addEntrant(fairId),
      await market.addEntrant(fairId),
    ]
    market.clock.at = at(1)
    const tokenId = await market.launch(fairId, early, '9.9')
    await market.sell(early, tokenId, '1000')
    await market.buy(little, tokenId, '9')
    const { position } = await market.buy(left, tokenId, '9')
    await market.sell(left, tokenId, position.amount)
    expect(rowOf(await computeResults(market.fairs, fairId, ledgers), early).isRanked).toBe(false)
    market.clock.at = new Date(at(10).getTime() - 1)
    await market.buy(early, tokenId, '0.07')
    await market.sell(early, tokenId, '1000000')
    market.clock.at = at(10)
    await market.buy(late, tokenId, '9.9')
    await market.sell(late, tokenId, '1000000')
    expect(rowOf(await computeResults(market.fairs, fairId, ledgers), left).isRanked).toBe(true)
    await market.leave(fairId, left)
    const standings = await computeResults(market.fairs, fairId, ledgers)
    expect(standings.entrants.map(({ userId, isRanked }) => [userId, isRanked]).slice(0, 1)).toEqual([[early, true]])
    expect(rowOf(standings, early)).toMatchObject({ isBot: true, isRanked: true, trades: 4 })
    for (const player of [late, little])
      expect(rowOf(standings, player)).toMatchObject({ isRanked: false, hasLeft: false })
    expect(rowOf(standings, left)).toMatchObject({ isRanked: false, hasLeft: true, trades: 2 })
    market.clock.at = FAIR_STARTS_AT
  })

  it.each([
    ['all that a house bot lost', { limitsBots: false, kind: 'house', score: '122.911' }],
    ['a tenth of the stake of what another player lost', { limitsBots: false, kind: 'player', score: '109.98' }],
    ['a tenth of the stake of what a declared bot lost', { limitsBots: false, kind: 'bot', score: '109.98' }],
    [
      'a tenth of a house bot’s losses, too, by the rule of old fairs',
      { limitsBots: true, kind: 'house', score: '109.98' },
    ],
  ] as const)('count %s: 23 SOL, without fees', async (_, { limitsBots, kind, score }) => {
    const fairId = await market.openFair({ limitsBots })
    const [winner, loser] = [await market.addEntrant(fairId), await market.addEntrant(fairId, { kind })]
    const tokenId = await market.launch(fairId, winner)
    await market.buy(loser, tokenId, '23')
    await market.rug(winner, tokenId)
    const limitedBy = score === '109.98' ? loser : null
    const row = rowOf(await computeResults(market.fairs, fairId, ledgers), winner)
    expect(row).toMatchObject({ standing: '122.911', score, limitedBy })
  })

  it('rank by the planned end, so an early end takes nobody’s rank or medal', async () => {
    const startsAt = new Date(Date.now() - 5 * 60_000)
    const fairId = await market.openFair({ stake: '10', startsAt })
    const enteredAt = new Date(startsAt.getTime() + 4 * 60_000)
    const players = [1, 2, 3, 4].map(() => market.addEntrant(fairId, { enteredAt }))
    const [creator, ...others] = (await Promise.all(players)) as [UserId, ...UserId[]]
    market.clock.at = enteredAt
    const tokenId = await market.launch(fairId, creator, '9')
    await market.sell(creator, tokenId, '100000000')
    for (const player of others) {
      const { position } = await market.buy(player, tokenId, '9')
      await market.sell(player, tokenId, position.amount)
    }
    const live = await computeResults(market.fairs, fairId, ledgers)
    expect(live.entrants.map(({ isRanked }) => isRanked)).toEqual([true, true, true, true])
    await market.database.db.transaction().execute((tx) => endFair(tx, fairId))
    const ended = await computeResults(market.fairs, fairId, ledgers)
    expect(ended).toEqual(live)
    expect(awardMedals('arena', await findSeated(market.fairs, fairId, ended.entrants)).size).toBe(3)
    market.clock.at = FAIR_STARTS_AT
  })

  it('ignore other fairs, and fail for a fair that does not exist', async () => {
    const [fairId, another] = [await market.openFair(), await market.openFair()]
    const player = await market.addEntrant(fairId)
    await market.enter(another, player)
    await market.launch(another, player, '50')
    expect(await computeResults(market.fairs, fairId, ledgers)).toMatchObject({
      entrants: [{ userId: player, standing: '100', score: '100', trades: 0 }],
      sum: { stakes: '100', fees: '0', standings: '100', dust: '0' },
    })
    await expect(computeResults(market.fairs, 999)).rejects.toThrow('there is no fair 999')
  })

  it('equal those computed in memory after each order of a random fair, also within the caller’s transaction', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ everyoneRanks: fc.boolean(), limitsBots: fc.boolean() }),
        someSteps(),
        async (rules, steps) => {
          const fairId = await market.openFair({ stake: '10', ...rules })
          const users: UserId[] = []
          for (let index = 0; index < PLAYERS; index++)
            users.push(await market.addUser({ kind: index === HOUSE ? 'house' : 'player' }))
          const fair = new RandomFair({ ...rules, stake: '10' }, users)
          const tokens: TokenId[] = []
          for (const order of fair.play(steps)) {
            market.clock.at = new Date(FAIR_STARTS_AT.getTime() + fair.ms)
            await place({ fairId, userId: users[order.player] as UserId, tokens }, order)
            expect(toComparable(await computeResults(market.fairs, fairId, ledgers))).toEqual(toComparable(fair.rank()))
          }
          const fromNothing = await market.fairs.transaction().execute((tx) => computeResults(tx, fairId))
          expect(fromNothing).toEqual(await computeResults(market.fairs, fairId, ledgers))
        },
      ),
      { numRuns: 5 },
    )
    market.clock.at = FAIR_STARTS_AT
  })
})

interface Placed {
  readonly fairId: number
  readonly userId: UserId
  readonly tokens: TokenId[]
}

/** Places an order in the database, like `RandomFair` in memory. */
async function place({ fairId, userId, tokens }: Placed, { kind, token, amount }: FairOrder): Promise<void> {
  const tokenId = tokens[token] as TokenId
  if (kind === 'enter') await market.enter(fairId, userId)
  else if (kind === 'leave') await market.leave(fairId, userId)
  else if (kind === 'launch') tokens.push(await market.launch(fairId, userId))
  else if (kind === 'rug') await market.rug(userId, tokenId)
  else await market[kind](userId, tokenId, amount.toFixed())
}

/** Removes the usernames, which differ, and the trailing zeros of the database's numbers. */
const toComparable = ({ entrants, ...rest }: Standings) => ({
  ...rest,
  entrants: entrants.map(({ username: _, qualifying, ...row }) => ({ ...row, qualifying: Number(qualifying) })),
})

const aStake = fc.constantFrom('1', '100', '10000')

it('a ranking is ordered by the shown scores at every moment of random fairs', () => {
  let [moments, spared] = [0, 0]
  const someRules = fc.record({ everyoneRanks: fc.boolean(), limitsBots: fc.boolean(), stake: aStake })
  fc.assert(
    fc.property(someRules, someSteps(), (rules, steps) => {
      const fair = new RandomFair(rules)
      for (const _ of fair.play(steps)) {
        moments++
        checkRanking(fair.rank())
      }
      spared += checkLedger(fair, rules)
    }),
    { numRuns: 150 },
  )
  expect(moments).toBeGreaterThan(1_000)
  expect(spared).toBeGreaterThan(0)
})

it('in a ranking, two accounts cannot exceed 110 % of the stake plus what strangers who only buy paid', () => {
  const before = someSteps(fc.constantFrom(2, 3, HOUSE), { enter: 1, launch: 1, buy: 4 }, 3)
  const steps = someSteps(fc.constantFrom(0, 1), { launch: 2, buy: 9, sell: 9, rug: 1, gift: 6 })
  fc.assert(
    fc.property(aStake, fc.option(before, { nil: [] }), steps, (stake, first, then) => {
      const fair = new RandomFair({ everyoneRanks: false, limitsBots: false, stake })
      let most = new Decimal(stake).mul('1.1').add('0.00000001')
      for (const { kind, player, amount } of fair.play([...first, ...then]))
        if (kind === 'buy' && player > 1) most = most.add(amount)
      for (const { userId, score } of fair.rank().entrants) if (userId <= 2) expect(most.gte(score)).toBe(true)
    }),
    { numRuns: 500 },
  )
})

/** Checks a page of `fairs.ranking`: the sums are exact, the rows are in order, and `mine` is the own row. */
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

/** Returns whether ranked players come first, each group is ordered by its scores, and equal scores share a rank. */
function isInOrder(rows: FairRanking['entrants']): boolean {
  return rows.every(({ place, score, isRanked }, index) => {
    const above = rows[index - 1] ?? { place: 0, isRanked: true, score }
    const isTied = index > 0 && above.isRanked === isRanked && above.score === score
    return (
      place === (isTied ? above.place : index + 1) &&
      (above.isRanked === isRanked ? new Decimal(above.score).gte(score) : above.isRanked)
    )
  })
}

/**
 * Checks that one player's wins without fees equal the others' losses, and that scores leave out large gifts of single
 * players. Returns the number of large gifts of the house bot that count.
 */
function checkLedger(fair: RandomFair, { everyoneRanks, stake }: FairRules): number {
  let spared = 0
  const settled = fair.ledger.settle()
  const { entrants } = fair.rank()
  const allowance = BigInt(stake) * 100_000_000n
  for (const { userId, standing, score } of entrants) {
    let [taken, excess, most] = [0n, 0n, 0n]
    const found = settled.findExcess(allowance, fair.exempt).get(userId)
    for (const { userId: other } of entrants) {
      if (other === userId) continue
      const [part, won] = [settled.takenFrom(userId, other), settled.wonFrom(userId, other)]
      taken += part
      if (won > allowance && fair.exempt.includes(other)) spared++
      else if (won > allowance) {
        excess += won - allowance
        if (won > most) most = won
      }
      expect(won <= part + part / 10n).toBe(true)
    }
    const off = taken - settled.wonBy(userId)
    expect(off < 200n && off > -200n).toBe(true)
    expect(found?.sol ?? 0n).toBe(excess)
    if (found !== undefined) expect(settled.wonFrom(userId, found.from)).toBe(most)
    const counted = new Decimal(standing).sub(score).mul(1e9).toFixed()
    expect(counted).toBe(String(everyoneRanks ? 0n : excess))
  }
  return spared
}
