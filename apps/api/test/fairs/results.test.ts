import { Decimal } from '@papermoon/amm'
import { DomainError, type TokenId, type UserId } from '@papermoon/engine'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { followTrades } from '../../src/features/fairs/follow-trades.ts'
import { FairLedger } from '../../src/features/fairs/ledger.ts'
import { endFair } from '../../src/features/fairs/open-fair.ts'
import { computeResults, createLedgers, type Standings } from '../../src/features/fairs/results.ts'
import { awardMedals, findSeated } from '../../src/features/fairs/settle.ts'
import { createFairMarket, FAIR_STARTS_AT, type FairMarket } from '../support/fair-market.ts'

/** The ledgers of earlier computations, as a server stores them. */
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
  it('are balance and pool share: three buyers of 10 SOL', async () => {
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

  it('give nothing for what one does alone, but take the fees', async () => {
    const fairId = await market.openFair()
    const alone = await market.addEntrant(fairId)
    const tokenId = await market.launch(fairId, alone, '40')
    const standings = await computeResults(market.fairs, fairId, ledgers)
    expect(rowOf(standings, alone)).toMatchObject({ standing: '99.86', score: '99.86' })
    expect(await computeResults(market.fairs, fairId, ledgers)).toEqual(standings)
    const { position } = await market.buy(alone, tokenId, '10')
    await market.sell(alone, tokenId, position.amount)
    const after = await computeResults(market.fairs, fairId, ledgers)
    expect(new Decimal(rowOf(after, alone).standing).lt('99.86')).toBe(true)
    expect(after.sum.standings).toBe(rowOf(after, alone).standing)
  })

  it('rank house bots from their first trade on', async () => {
    const fairId = await market.openFair()
    const [idle, busy] = [
      await market.addEntrant(fairId, { kind: 'house' }),
      await market.addEntrant(fairId, { kind: 'house' }),
    ]
    const player = await market.addEntrant(fairId)
    const tokenId = await market.launch(fairId, player, '1')
    await market.buy(busy, tokenId, '1')
    const { entrants } = await computeResults(market.fairs, fairId, ledgers)
    expect(entrants.filter(({ isRanked }) => isRanked).map(({ userId }) => userId)).toEqual([busy])
    expect(entrants.map(({ userId }) => userId)).toContain(idle)
  })

  it('rank who traded the stake before the last third and stayed', async () => {
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

  it('rank by the planned end: an early one takes nobody’s rank or medal', async () => {
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

  it('count a tenth of the stake of what a second account loses to the first', async () => {
    const fairId = await market.openFair()
    const [first, second, stranger] = [
      await market.addEntrant(fairId),
      await market.addEntrant(fairId),
      await market.addEntrant(fairId),
    ]
    const tokenId = await market.launch(fairId, stranger, '90')
    for (let round = 0; round < 3; round++) {
      const bought = await market.buy(first, tokenId, '50')
      const paid = await market.buy(
        second,
        tokenId,
        new Decimal((await rowOfAccount(fairId, second)).sol_balance).toFixed(),
      )
      await market.sell(first, tokenId, bought.position.amount)
      await market.sell(second, tokenId, paid.position.amount)
    }
    const standings = await computeResults(market.fairs, fairId, ledgers)
    const { standing, score } = rowOf(standings, first)
    expect(new Decimal(standing).gt(150)).toBe(true)
    expect(new Decimal(score).lte(110)).toBe(true)
    expect(new Decimal(score).gt(105)).toBe(true)
    // Who lost loses nothing more, and the stranger gave and got nothing.
    for (const player of [second, stranger])
      expect(rowOf(standings, player).score).toBe(rowOf(standings, player).standing)
  })

  it('rank by the score, which one player’s losses raise by a tenth of the stake at most', async () => {
    const fairId = await market.openFair()
    const players = await Promise.all(Array.from({ length: 7 }, () => market.addEntrant(fairId)))
    const [gifted, giver, winner, stranger, ...losers] = players as [UserId, UserId, UserId, UserId, ...UserId[]]
    const tokenId = await market.launch(fairId, stranger, '90')
    const lose = async (to: UserId, from: UserId, amount: string) => {
      const bought = await market.buy(to, tokenId, amount)
      const paid = await market.buy(from, tokenId, amount)
      await market.sell(to, tokenId, bought.position.amount)
      await market.sell(from, tokenId, paid.position.amount)
    }
    for (const loser of losers) await lose(winner, loser, '34')
    await lose(gifted, giver, '90')
    const standings = await computeResults(market.fairs, fairId, ledgers)
    const [one, other] = [rowOf(standings, winner), rowOf(standings, gifted)]
    expect([one.isRanked, other.isRanked]).toEqual([true, true])
    expect(new Decimal(other.standing).gt(one.standing)).toBe(true)
    const ranked = standings.entrants.map(({ userId }) => userId)
    expect(ranked.indexOf(winner)).toBeLessThan(ranked.indexOf(gifted))
  })

  it('rank everyone in a room, whatever one player lost to another and whoever did not trade', async () => {
    const fairId = await market.openFair({ kind: 'room', everyoneRanks: true })
    const [first, second, idle, left] = [
      await market.addEntrant(fairId),
      await market.addEntrant(fairId),
      await market.addEntrant(fairId),
      await market.addEntrant(fairId),
    ]
    const tokenId = await market.launch(fairId, idle)
    const bought = await market.buy(first, tokenId, '50')
    await market.buy(second, tokenId, '90')
    await market.sell(first, tokenId, bought.position.amount)
    await market.leave(fairId, left)
    const { entrants, qualifying } = await computeResults(market.fairs, fairId, ledgers)
    expect(entrants.map(({ userId, isRanked }) => [userId, isRanked])).toEqual([
      [first, true],
      [idle, true],
      [second, true],
      [left, false],
    ])
    for (const { score, standing } of entrants) expect(score).toBe(standing)
    expect(qualifying).toBeNull()
  })

  it('say how much of the stake was traded, and until when it counts', async () => {
    const fairId = await market.openFair({ stake: '10' })
    const player = await market.addEntrant(fairId)
    const tokenId = await market.launch(fairId, player, '4')
    await market.buy(player, tokenId, '2.5')
    const standings = await computeResults(market.fairs, fairId, ledgers)
    expect(standings.qualifying).toEqual({ needed: '10.000000000', until: at(10) })
    expect(rowOf(standings, player).qualifying).toBe('6.500000000')
  })

  it('are the same from a transaction of the caller’s, which starts from nothing', async () => {
    const fairId = await market.openFair()
    const [one, other] = [await market.addEntrant(fairId), await market.addEntrant(fairId)]
    const tokenId = await market.launch(fairId, one, '30')
    await computeResults(market.fairs, fairId, ledgers)
    await market.buy(other, tokenId, '60')
    const live = await computeResults(market.fairs, fairId, ledgers)
    expect(await market.fairs.transaction().execute((tx) => computeResults(tx, fairId))).toEqual(live)
    expect(new Decimal(rowOf(live, one).score).lt(rowOf(live, one).standing)).toBe(true)
  })

  it('know nothing of another fair, nor of one that does not exist', async () => {
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

  it('add up to the last digit after every order of a random evening', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(aStep, { minLength: 5, maxLength: 30 }), async (steps) => {
        const fairId = await market.openFair()
        const players = await Promise.all(Array.from({ length: 4 }, () => market.addEntrant(fairId)))
        const evening = {
          fairId,
          players,
          tokens: [] as { id: TokenId; creator: UserId }[],
          held: new Map<string, string>(),
        }
        for (const step of steps) {
          await play(evening, step)
          await checkSums(fairId, players)
        }
      }),
      { numRuns: 8 },
    )
  })
})

async function rowOfAccount(fairId: number, userId: UserId) {
  return await market.fairs
    .selectFrom('accounts')
    .selectAll()
    .where('fair_id', '=', fairId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
}

const aStep = fc.record({
  kind: fc.constantFrom(
    'launch',
    'buy',
    'buy',
    'buy',
    'buy',
    'sell',
    'sell',
    'sell',
    'sellAll',
    'sellAll',
    'rug',
    'leave',
  ),
  player: fc.nat(3),
  token: fc.nat(5),
  sol: fc.integer({ min: 1, max: 40_000_000_000 }),
  part: fc.integer({ min: 1, max: 999 }),
})

interface Evening {
  readonly fairId: number
  readonly players: readonly UserId[]
  readonly tokens: { id: TokenId; creator: UserId }[]
  readonly held: Map<string, string>
}

/** Orders that a rule refuses change nothing. */
async function play(evening: Evening, step: Step): Promise<void> {
  const { fairId, players, tokens, held } = evening
  const player = players[step.player] as UserId
  const sol = new Decimal(step.sol).div('1e9').toFixed()
  const token = tokens[step.token % Math.max(1, tokens.length)]
  try {
    if (step.kind === 'leave') return await market.leave(fairId, player)
    if (step.kind === 'launch' || token === undefined) {
      const id = await market.launch(fairId, player, sol)
      tokens.push({ id, creator: player })
      held.set(`${id} ${player}`, '0')
      return
    }
    if (step.kind === 'rug') return void (await market.rug(token.creator, token.id))
    const key = `${token.id} ${player}`
    if (step.kind === 'buy') held.set(key, (await market.buy(player, token.id, sol)).position.amount)
    else {
      const all = new Decimal(held.get(key) ?? 0)
      const tokensSold = step.kind === 'sellAll' ? all : all.mul(step.part).div(1_000).toDecimalPlaces(6)
      held.set(key, (await market.sell(player, token.id, tokensSold.toFixed())).position.amount)
    }
  } catch (error) {
    if (!(error instanceof DomainError) && !(error instanceof Error && error.name === 'NotPositiveError')) throw error
  }
}

interface Step {
  readonly kind: string
  readonly player: number
  readonly token: number
  readonly sol: number
  readonly part: number
}

async function checkSums(fairId: number, players: readonly UserId[]): Promise<void> {
  const { entrants, sum } = await computeResults(market.fairs, fairId, ledgers)
  const total = entrants.reduce((all, { standing }) => all.add(standing), new Decimal(0))
  expect(total.toFixed()).toBe(sum.standings)
  expect(new Decimal(sum.stakes).sub(sum.fees).toFixed()).toBe(total.add(sum.dust).toFixed())
  expect(new Decimal(sum.dust).gte(0)).toBe(true)
  for (const { score, standing } of entrants) expect(new Decimal(score).lte(standing)).toBe(true)
  // Rows are in the order of the number that players see: the ranked ones, then the others.
  for (const isRanked of [true, false]) {
    const scores = entrants.filter((row) => row.isRanked === isRanked).map(({ score }) => new Decimal(score))
    expect(scores).toEqual(scores.toSorted((a, b) => b.comparedTo(a)))
  }
  expect(entrants.map(({ isRanked }) => isRanked)).toEqual(
    entrants
      .map(({ isRanked }) => isRanked)
      .toSorted()
      .reverse(),
  )
  // Whatever one has won, fees aside, others have lost: to the last digit but what is rounded down.
  const ledger = new FairLedger()
  await followTrades(market.fairs, fairId, ledger)
  const settled = ledger.settle()
  for (const player of players) {
    const parts = players.filter((other) => other !== player).map((other) => settled.takenFrom(player, other))
    const off = parts.reduce((all, part) => all + part, 0n) - settled.wonBy(player)
    expect(off < 200n && off > -200n).toBe(true)
    for (const other of players) {
      if (other === player) continue
      const taken = settled.takenFrom(player, other)
      expect(settled.wonFrom(player, other) <= taken + taken / 10n).toBe(true)
    }
  }
  for (const allowance of [1n, 1_000_000_000n, 10_000_000_000n]) {
    const beyond = (player: number, other: number) => {
      const more = settled.wonFrom(player, other) - allowance
      return other === player || more < 0n ? 0n : more
    }
    const all = players.map((player) => players.reduce((more, other) => more + beyond(player, other), 0n))
    const excess = settled.findExcess(allowance)
    expect(players.map((player) => excess.get(player) ?? 0n)).toEqual(all)
  }
}
