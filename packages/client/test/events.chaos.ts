import { type Server, startServerWith } from '@papermoon/api/testing'
import { createTestDatabase, type TestDatabase } from '@papermoon/db/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPapermoonClient, type PapermoonClient, StreamRefusedError } from '../src/index.ts'
import { startBreakingProxy } from './breaking-proxy.ts'

const AWAY = 5_000

let database: TestDatabase
let server: Server
let client: PapermoonClient
beforeAll(async () => {
  database = await createTestDatabase({ poolMax: 2 })
  server = await startServerWith(database.connectionString)
  client = createPapermoonClient({ url: server.url })
  const secrets = { email: 'luna@papermoon.example', wallet: 'wallet', password: 'secret-1' }
  await client.api.auth.register.mutate({ username: 'luna', ...secrets })
})
afterAll(async () => {
  await client?.close()
  await server?.remove()
  await database?.drop()
})

/**
 * Buys until the stream sends a trade, because the stream may start after the first trade. Returns the trade's cursor.
 */
async function readCursor(tokenId: number): Promise<string> {
  const trading = setInterval(() => void client.api.trading.buy.mutate({ tokenId, solAmount: '0.001' }), 500)
  try {
    for await (const { type, data, cursor } of client.events({ types: ['trade'], tokens: [tokenId] })) {
      if (type === 'trade' && data.symbol === 'MOON') return cursor
    }
  } finally {
    clearInterval(trading)
  }
  throw new Error('the stream ended')
}

it('resumes with every missed event, through broken connections', async () => {
  const { id } = await client.api.tokens.launch.mutate({ name: 'Moon', symbol: 'MOON' })
  const after = await readCursor(id)
  const { seq } = await client.api.tokens.get.query({ id })
  await database.pool.query(
    `insert into trades (token_id, seq, user_id, side, sol_amount, fee, token_amount, price, sol_reserve, token_reserve,
       spot_price, created_at, hash)
     select $1, n, user_id, side, sol_amount, fee, token_amount, price, sol_reserve, token_reserve, spot_price, now(), hash
       from trades cross join generate_series($2::int + 1, $2::int + $3::int) n where token_id = $1 and seq = 1`,
    [id, seq, AWAY],
  )
  await database.pool.query('update pools set seq = $2 where token_id = $1', [id, seq + AWAY])
  const proxy = await startBreakingProxy({ urls: [server.url], breaksAfter: () => 400_000 })
  const away = createPapermoonClient({ url: proxy.url })
  const missing = new Set(Array.from({ length: AWAY }, (_, index) => seq + 1 + index))
  for await (const { type, data } of away.events({ after })) {
    expect(type).not.toBe('gap')
    if (type === 'trade') missing.delete(data.seq)
    if (missing.size === 0) break
  }
  proxy.close()
  await away.close()
  expect([...missing]).toEqual([])
})

it('reports a gap, and throws if the server rejects the stream', async () => {
  const foreign = Buffer.from('1.00000000.1.1').toString('base64url')
  for await (const event of client.events({ after: foreign })) {
    expect(event).toMatchObject({ type: 'gap', data: { reason: 'unknown' } })
    break
  }
  await expect(client.events({ after: 'nothing' }).next()).rejects.toThrow(StreamRefusedError)
})
