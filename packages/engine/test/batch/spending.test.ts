import { parseSol, parseTokens } from '@papermoon/amm'
import type { TokenId, UserId } from '@papermoon/contract/ids'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BuyOrder, LaunchOrder } from '../../src/orders.ts'
import { aToken, createTestMarket, type TestMarket } from '../support/test-market.ts'

const NOON = Date.parse('2026-11-22T12:00:00Z')

let nowMs = NOON
let market: TestMarket
let player: UserId
let token: TokenId
beforeEach(async () => {
  nowMs = NOON
  market = await createTestMarket({ clock: { now: () => new Date(nowMs) } })
  const creator = await market.addPlayer()
  token = await market.launch(creator, '5')
  player = await market.addPlayer('1000')
})
afterEach(() => market.close())

async function makeKey(limit: string | null, userId = player): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into api_keys (user_id, name, scopes, key_hash, created_at, spending_limit)
    values (${userId}, 'bot', array['trade'], sha256(random()::text::bytea), now(), ${limit}) returning id`.execute(
    market.db,
  )
  return rows[0]?.id ?? 0
}

async function readSpent(keyId: number): Promise<{ spent: string; spent_on: string | null } | undefined> {
  return await market.db.selectFrom('api_keys').select(['spent', 'spent_on']).where('id', '=', keyId).executeTakeFirst()
}

const buyOrder = (sol: string, spendingKeyId: number, requestKey?: string): BuyOrder => ({
  kind: 'buy',
  userId: player,
  tokenId: token,
  sol: parseSol(sol),
  spendingKeyId,
  requestKey,
})
const buy = (sol: string, key: number, requestKey?: string) => market.engine.submit(buyOrder(sol, key, requestKey))
const launch = (initialBuy: string | undefined, spendingKeyId: number) =>
  market.engine.submit({
    kind: 'launch',
    userId: player,
    token: aToken,
    initialBuy: initialBuy === undefined ? undefined : parseSol(initialBuy),
    spendingKeyId,
  } satisfies LaunchOrder)

describe('the spending limit of an API key', () => {
  it('counts buys, launch fees and first buys, and can be used up exactly', async () => {
    const key = await makeKey('10')
    await buy('4', key)
    await launch('2.5', key)
    await launch(undefined, key)
    expect(await readSpent(key)).toEqual({ spent: '6.540000000', spent_on: '2026-11-22' })
    await expect(buy('3.460000001', key)).rejects.toMatchObject({
      code: 'SPENDING_LIMIT_REACHED',
      message:
        'This API key can spend 10 SOL a day. It has 3.46 SOL left until 2026-11-23 00:00 UTC, but this order needs 3.460000001 SOL.',
    })
    await buy('3.46', key)
    await expect(launch(undefined, key)).rejects.toMatchObject({ code: 'SPENDING_LIMIT_REACHED' })
    expect((await readSpent(key))?.spent).toBe('10.000000000')
  })

  it('starts again with each UTC day, and never returns to an earlier one', async () => {
    const key = await makeKey('1')
    nowMs = Date.parse('2026-11-22T23:59:59.999Z')
    await buy('1', key)
    nowMs += 1
    await buy('0.4', key)
    expect(await readSpent(key)).toEqual({ spent: '0.400000000', spent_on: '2026-11-23' })
    // Now the clock of another node is behind.
    nowMs -= 60_000
    await expect(buy('0.7', key)).rejects.toMatchObject({ code: 'SPENDING_LIMIT_REACHED' })
    await buy('0.6', key)
    expect(await readSpent(key)).toEqual({ spent: '1.000000000', spent_on: '2026-11-23' })
  })

  it('does not count rejected orders, repeats and sales', async () => {
    const key = await makeKey('2')
    const { trade } = await buy('1', key, 'once')
    expect((await buy('1', key, 'once')).trade.id).toBe(trade.id)
    await market.openEngine().submit(buyOrder('1', key, 'once'))
    await market.engine.submit({
      kind: 'sell',
      userId: player,
      tokenId: token,
      tokens: parseTokens(trade.tokenAmount),
      spendingKeyId: key,
    })
    const refused = { ...buyOrder('0.5', key), minTokensOut: parseTokens('99999999') }
    await expect(market.engine.submit(refused)).rejects.toMatchObject({ code: 'SLIPPAGE_EXCEEDED' })
    expect((await readSpent(key))?.spent).toBe('1.000000000')
    await buy('1', key)
  })

  it('is exact to the lamport for many concurrent orders on two nodes', async () => {
    const key = await makeKey('3')
    const engines = [market.engine, market.openEngine()]
    const settled = await Promise.all(
      Array.from({ length: 16 }, (_, index) => submitUntilKnown(engines[index % 2] ?? market.engine, index, key)),
    )
    expect(settled.filter((code) => code === null)).toHaveLength(12)
    expect(settled.filter((code) => code === 'SPENDING_LIMIT_REACHED')).toHaveLength(4)
    expect((await readSpent(key))?.spent).toBe('3.000000000')
    const { rows } = await sql<{
      paid: string
    }>`select sum(sol_amount) as paid from trades where user_id = ${player}`.execute(market.db)
    expect(rows[0]?.paid).toBe('3.000000000')
  })

  it('ends with the key, and does not affect orders without the key', async () => {
    const key = await makeKey('5')
    await buy('1', key)
    await market.db.deleteFrom('api_keys').where('id', '=', key).execute()
    const other = await market.addPlayer()
    const [limited, free] = await Promise.allSettled([buy('1', key), market.buy(other, token, '1')])
    expect(limited).toMatchObject({ status: 'rejected', reason: { code: 'API_KEY_INVALID' } })
    expect(free.status).toBe('fulfilled')
  })

  it('is counted for several keys and players in one batch', async () => {
    const [one, two] = [await makeKey('2'), await makeKey('2')]
    const answers = await Promise.allSettled([
      buy('1', one),
      buy('1.5', two),
      buy('1', one),
      buy('1', two),
      buy('0.1', one),
      market.buy(player, token, '7'),
    ])
    expect(answers.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
    ])
    expect([(await readSpent(one))?.spent, (await readSpent(two))?.spent]).toEqual(['2.000000000', '1.500000000'])
  })
})

/** Submits a buy of 0.25 SOL until it is done or finally rejected. Returns the error code, or null. */
async function submitUntilKnown(engine: TestMarket['engine'], index: number, key: number): Promise<string | null> {
  const order = buyOrder('0.25', key, `order-${index}`)
  for (;;) {
    try {
      await engine.submit(order)
      return null
    } catch (error) {
      const code = String(Object(error).code)
      if (code !== 'BUSY') return code
    }
  }
}
