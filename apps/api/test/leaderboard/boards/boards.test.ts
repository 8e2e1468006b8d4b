import { Decimal, solText } from '@papermoon/amm'
import type { TokenId, UserId } from '@papermoon/engine'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { computeBoards } from '../../../src/features/leaderboard/boards/compute-boards.ts'
import { rankWinners } from '../../../src/features/leaderboard/ranking/best-flows.ts'
import { anyActions, play, shareTurnedMarket } from '../../support/turned-market.ts'

const HOUR_MS = 3_600_000
/** The part of a buy's SOL that goes into the pool; the rest is the fee. */
const KEPT = '0.997'

const market = await shareTurnedMarket()
let [creator, first, second, third]: UserId[] = []
const boards = () => computeBoards(market.db)
beforeEach(async () => {
  // Hide the accounts and tokens of earlier tests: bots and hidden tokens are on no board.
  await market.db.updateTable('users').set({ kind: 'bot' }).execute()
  await market.db.updateTable('tokens').set({ hidden_at: market.clock.now() }).execute()
  ;[creator, first, second, third] = await Promise.all(Array.from({ length: 4 }, () => market.addPlayer()))
})

const id = (player: UserId | undefined): UserId => player as UserId
const kept = (sol: string) => new Decimal(sol).mul(KEPT)

describe('the all-time board', () => {
  it('counts the profit without the part that the largest payer paid', async () => {
    const tokenId = await market.launch(id(creator), '5')
    await market.buy(id(first), tokenId, '30')
    await market.buy(id(second), tokenId, '10')
    const gained = (await market.sellAll(id(creator), tokenId)).sub(5)
    const { allTime } = await boards()
    const counted = gained.mul(kept('10')).div(kept('40')).toDecimalPlaces(9, Decimal.ROUND_DOWN)
    expect(allTime).toEqual([{ userId: creator, profit: counted, trades: 2 }])
  })

  it('also counts profits older than six hours, and subtracts every loss', async () => {
    const tokenId = await market.launch(id(creator), '5')
    await market.buy(id(first), tokenId, '10')
    await market.buy(id(second), tokenId, '10')
    await market.sellAll(id(creator), tokenId)
    const before = (await boards()).allTime[0]?.profit ?? new Decimal(0)
    market.passTime(48 * HOUR_MS)
    expect((await boards()).allTime[0]?.profit).toEqual(before)
    const lost = await market.launch(id(third))
    await market.buy(id(creator), lost, '1')
    await market.rug(id(third), lost)
    expect((await boards()).allTime[0]?.profit).toEqual(before.sub(1))
  })

  it('ranks neither proceeds of a rug pull nor unsold tokens that rose', async () => {
    const tokenId = await market.launch(id(creator), '1')
    const risen = await market.launch(id(creator), '1')
    for (const player of [first, second, third]) {
      await market.buy(id(player), tokenId, '10')
      await market.buy(id(player), risen, '10')
    }
    await market.rug(id(creator), tokenId)
    expect((await boards()).allTime).toEqual([])
  })

  it('ranks neither bots, former bots nor deleted accounts', async () => {
    const tokenId = await market.launch(id(creator), '5')
    await market.buy(id(first), tokenId, '10')
    await market.buy(id(second), tokenId, '10')
    await market.sellAll(id(creator), tokenId)
    const set = (values: object) => market.db.updateTable('users').set(values).where('id', '=', id(creator)).execute()
    const listed = async () => (await boards()).allTime.length
    expect(await listed()).toBe(1)
    await set({ deleted_at: market.clock.now() })
    expect(await listed()).toBe(0)
    await set({ deleted_at: null, kind: 'house' })
    expect(await listed()).toBe(0)
    await set({ kind: 'player' })
    expect(await listed()).toBe(1)
    const span = { user_id: id(creator), since: new Date(0), until: new Date(1_000) }
    await market.db.insertInto('bot_spans').values(span).execute()
    expect(await listed()).toBe(0)
  })
})

describe('the creators’ board', () => {
  it('counts the SOL of others in open pools, except the largest backer’s and the creator’s own', async () => {
    const tokenId = await market.launch(id(creator), '7')
    await market.buy(id(first), tokenId, '3')
    await market.buy(id(second), tokenId, '2')
    const other = await market.launch(id(creator))
    await market.buy(id(second), other, '4')
    await market.buy(id(third), other, '1')
    const { creators } = await boards()
    // The second player put in the most, 6 of 10, which does not count.
    expect(creators).toEqual([{ userId: creator, backing: kept('4'), backers: 3, launched: 2, rugged: 0 }])
  })

  it('does not count SOL that others took out again, or a rugged token', async () => {
    const tokenId = await market.launch(id(creator))
    for (const player of [first, second, third]) await market.buy(id(player), tokenId, '2')
    await market.sellAll(id(first), tokenId)
    const [backed] = (await boards()).creators
    expect(backed?.backers).toBe(2)
    expect(backed?.backing.lte(kept('2'))).toBe(true)
    await market.rug(id(creator), tokenId)
    expect((await boards()).creators).toEqual([])
  })

  it('does not count SOL that the creator took out of the pool by selling', async () => {
    const tokenId = await market.launch(id(creator), '10')
    for (const player of [first, second, third]) await market.buy(id(player), tokenId, '10')
    await market.sellAll(id(creator), tokenId)
    const pool = await market.db
      .selectFrom('pools')
      .selectAll()
      .where('token_id', '=', tokenId)
      .executeTakeFirstOrThrow()
    const left = new Decimal(pool.sol_reserve).sub(pool.virtual_sol)
    expect((await boards()).creators[0]?.backing).toEqual(left.sub(kept('10')))
  })

  it('leaves out hidden tokens', async () => {
    const tokenId = await market.launch(id(creator))
    for (const player of [first, second]) await market.buy(id(player), tokenId, '2')
    expect((await boards()).creators).toHaveLength(1)
    await market.db.updateTable('tokens').set({ hidden_at: market.clock.now() }).where('id', '=', tokenId).execute()
    expect((await boards()).creators).toEqual([])
  })
})

describe('the rug board', () => {
  it('shows what was taken from all but the largest payer, and how many held the token', async () => {
    const tokenId = await market.launch(id(creator), '5')
    await market.buy(id(first), tokenId, '9')
    await market.buy(id(second), tokenId, '3')
    await market.buy(id(third), tokenId, '2')
    await market.rug(id(creator), tokenId)
    expect((await boards()).rugs).toEqual([{ tokenId, taken: kept('5'), holders: 3 }])
  })

  it('leaves out hidden tokens and creators who are bots', async () => {
    const tokenId = await market.launch(id(creator))
    for (const player of [first, second]) await market.buy(id(player), tokenId, '2')
    await market.rug(id(creator), tokenId)
    expect((await boards()).rugs).toHaveLength(1)
    await market.db.updateTable('users').set({ kind: 'bot' }).where('id', '=', id(creator)).execute()
    expect((await boards()).rugs).toEqual([])
    await market.db.updateTable('users').set({ kind: 'player' }).where('id', '=', id(creator)).execute()
    await market.db.updateTable('tokens').set({ hidden_at: market.clock.now() }).where('id', '=', tokenId).execute()
    expect((await boards()).rugs).toEqual([])
  })
})

describe('two accounts of one player', () => {
  it('are on no board by trading with each other, for any trades', async () => {
    let traded = 0
    await fc.assert(
      fc.asyncProperty(anyActions, async (actions) => {
        const pair = await Promise.all([market.addPlayer(), market.addPlayer()])
        await play(market, pair, actions)
        traded += actions.length
        const { allTime, creators, rugs } = await boards()
        expect([...allTime, ...creators].filter(({ userId }) => pair.includes(userId))).toEqual([])
        expect(rugs).toEqual([])
      }),
      { numRuns: 7 },
    )
    expect(traded).toBeGreaterThan(100)
  })

  it('show at most what strangers paid, however much the second account pays', async () => {
    const [own, puppet, stranger] = [id(creator), await market.addPlayer('1000'), id(first)]
    const made: TokenId[] = []
    for (const action of ['win', 'hold', 'rug'] as const) {
      const tokenId = await market.launch(own, '1')
      made.push(tokenId)
      await market.buy(stranger, tokenId, '2')
      await market.buy(puppet, tokenId, '90')
      if (action === 'win') await market.sellAll(own, tokenId)
      if (action === 'rug') await market.rug(own, tokenId)
    }
    const { allTime, creators, rugs } = await boards()
    const [shown] = await rankWinners(market.db, { since: new Date(0), until: null }, { most: 1, who: 'people' })
    const strangers = kept('2')
    expect(shown?.profit.gt(2)).toBe(true)
    for (const figure of [
      allTime.find(({ userId }) => userId === own)?.profit,
      rugs.find(({ tokenId }) => tokenId === made[2])?.taken,
    ]) {
      expect(figure === undefined || figure.lte(strangers)).toBe(true)
    }
    // Two pools are open, with two SOL of the stranger in each.
    const backing = creators.find(({ userId }) => userId === own)?.backing ?? new Decimal(0)
    expect(backing.lte(strangers.mul(2))).toBe(true)
  })
})

it('the all-time board never exceeds the profit by the leaderboard’s rules, and contains the winner', async () => {
  let compared = 0
  await fc.assert(
    fc.asyncProperty(anyActions, async (actions) => {
      const players = await Promise.all(Array.from({ length: 4 }, () => market.addPlayer()))
      await play(market, players, actions)
      const winner = await market.addPlayer()
      const tokenId = await market.launch(winner, '5')
      for (const payer of [await market.addPlayer(), await market.addPlayer()]) await market.buy(payer, tokenId, '3')
      await market.sellAll(winner, tokenId)
      const { allTime } = await boards()
      const all = await rankWinners(market.db, { since: new Date(0), until: null }, { most: 1_000, who: 'people' })
      const profits = new Map(all.map(({ userId, profit }) => [userId, profit]))
      for (const place of allTime) {
        const profit = profits.get(place.userId) ?? new Decimal(0)
        expect(place.profit.lte(profit), `${solText(place.profit)} of ${solText(profit)}`).toBe(true)
        compared++
      }
      expect(allTime.map(({ userId }) => userId)).toContain(winner)
      // The board has 20 places, so remove the accounts of earlier runs.
      await market.db.updateTable('users').set({ deleted_at: market.clock.now() }).execute()
    }),
    { numRuns: 6 },
  )
  expect(compared).toBeGreaterThanOrEqual(6)
})
