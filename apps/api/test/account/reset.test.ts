import { cashOutValue, Decimal, parseTokens, type Sol, solText } from '@papermoon/amm'
import { balancedBooks, readBooks } from '@papermoon/engine/testing'
import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { errorsIn, shareTestServer, type Visitor } from '../support/test-server.ts'
import { waitForLocked } from '../support/wait.ts'

const DAY_MS = 24 * 3_600_000

const server = await shareTestServer({ hasJobs: false })
const rugger = await server.player('rugger')
afterEach(async () => {
  expect(await readBooks(server.database)).toEqual(balancedBooks(await sumGrants()))
  expect(errorsIn(server)).toEqual([])
})

const reset = (player: Visitor) => player.raw('POST', '/api/account/reset', '')
const getBalance = async (player: Visitor): Promise<string> => (await player.get('/api/auth/user')).json().solBalance
const buy = (player: Visitor, tokenId: number, solAmount: string) =>
  player.post('/api/tokens/buy', { tokenId, solAmount })

/** Makes the player lose this much SOL in another player's rug pull. */
async function lose(player: Visitor, sol: string): Promise<void> {
  const tokenId = await rugger.launch()
  expect((await buy(player, tokenId, sol)).statusCode).toBe(200)
  expect((await rugger.raw('POST', `/api/tokens/${tokenId}/rug`, '')).statusCode).toBe(200)
}

async function poorPlayer(username: string, lost = '95'): Promise<Visitor> {
  const player = await server.player(username)
  await lose(player, lost)
  return player
}

/** Returns the balance plus the cash-out value of all holdings, both from the API. */
async function getNetWorth(player: Visitor): Promise<Sol> {
  const { cashOutValue } = (await player.get('/api/portfolio/summary')).json()
  return new Decimal(await getBalance(player)).add(cashOutValue)
}

async function sumGrants(): Promise<string> {
  const { rows } = await sql<{ sum: string }>`select trim_scale(sum(amount))::text as sum from grants`.execute(
    server.db,
  )
  return rows[0]?.sum ?? ''
}

describe('an account reset', () => {
  it('tops up the net worth to 100 over REST and tRPC, and keeps holdings', async () => {
    const tokenId = await rugger.launch({ initialBuyAmount: '3' })
    const player = await poorPlayer('poor', '91.123456789')
    await buy(player, tokenId, '4')
    const held = (await player.get('/api/portfolio')).json()
    const before = await getNetWorth(player)
    const answer = await reset(player)
    expect(answer.json()).toEqual({
      granted: solText(new Decimal(100).sub(before)),
      balance: await getBalance(player),
      netWorth: '100',
    })
    expect((await getNetWorth(player)).toString()).toBe('100')
    expect((await player.get('/api/portfolio')).json()).toEqual(held)
    const other = await poorPlayer('other')
    expect((await other.mutate('account.reset')).json().result.data.json).toEqual({
      granted: '95',
      balance: '100',
      netWorth: '100',
    })
  })

  it('fails with enough net worth, and the message contains the net worth', async () => {
    const player = await server.player('rich')
    const fresh = await reset(player)
    expect([fresh.statusCode, fresh.body]).toEqual([
      422,
      'Your net worth is 100 SOL. You can reset your account when your net worth is below 10 SOL.',
    ])
    await lose(player, '90')
    expect((await reset(player)).statusCode).toBe(422)
    await lose(player, '0.00000001')
    expect((await reset(player)).statusCode).toBe(200)
  })

  it('counts the SOL of others in the player’s own open pool until the token is rugged', async () => {
    const player = await server.player()
    const tokenId = await player.launch()
    await lose(player, '95')
    await buy(await server.player(), tokenId, '50')
    const refused = await reset(player)
    expect([refused.statusCode, refused.body]).toEqual([422, expect.stringContaining('54.83 SOL')])
    await player.raw('POST', `/api/tokens/${tokenId}/rug`, '')
    await lose(player, '50')
    expect((await reset(player)).json()).toMatchObject({ granted: '95.17', balance: '100' })
  })

  it('counts the SOL of others in a pool with a temporary seal, although the shown net worth does not', async () => {
    const player = await server.player()
    const tokenId = await player.launch({ seal: { term: 'hour' } })
    await lose(player, '95')
    const believer = await server.player()
    const { trade } = (await buy(believer, tokenId, '50')).json()
    const refused = await reset(player)
    expect(refused.body).toBe(
      'Your net worth is 54.83 SOL, including the SOL in your sealed pools. You can reset your account when your net worth is below 10 SOL.',
    )
    expect((await getNetWorth(player)).toFixed()).toBe('4.98')
    const half = new Decimal(trade.tokenAmount).mul('0.97').toDecimalPlaces(6)
    await believer.post('/api/tokens/sell', { tokenId, tokenAmount: half.toFixed() })
    const worth = (await reset(player)).json()
    expect(Number(worth.netWorth)).toBeLessThan(99.9)
    expect(worth.netWorth).toBe((await getNetWorth(player)).toFixed())
  })

  it('ignores pools that are sealed for ever', async () => {
    const player = await server.player()
    const tokenId = await player.launch({ seal: { term: 'ever' } })
    await lose(player, '95')
    await buy(await server.player(), tokenId, '50')
    expect((await reset(player)).json()).toEqual({ granted: '95.02', balance: '100', netWorth: '100' })
  })

  it('is allowed once in 24 hours', async () => {
    const player = await poorPlayer('daily')
    await reset(player)
    await lose(player, '95')
    const refused = await reset(player)
    expect([refused.statusCode, refused.body]).toEqual([
      429,
      'You can reset your account once a day. Please come back in 24 hours.',
    ])
    const seconds = Number(refused.headers['retry-after'])
    expect(seconds).toBeGreaterThan(86_300)
    expect(seconds).toBeLessThanOrEqual(86_400)
    server.passTime(DAY_MS - 60_000)
    expect((await reset(player)).body).toMatch(/come back in 1 minute\.$/)
    server.passTime(60_000)
    expect((await reset(player)).statusCode).toBe(200)
  })
})

describe('a race', () => {
  it('with trades of held tokens reads one snapshot and keeps the books exact', async () => {
    const tokenId = await rugger.launch({ initialBuyAmount: '1' })
    const player = await poorPlayer('bystander', '91')
    const { seq } = (await buy(player, tokenId, '5')).json().trade
    const [{ amount }] = (await player.get('/api/portfolio')).json()
    const before = new Decimal(await getBalance(player))
    const traders = await Promise.all(Array.from({ length: 6 }, (_, index) => server.player(`trader-${index}`)))
    const trading = traders.map(async (trader) => {
      for (let count = 0; count < 8; count++) {
        expect((await buy(trader, tokenId, '0.01')).statusCode).toBe(200)
      }
    })
    await buy(traders[0] ?? player, tokenId, '0.01')
    const answer = await reset(player)
    await Promise.all(trading)
    expect(answer.statusCode).toBe(200)
    const states = await server.db
      .selectFrom('trades')
      .select(['sol_reserve', 'token_reserve'])
      .where('token_id', '=', tokenId)
      .where('seq', '>=', seq)
      .execute()
    const worths = states.map(({ sol_reserve, token_reserve }) => {
      const pool = { sol: new Decimal(sol_reserve), virtualSol: new Decimal(30), tokens: new Decimal(token_reserve) }
      const worth = before.add(cashOutValue(pool, parseTokens(amount)))
      return solText(worth.add(answer.json().granted))
    })
    expect(worths).toContain('100')
  })

  it('with orders of the player grants no SOL twice and loses none', async () => {
    const tokenId = await rugger.launch({ initialBuyAmount: '1' })
    const players = await Promise.all(Array.from({ length: 4 }, (_, index) => poorPlayer(`busy-${index}`)))
    const work = players.flatMap((player) => [
      ...Array.from({ length: 5 }, () => buy(player, tokenId, '0.5')),
      player.launch({ initialBuyAmount: '0.5' }),
      reset(player),
      reset(player),
    ])
    await Promise.all(work)
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from grants join users on users.id = user_id
       where grants.kind = 'reset' and username like 'busy-%' group by user_id`.execute(server.db)
    expect(rows).toEqual(players.map(() => ({ n: 1 })))
  })

  it('with an arriving token also counts that token, because the reset waits for it', async () => {
    const tokenId = await rugger.launch({ initialBuyAmount: '9' })
    const player = await poorPlayer('surprised')
    const answer = await server.db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ id: number }>`
        select user_id as id from accounts join users on users.id = user_id
         where username = 'surprised' for update of accounts`.execute(tx)
      const waiting = reset(player)
      await waitForLocked(server.db, 1)
      await sql`
        insert into holdings (token_id, user_id, amount, cost)
        select token_id, ${rows[0]?.id}, amount, 0 from holdings
         where token_id = ${tokenId}`.execute(tx)
      return [waiting]
    })
    const refusedOrTopped = await answer[0]
    expect([refusedOrTopped?.statusCode, refusedOrTopped?.body]).toEqual([
      422,
      expect.stringMatching(/^Your net worth is 13\./),
    ])
    // Delete the holding because no trade created it: the audit of the books would report it.
    await sql`delete from holdings where token_id = ${tokenId} and cost = 0`.execute(server.db)
  })
})
