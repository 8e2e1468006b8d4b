import type { TokenId } from '@papermoon/engine'
import { CompiledQuery, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { cardFigureRows, toSparkline, useIndexesOnly } from '../../src/features/tokens/list/card-figures.ts'
import { shareTestServer } from '../support/test-server.ts'

interface Figures {
  readonly id: number
  readonly holders: number
  readonly areHoldersExact: boolean
  readonly sparkline: string[]
}

const HOUR_MS = 3_600_000

const server = await shareTestServer()
const creator = await server.player('creator')

const figures = async (...ids: number[]): Promise<Figures[]> =>
  (await server.visitor().get(`/api/tokens/figures?ids=${ids.join(',')}`)).json()
const price = async (id: number): Promise<number> =>
  Number((await creator.get(`/api/tokens/${id}`)).json().currentPrice)

async function explainFigures(id: number): Promise<string> {
  const { sql: text, parameters } = cardFigureRows([id as TokenId], new Date()).compile(server.db)
  return await server.db.transaction().execute(async (tx) => {
    await useIndexesOnly(tx)
    const { rows } = await tx.executeQuery<{ 'QUERY PLAN': string }>(
      CompiledQuery.raw(`explain (analyze, timing off) ${text}`, [...parameters]),
    )
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
}

describe('the figures on token cards', () => {
  it('count the players who hold a token now', async () => {
    const [quiet, traded] = [await creator.launch(), await creator.launch()]
    const [one, other] = [await server.player(), await server.player()]
    const bought = (await one.post('/api/tokens/buy', { tokenId: traded, solAmount: '1' })).json()
    await other.post('/api/tokens/buy', { tokenId: traded, solAmount: '1' })
    const all = await figures(traded, quiet)
    expect(all.map(({ id, holders }) => [id, holders])).toEqual([
      [traded, 2],
      [quiet, 0],
    ])
    await one.post('/api/tokens/sell', { tokenId: traded, tokenAmount: bought.position.amount })
    server.passTime(11_000)
    expect(await figures(traded)).toMatchObject([{ holders: 1, areHoldersExact: true }])
  })

  it('draw a young token from its launch, and an older one from a day ago', async () => {
    const id = await creator.launch()
    const trader = await server.player()
    await trader.post('/api/tokens/buy', { tokenId: id, solAmount: '5' })
    const first = await price(id)
    server.passTime(2 * HOUR_MS)
    await trader.post('/api/tokens/buy', { tokenId: id, solAmount: '5' })
    const second = await price(id)
    const [young] = await figures(id)
    expect(young?.sparkline).toHaveLength(25)
    expect(Number(young?.sparkline[0])).toBe(0.00000003)
    expect(Number(young?.sparkline[12])).toBeCloseTo(first, 12)
    expect(Number(young?.sparkline[24])).toBeCloseTo(second, 12)
    server.passTime(30 * HOUR_MS)
    const [old] = await figures(id)
    expect(old?.sparkline.map(Number).every((point) => Math.abs(point - second) < 1e-12)).toBe(true)
    await trader.post('/api/tokens/buy', { tokenId: id, solAmount: '20' })
    server.passTime(11_000)
    const [moved] = await figures(id)
    expect(Number(moved?.sparkline[23])).toBeCloseTo(second, 12)
    expect(Number(moved?.sparkline[24])).toBeCloseTo(await price(id), 11)
  })

  it('leave out unknown tokens, and repeat none', async () => {
    const id = await creator.launch()
    expect((await figures(id, 2_000_000_000, id)).map((one) => one.id)).toEqual([id])
  })

  it('are the same for all viewers for ten seconds', async () => {
    const id = await creator.launch()
    expect(await figures(id)).toMatchObject([{ holders: 0 }])
    await creator.post('/api/tokens/buy', { tokenId: id, solAmount: '1' })
    expect(await figures(id)).toMatchObject([{ holders: 0 }])
    server.passTime(11_000)
    expect(await figures(id)).toMatchObject([{ holders: 1 }])
  })

  it('use the last checkpoint if a token has many holders, and read only 1,001 holdings', async () => {
    const id = await creator.launch()
    await sql`insert into users (username, username_key, email, email_key, wallet, password_hash)
      select 'h' || n, 'h' || n, 'h' || n, 'h' || n, 'w', 'none' from generate_series(1, 3000) n`.execute(server.db)
    await sql`insert into holdings (token_id, user_id, amount, cost)
      select ${id}, id, 1, 1 from users where password_hash = 'none'`.execute(server.db)
    await sql`vacuum analyze holdings`.execute(server.db)
    expect(await figures(id)).toMatchObject([{ holders: 1_001, areHoldersExact: false }])
    await sql`insert into holder_checkpoints
      (token_id, seq, holdings, minute, minute_open, minute_high, minute_low, minute_volume)
      values (${id}, 2048, decode(repeat('00', 12 * 2900), 'hex'), now(), 1, 1, 1, 1)`.execute(server.db)
    server.passTime(11_000)
    expect(await figures(id)).toMatchObject([{ holders: 2_900, areHoldersExact: false }])
    expect(await explainFigures(id)).toMatch(/Index Scan using holdings_pkey.*actual .*rows=1001(\.00)? loops=1\)/)
  })
})

const line = (closes: [hour: number, price: string][]) =>
  toSparkline({
    startMs: 0,
    endMs: 24 * HOUR_MS,
    firstPrice: '5',
    closes: closes.map(([hour, price]) => ({ atMs: hour * HOUR_MS, price })),
  })

it('a sparkline starts at the first price and continues with the last one', () => {
  expect(line([])).toEqual(Array.from({ length: 25 }, () => '5'))
  expect(line([[2, '7']])).toEqual(['5', '5', ...Array.from({ length: 23 }, () => '7')])
})

it('a sparkline ends with the price of the candle that is still open', () => {
  expect(
    line([
      [1, '6'],
      [24.5, '9'],
    ]).slice(-2),
  ).toEqual(['6', '9'])
})

it('a sparkline uses the last of several closes in one step', () => {
  expect(
    line([
      [0.2, '6'],
      [0.9, '8'],
      [1.5, '3'],
    ]).slice(0, 4),
  ).toEqual(['5', '8', '3', '3'])
})
