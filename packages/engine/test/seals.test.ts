import { hash } from 'node:crypto'
import { Decimal, tokensText } from '@papermoon/amm'
import { sealText } from '@papermoon/chain'
import type { TokenId, UserId } from '@papermoon/contract/ids'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SealTerm } from '../src/orders.ts'
import { aToken, balancedBooks, createTestMarket, readBooks, type TestMarket } from './support/test-market.ts'

const HOUR_MS = 3_600_000
let nowMs = Date.parse('2026-03-01T12:00:00.000Z')
let market: TestMarket
beforeAll(async () => {
  market = await createTestMarket({ clock: { now: () => new Date(nowMs) } })
})
afterAll(() => market?.close())

const seal = (userId: UserId, tokenId: TokenId, term: SealTerm, bag = false, requestKey?: string) =>
  market.engine.submit({ kind: 'seal', userId, tokenId, term, bag, requestKey })
const rug = (userId: UserId, tokenId: TokenId) => market.engine.submit({ kind: 'rug', userId, tokenId })

async function launchOwn(): Promise<{ creator: UserId; tokenId: TokenId; held: string }> {
  const creator = await market.addPlayer()
  const tokenId = await market.launch(creator, '1')
  const { amount } = await market.db
    .selectFrom('holdings')
    .select('amount')
    .where('token_id', '=', tokenId)
    .executeTakeFirstOrThrow()
  return { creator, tokenId, held: tokensText(new Decimal(amount)) }
}

describe('a seal', () => {
  it('prevents a rug pull until its last millisecond has passed', async () => {
    const { creator, tokenId } = await launchOwn()
    const until = new Date(nowMs + HOUR_MS).toISOString()
    expect((await seal(creator, tokenId, 'hour')).seal).toEqual({
      liquidityUntil: until,
      bagUntil: null,
      bagTokens: '0',
    })
    nowMs += HOUR_MS - 1
    await expect(rug(creator, tokenId)).rejects.toMatchObject({ code: 'SEALED', details: { until } })
    nowMs += 1
    expect((await rug(creator, tokenId)).tokenId).toBe(tokenId)
    await expect(seal(creator, tokenId, 'day')).rejects.toMatchObject({ code: 'TOKEN_CLOSED' })
  })

  it('covers the tokens held at its start, and not those bought later', async () => {
    const { creator, tokenId, held } = await launchOwn()
    await seal(creator, tokenId, 'day', true)
    await expect(market.sell(creator, tokenId, '1')).rejects.toMatchObject({
      code: 'SEALED',
      details: { sealed: held, sellable: '0' },
    })
    const { trade } = await market.buy(creator, tokenId, '0.5')
    expect((await market.sell(creator, tokenId, trade.tokenAmount)).position.amount).toBe(held)
    nowMs += 24 * HOUR_MS
    expect((await market.sell(creator, tokenId, held)).position.amount).toBe('0')
  })

  it('can be extended at any time but not shortened, and an extension can add the tokens held', async () => {
    const { creator, tokenId, held } = await launchOwn()
    await seal(creator, tokenId, 'day')
    await expect(seal(creator, tokenId, 'hour', true)).rejects.toMatchObject({ code: 'SEAL_TOO_SHORT' })
    const { seal: week } = await seal(creator, tokenId, 'week', true)
    expect(week).toEqual({ liquidityUntil: week.bagUntil, bagUntil: expect.any(String), bagTokens: held })
    const { seal: ever } = await seal(creator, tokenId, 'ever')
    expect(ever).toEqual({ ...week, liquidityUntil: '9999-12-31T23:59:59.999Z' })
    await expect(seal(creator, tokenId, 'ever')).rejects.toMatchObject({ code: 'SEAL_TOO_SHORT' })
    expect((await seal(creator, tokenId, 'ever', true)).seal.bagUntil).toBe(ever.liquidityUntil)
    const kinds = market.events.filter((event) => event.type === 'seal' && event.tokenId === tokenId)
    expect(kinds.map((event) => 'kind' in event && event.kind)).toEqual(['sealed', 'renewed', 'renewed', 'renewed'])
  })

  it('must be extended by at least a tenth of its new term, so that nobody can create seals without end', async () => {
    const { creator, tokenId, held } = await launchOwn()
    const tooShort = { code: 'SEAL_TOO_SHORT' }
    await seal(creator, tokenId, 'hour')
    nowMs += HOUR_MS / 10 - 1
    await expect(seal(creator, tokenId, 'hour')).rejects.toMatchObject(tooShort)
    expect((await seal(creator, tokenId, 'hour', true)).seal.bagTokens).toBe(held)
    nowMs += 1
    await expect(seal(creator, tokenId, 'hour', true)).rejects.toMatchObject(tooShort)
    await market.buy(creator, tokenId, '0.1')
    await expect(seal(creator, tokenId, 'hour')).rejects.toMatchObject(tooShort)
    await seal(creator, tokenId, 'hour', true)
    nowMs += HOUR_MS / 10
    await seal(creator, tokenId, 'hour')
    await seal(creator, tokenId, 'ever')
  })

  it('can be made by creators only, and a repeat gets the first response without another seal', async () => {
    const { creator, tokenId } = await launchOwn()
    const other = await market.addPlayer()
    await expect(seal(other, tokenId, 'day')).rejects.toMatchObject({ code: 'NOT_YOURS' })
    const first = await seal(creator, tokenId, 'day', true, 'once')
    nowMs += 1_000
    expect(await seal(creator, tokenId, 'day', true, 'once')).toEqual({ ...first, isRepeat: true })
    await expect(seal(creator, tokenId, 'week', true, 'once')).rejects.toMatchObject({ code: 'REQUEST_KEY_REUSED' })
    await expect(market.buy(creator, tokenId, '1', 'once')).rejects.toMatchObject({ code: 'REQUEST_KEY_REUSED' })
  })

  it('can be made with a launch, in one transaction with the tokens of the first buy', async () => {
    const userId = await market.addPlayer()
    const order = { kind: 'launch', userId, token: aToken, initialBuy: new Decimal(1) } as const
    const { tokenId, initialTrade } = await market.engine.submit({ ...order, seal: { term: 'day', bag: true } })
    const rows = await market.db.selectFrom('seals').selectAll().where('token_id', '=', tokenId).execute()
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({ n: 1, kind: 'sealed', seq: 1, request_key: null })
    expect(tokensText(new Decimal(rows[0]?.bag_tokens ?? 0))).toBe(initialTrade?.tokenAmount)
    await expect(rug(userId, tokenId)).rejects.toMatchObject({ code: 'SEALED' })
  })

  it('has its own chain, and does not change the numbers and hashes of the journal', async () => {
    const { creator, tokenId } = await launchOwn()
    const readPool = () =>
      market.db.selectFrom('pools').selectAll().where('token_id', '=', tokenId).executeTakeFirstOrThrow()
    const before = await readPool()
    await seal(creator, tokenId, 'day', true)
    await seal(creator, tokenId, 'week')
    const after = await readPool()
    const { seq, chain_head, last_event_at } = before
    expect(after).toMatchObject({ seq, chain_head, last_event_at, seals: 2 })
    let head: string | null = null
    for (const row of await market.db
      .selectFrom('seals')
      .selectAll()
      .where('token_id', '=', tokenId)
      .orderBy('n')
      .execute()) {
      const fields = {
        tokenId,
        number: row.n,
        seq: row.seq,
        userId: creator,
        until: row.until.toISOString(),
        bagUntil: row.bag_until?.toISOString() ?? null,
        bagTokens: tokensText(new Decimal(row.bag_tokens)),
        createdAt: row.created_at.toISOString(),
      }
      head = hash('sha256', sealText(head, fields))
      expect(row.hash.toString('hex')).toBe(head)
    }
    expect(after.seal_head?.toString('hex')).toBe(head)
  })

  it('applies to an engine that cached the token before it was sealed', async () => {
    const { creator, tokenId, held } = await launchOwn()
    const other = market.openEngine()
    const sale = { kind: 'sell', userId: creator, tokenId, tokens: new Decimal(1) } as const
    await other.submit(sale)
    await seal(creator, tokenId, 'hour', true)
    await expect(other.submit(sale)).rejects.toMatchObject({ code: 'SEALED' })
    expect(held).not.toBe('0')
    await other.close()
  })

  it('is enforced by the database against builds that do not know seals', async () => {
    const { creator, tokenId } = await launchOwn()
    await seal(creator, tokenId, 'hour', true)
    const at = new Date(nowMs)
    const row = { token_id: tokenId, seq: 2, user_id: creator, amount: '1', created_at: at, hash: Buffer.alloc(32) }
    await expect(
      market.db
        .insertInto('rugs')
        .values({ ...row, request_key: null })
        .execute(),
    ).rejects.toThrow('is sealed')
    const sale = market.db.transaction().execute(async (tx) => {
      await tx.updateTable('holdings').set({ amount: '1' }).where('token_id', '=', tokenId).execute()
      await tx.updateTable('pools').set({ seq: 2, last_event_at: at }).where('token_id', '=', tokenId).execute()
    })
    await expect(sale).rejects.toThrow('is sealed')
  })
})

it('decides every race of seals, rugs, sales and buys on two engines as if they came one after another', async () => {
  const second = market.openEngine()
  const engines = [market.engine, second]
  const tokens = await Promise.all(Array.from({ length: 12 }, launchOwn))
  const other = await market.addPlayer()
  await Promise.all(
    tokens.map(async ({ creator, tokenId, held }, i) => {
      const on = (k: number) => engines[(i + k) % 2] ?? market.engine
      const half = new Decimal(held).div(2).toDecimalPlaces(6)
      await Promise.allSettled([
        on(0).submit({ kind: 'seal', userId: creator, tokenId, term: 'day', bag: i % 2 === 0 }),
        on(1).submit({ kind: 'rug', userId: creator, tokenId }),
        on(1).submit({ kind: 'sell', userId: creator, tokenId, tokens: half }),
        on(0).submit({ kind: 'buy', userId: other, tokenId, sol: new Decimal('0.1') }),
        on(1).submit({ kind: 'seal', userId: creator, tokenId, term: 'week', bag: true }),
        on(0).submit({ kind: 'sell', userId: creator, tokenId, tokens: half }),
      ])
    }),
  )
  await second.close()
  for (const { creator, tokenId } of tokens) {
    const pool = await market.db
      .selectFrom('pools')
      .selectAll()
      .where('token_id', '=', tokenId)
      .executeTakeFirstOrThrow()
    const seals = await market.db.selectFrom('seals').selectAll().where('token_id', '=', tokenId).orderBy('n').execute()
    expect(pool.rugged_at !== null && seals.length > 0).toBe(false)
    expect(pool.seals).toBe(seals.length)
    const held = await market.db
      .selectFrom('holdings')
      .select('amount')
      .where('token_id', '=', tokenId)
      .where('user_id', '=', creator)
      .executeTakeFirstOrThrow()
    if (pool.bag_sealed_until !== null) expect(new Decimal(held.amount).gte(pool.bag_sealed_tokens)).toBe(true)
  }
  const players = await market.db.selectFrom('users').select('id').execute()
  expect(await readBooks(market)).toEqual(balancedBooks(String(players.length * 100)))
})
