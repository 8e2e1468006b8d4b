import type { TokenId, UserId } from '@papermoon/engine'
import { type RawBuilder, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runAudit } from '../../src/features/audit/run-audit.ts'
import { settleFair } from '../../src/features/fairs/settle.ts'
import { createFairMarket, type FairMarket } from '../support/fair-market.ts'

let market: FairMarket
let fairId: number
let players: UserId[]
let tokenId: TokenId
beforeEach(async () => {
  market = await createFairMarket()
  fairId = await market.openFair()
  players = [await market.addEntrant(fairId), await market.addEntrant(fairId)]
  const [one, other] = players as [UserId, UserId]
  tokenId = await market.launch(fairId, one, '30')
  const { position } = await market.buy(other, tokenId, '50')
  await market.sell(other, tokenId, position.amount)
  const rugged = await market.launch(fairId, other)
  await market.buy(one, rugged, '5')
  await market.rug(other, rugged)
  // One of the players is also in another fair, with a separate balance.
  const another = await market.openFair({ stake: '7' })
  await market.enter(another, one)
  await market.launch(another, one, '2')
})
afterEach(() => market.close())

const audit = () => runAudit(market.database)
const tamper = (statement: RawBuilder<unknown>) => statement.execute(market.fairs)

async function settle(id = fairId): Promise<void> {
  await tamper(sql`update fairs set bell_at = clock_timestamp() where id = ${id}`)
  await settleFair(market.fairs, id)
}

describe('an audit of fairs', () => {
  it('finds no differences in a running and in a settled fair', async () => {
    expect(await audit()).toMatchObject({ fairs: 2, differences: 0, shown: [] })
    await settle()
    expect(await market.fairs.selectFrom('fair_results').selectAll().execute()).toHaveLength(2)
    // Results do not change when a player is suspended after the end.
    await tamper(sql`update users set standing = 'suspended' where id = ${players[0]}`)
    expect(await audit()).toMatchObject({ fairs: 2, differences: 0, shown: [] })
  })

  it.each([
    ['counts all losses of house bots', { limitsBots: false, score: '122.911', other: '109.98' }],
    ['began before all losses of house bots counted', { limitsBots: true, score: '109.98', other: '122.911' }],
  ])('recomputes the results of a fair that %s', async (_, { limitsBots, score, other }) => {
    const id = await market.openFair({ limitsBots })
    const [winner, bot] = [await market.addEntrant(id), await market.addEntrant(id, { kind: 'house' })]
    const token = await market.launch(id, winner)
    await market.buy(bot, token, '23')
    await market.rug(winner, token)
    await settle(id)
    const [result] = await market.fairs.selectFrom('fair_results').selectAll().where('user_id', '=', winner).execute()
    expect(Number(result?.score)).toBe(Number(score))
    const findInFairs = async () => (await audit()).shown.filter((line) => line.startsWith('fair '))
    expect(await findInFairs()).toEqual([])
    await tamper(sql`update fairs set limits_bots = not limits_bots where id = ${id}`)
    expect(await findInFairs()).toEqual([`fair ${id}, rank 2: score is ${score}, but should be ${other}`])
  })

  it('records the differences of a fair but none of its figures, since it may be a room', async () => {
    await tamper(sql`update trades set sol_amount = sol_amount + 1 where token_id = ${tokenId} and seq = 2`)
    expect((await audit()).differences).toBeGreaterThan(0)
    const [record] = await market.database.db.selectFrom('audits').selectAll().execute()
    expect(record).toMatchObject({ trades: 0, tokens: 0, last_trade_id: null })
    expect(record?.differences).toBeGreaterThan(0)
  })

  it('names the account of the fair that has too much, and the fair whose sum is wrong', async () => {
    const [, other = 0] = players
    await tamper(
      sql`update accounts set sol_balance = sol_balance + 1 where fair_id = ${fairId} and user_id = ${other}`,
    )
    const { shown } = await audit()
    expect(shown.some((line) => line.startsWith(`fair ${fairId}, player ${other} (`))).toBe(true)
    expect(shown.some((line) => line.startsWith(`fair ${fairId}: sum of all scores and rounding remainders is`))).toBe(
      true,
    )
    expect(shown.some((line) => line.startsWith('the market: sum of balances'))).toBe(true)
  })

  it.each([
    ['standing', sql`update fair_results set standing = standing + 1 where place = 2`],
    ['score', sql`update fair_results set score = score - 0.000000001 where place = 2`],
    ['number of trades', sql`update fair_results set trades = trades + 1 where place = 2`],
  ])('finds a result whose %s was changed', async (figure, change) => {
    await settle()
    await tamper(change)
    const { shown, differences } = await audit()
    expect(differences).toBe(1)
    expect(shown[0]).toContain(`fair ${fairId}, rank 2: ${figure} is`)
  })

  it('finds results that are missing or in another order', async () => {
    await settle()
    await tamper(sql`update fair_results set place = 3 - place where fair_id = ${fairId}`)
    expect((await audit()).shown[0]).toContain('rank 2: this rank should be above rank 1')
    await tamper(sql`delete from fair_results where fair_id = ${fairId}`)
    expect((await audit()).shown).toEqual([`fair ${fairId}: there are 0 results, but there should be 2`])
  })

  it('finds a holding of a fair that no trade explains', async () => {
    await tamper(sql`update holdings set amount = amount + 1 where token_id = ${tokenId} and amount > 0`)
    expect((await audit()).shown.join('\n')).toContain(`token ${tokenId} (MOON), holding of player`)
  })
})
