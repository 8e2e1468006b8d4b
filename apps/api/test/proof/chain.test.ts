import { findBreak, launchText } from '@papermoon/chain'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { browserSha256, keptChain } from '../shared/kept-chain.ts'
import { shareTestServer } from '../support/test-server.ts'

const ENTRIES = 8

const server = await shareTestServer()
const player = await server.player()
const tokenId = await player.launch({ name: 'Say "moon" 🌙', initialBuyAmount: '1' })
beforeAll(async () => {
  await player.sell(tokenId, '1000.123456')
  for (let i = 0; i < ENTRIES - 3; i++) await player.buy(tokenId, `0.${i + 1}`)
  await player.post(`/api/tokens/${tokenId}/rug`, {})
})

const ask = (query = '', id = tokenId) => server.visitor().get(`/api/tokens/${id}/chain${query}`)

describe('the chain of a token over REST and tRPC', () => {
  it('can be verified by anyone from the launch to the head', async () => {
    const page = (await ask()).json()
    const { hash, ...launch } = page.genesis
    expect(await browserSha256(launchText(launch))).toBe(hash)
    expect(page.after).toEqual({ seq: 0, hash })
    expect(await findBreak(page.after, page.entries, browserSha256)).toBe(null)
    expect(page.entries).toHaveLength(ENTRIES)
    expect(page.head).toEqual({ seq: ENTRIES, hash: page.entries.at(-1).hash })
    expect(page.entries.at(-1).kind).toBe('rug')
    expect(page.entries).toEqual((await keptChain(server, tokenId)).entries)
    expect((await server.visitor().query('proof.chain', { id: tokenId })).json().result.data.json).toEqual(page)
  })

  it('can be verified page by page', async () => {
    const whole = (await ask()).json()
    let place = whole.after
    for (let pages = 0; place.seq < ENTRIES; pages++) {
      expect(pages).toBeLessThan(ENTRIES)
      const { after, entries } = (await ask(`?after=${place.seq}&limit=3`)).json()
      expect(after).toEqual(place)
      expect(await findBreak(after, entries, browserSha256)).toBe(null)
      expect(entries.length).toBeLessThanOrEqual(3)
      const { seq, hash } = entries.at(-1)
      place = { seq, hash }
    }
    expect(place).toEqual(whole.head)
    const end = (await ask(`?after=${ENTRIES}`)).json()
    expect([end.after, end.entries]).toEqual([whole.head, []])
  })

  it('has no entry after its head', async () => {
    expect((await ask(`?after=${ENTRIES + 1}`)).statusCode).toBe(404)
  })

  it('has evenly spaced checkpoints, at most 200 of them at any length', { tags: 'nightly' }, async () => {
    const id = await player.launch({ initialBuyAmount: '1' })
    const checkpoints = async () => (await server.visitor().get(`/api/tokens/${id}/chain/checkpoints`)).json()
    expect(await checkpoints()).toMatchObject({ every: 500, checkpoints: [] })
    await lengthen(id, 500)
    expect((await checkpoints()).checkpoints).toEqual([await placeAt(id, 500)])
    await lengthen(id, 101_000)
    const { every, checkpoints: spread } = await checkpoints()
    expect([every, spread.length]).toEqual([1_000, 101])
    expect(spread.at(-1)).toEqual(await placeAt(id, 101_000))
    expect((await ask(`?after=100000&limit=1`, id)).json().after).toEqual(await placeAt(id, 100_000))
  })
})

async function placeAt(id: number, seq: number) {
  const { hash } = await server.db
    .selectFrom('trades')
    .select('hash')
    .where('token_id', '=', id)
    .where('seq', '=', seq)
    .executeTakeFirstOrThrow()
  return { seq, hash: hash.toString('hex') }
}

/** Number of trades per statement, which even a slow machine inserts in time. */
const INSERTED_AT_ONCE = 5_000

/** Adds made-up trades with distinct hashes, up to the sequence number `to`. */
async function lengthen(id: number, to: number): Promise<void> {
  const { seq } = await server.db.selectFrom('pools').select('seq').where('token_id', '=', id).executeTakeFirstOrThrow()
  for (let from = seq; from < to; from += INSERTED_AT_ONCE) {
    await insertTrades(id, Math.min(from + INSERTED_AT_ONCE, to))
  }
}

async function insertTrades(id: number, to: number): Promise<void> {
  await sql`insert into trades (id, token_id, seq, user_id, side, sol_amount, fee, token_amount, price, sol_reserve,
      token_reserve, spot_price, created_at, hash)
    select first + n - p.seq - 1, p.token_id, n, 1, 'buy', 1, 0, 1, 1, 30, 1, 1, now(), sha256(n::text::bytea)
      from pools p, next_position(${to}) first, generate_series(p.seq + 1, ${to}::int) n where p.token_id = ${id}`.execute(
    server.db,
  )
  await sql`update pools set seq = ${to} where token_id = ${id}`.execute(server.db)
}
