import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { SEAL } from '@papermoon/contract/example-market'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { readPages as readAllPages } from '../../support/read-pages.ts'
import { createTestServer, shareTestServer } from '../../support/test-server.ts'

interface Item {
  readonly id: number
  readonly seq: number
  readonly time: string
  readonly rank: number
  readonly amount: string
  readonly createdAt: string
  readonly tokenId: number
}

const TRADES = 12
const MINUTE_MS = 60_000

const server = await shareTestServer({ hasJobs: false })
const guest = server.visitor()
const creator = await server.player('creator')
const id = await creator.launch({ initialBuyAmount: '1' })
const other = await creator.launch({ name: 'Other', symbol: 'OTH' })
for (let n = 1; n < TRADES; n++) {
  const trader = n % 4 === 0 ? creator : await server.player(`trader-${n}`)
  server.passTime(n % 3 === 0 ? MINUTE_MS : 7_000)
  await trader.post('/api/tokens/buy', { tokenId: id, solAmount: String(1 + n / 10) })
  if (n % 5 === 0) await trader.post('/api/tokens/buy', { tokenId: other, solAmount: '0.5' })
}
/** All trades of the token, newest first. */
const all: Item[] = (await guest.get(`/api/tokens/${id}/trades`)).json()
expect(all.map(({ seq }) => seq)).toEqual(Array.from({ length: TRADES }, (_, index) => TRADES - index))

async function read(url: string): Promise<Item[]> {
  const answer = await guest.get(url)
  expect([answer.statusCode, url], answer.body).toEqual([200, url])
  return answer.json()
}

const readPages = (first: string) => readAllPages<Item>(guest, first)

/** Returns how many reads a request counts as. */
async function countReads(url: string): Promise<number> {
  const spend = vi.spyOn(server.app.accounts.limits, 'spend')
  await read(url)
  const { calls } = spend.mock
  spend.mockRestore()
  return calls.reduce((sum, [, limit, reads = 1]) => sum + (limit === 'read' ? reads : 0), 0)
}

describe('the trades of a token', () => {
  it.each([1, 5, TRADES, 1_000])('appear once each in pages of %d', async (limit) => {
    const pages = await readPages(`/api/tokens/${id}/trades?limit=${limit}`)
    expect(pages.flat()).toEqual(all)
    expect(pages).toHaveLength(Math.ceil(TRADES / limit))
  })

  it('have a Link header after the newest 50, and none at the first trade', async () => {
    expect((await guest.get(`/api/tokens/${id}/trades`)).headers.link).toBeUndefined()
    const busy = await server.player('busy')
    const token = await busy.launch()
    for (let n = 0; n < 51; n++) await busy.post('/api/tokens/buy', { tokenId: token, solAmount: '0.1' })
    const [first = [], second = []] = await readPages(`/api/tokens/${token}/trades`)
    expect([first.length, first.at(-1)?.seq, second.map(({ seq }) => seq)]).toEqual([50, 2, [1]])
  })

  it('can be limited to those from a time on, and before another', async () => {
    for (const at of [0, 4, TRADES - 1]) {
      const time = all[at]?.createdAt ?? ''
      expect(await read(`/api/tokens/${id}/trades?from=${time}`)).toEqual(all.slice(0, at + 1))
      expect(await read(`/api/tokens/${id}/trades?to=${time}`)).toEqual(all.slice(at + 1))
    }
    const [from, to] = [all[7]?.createdAt, all[2]?.createdAt]
    expect((await readPages(`/api/tokens/${id}/trades?limit=2&from=${from}&to=${to}`)).flat()).toEqual(all.slice(3, 8))
    expect(await read(`/api/tokens/${id}/trades?from=2099-01-01T00:00:00%2B02:00`)).toEqual([])
  })

  it('are 404 for a token that does not exist, with any bounds', async () => {
    for (const query of ['', '?limit=5', '?cursor=5', '?from=2026-01-01T00:00:00Z']) {
      const answer = await guest.get(`/api/tokens/2000000000/trades${query}`)
      expect([answer.statusCode, answer.body]).toEqual([404, 'Token not found.'])
    }
  })
})

describe('the trades of the market', () => {
  it.each([1, 4, 1_000])('appear once each in pages of %d, newest first', async (limit) => {
    const rows = (await readPages(`/api/trades?limit=${limit}`)).flat()
    const { count } = await server.db
      .selectFrom('trades')
      .select(sql<number>`count(*)::int`.as('count'))
      .executeTakeFirstOrThrow()
    expect(new Set(rows.map((row) => row.id)).size).toBe(count)
    expect(rows.map((row) => row.id)).toEqual(rows.map((row) => row.id).sort((one, two) => two - one))
    expect(rows.filter(({ tokenId }) => tokenId === other)[0]).toMatchObject({ tokenName: 'Other', tokenSymbol: 'OTH' })
  })

  it('can be limited to those from a time on, and before another', async () => {
    const rows = (await readPages('/api/trades?limit=1000')).flat()
    const [from, to] = [all[8]?.createdAt ?? '', all[2]?.createdAt ?? '']
    const within = rows.filter(({ createdAt }) => createdAt >= from && createdAt < to)
    expect(within.length).toBeGreaterThan(5)
    expect((await readPages(`/api/trades?limit=3&from=${from}&to=${to}`)).flat()).toEqual(within)
  })

  it('are found by id at the bounds of a time', async () => {
    const long = await createTestServer({ hasJobs: false })
    onTestFinished(() => long.close())
    const player = await long.player('alone')
    const token = await player.launch()
    for (let n = 0; n < 6; n++) {
      await player.post('/api/tokens/buy', { tokenId: token, solAmount: '1' })
      long.passTime(86_400_000)
    }
    const rows: Item[] = (await long.visitor().get('/api/trades')).json()
    for (const at of rows.keys()) {
      const time = rows[at]?.createdAt
      expect((await long.visitor().get(`/api/trades?to=${time}`)).json()).toEqual(rows.slice(at + 1))
      expect((await long.visitor().get(`/api/trades?from=${time}`)).json()).toEqual(rows.slice(0, at + 1))
    }
  })
})

describe('the holders of a token', () => {
  it.each([1, 3, 1_000])('appear once each in pages of %d, by rank', async (limit) => {
    const top = await read(`/api/tokens/${id}/holders`)
    const pages = (await readPages(`/api/tokens/${id}/holders?limit=${limit}`)).flat()
    expect(pages).toEqual(top)
    expect(top.map(({ rank }) => rank)).toEqual(top.map((_holder, index) => index + 1))
  })

  it('keep their order if amounts are equal', async () => {
    await sql`update holdings set amount = 5 where token_id = ${other}`.execute(server.db)
    const whole = await read(`/api/tokens/${other}/holders?limit=1000`)
    expect(whole.length).toBeGreaterThan(1)
    expect((await readPages(`/api/tokens/${other}/holders?limit=1`)).flat()).toEqual(whole)
  })
})

describe('the candles of a token', () => {
  const INTERVALS = { '1s': 1, '5s': 5, '15s': 15, '1m': 60, '1h': 3_600, '1d': 86_400 }

  it.each(Object.entries(INTERVALS))('of %s match its trades, newest first', async (interval, seconds) => {
    const candles = await read(`/api/tokens/${id}/candles?interval=${interval}`)
    const starts = [...new Set(all.map(({ createdAt }) => Math.floor(Date.parse(createdAt) / (seconds * 1_000))))]
    expect(candles.map(({ time }) => Date.parse(time))).toEqual(starts.map((start) => start * seconds * 1_000))
    const newest = await guest.get(`/api/tokens/${id}`)
    expect(candles[0]).toMatchObject({ close: newest.json().currentPrice })
  })

  it.each(Object.keys(INTERVALS))('of %s appear once each in pages, and between bounds', async (interval) => {
    const url = `/api/tokens/${id}/candles?interval=${interval}`
    const candles = await read(url)
    for (const limit of [1, 2, 4]) expect((await readPages(`${url}&limit=${limit}`)).flat()).toEqual(candles)
    for (const at of candles.keys()) {
      const time = candles[at]?.time
      expect(await read(`${url}&from=${time}`)).toEqual(candles.slice(0, at + 1))
      expect(await read(`${url}&to=${time}`)).toEqual(candles.slice(at + 1))
    }
  })

  it.each(Object.entries(INTERVALS))(
    'of %s contain the number of their last event, with any bounds',
    async (interval, seconds) => {
      const url = `/api/tokens/${id}/candles?interval=${interval}`
      const toStart = ({ createdAt }: Item) => Math.floor(Date.parse(createdAt) / (seconds * 1_000))
      const expected = new Map<number, number>()
      // The newest trade of each candle comes first.
      for (const trade of all) if (!expected.has(toStart(trade))) expected.set(toStart(trade), trade.seq)
      const candles = await read(url)
      expect(candles.map(({ seq }) => seq)).toEqual([...expected.values()])
      const later = new Date(Date.parse(candles[0]?.time ?? '') + 86_400_000).toISOString()
      expect(await read(`${url}&to=${later}`)).toEqual(candles)
    },
  )

  it('can have a rug pull as their last event', async () => {
    const player = await server.player('rugger')
    const token = await player.launch({ initialBuyAmount: '1' })
    server.passTime(2 * MINUTE_MS)
    await player.post('/api/tokens/buy', { tokenId: token, solAmount: '1' })
    await player.post(`/api/tokens/${token}/rug`, {})
    for (const interval of ['1s', '1m']) {
      const url = `/api/tokens/${token}/candles?interval=${interval}`
      const candles = await read(url)
      expect([candles[0]?.seq, candles.at(-1)?.seq]).toEqual([3, 1])
      expect(await read(`${url}&to=${candles[0]?.time}`)).toEqual(candles.slice(1))
    }
  })

  it('are read for others while one address has more requests waiting than allowed', async () => {
    const ask = (remoteAddress: string) =>
      server.fastify.inject({ url: `/api/tokens/${id}/candles?interval=1s`, remoteAddress })
    const flood = Array.from({ length: 150 }, () => ask('203.0.113.1'))
    const others = await Promise.all(Array.from({ length: 8 }, () => ask('203.0.113.2')))
    expect(others.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(200))
    expect(new Set((await Promise.all(flood)).map(({ statusCode }) => statusCode))).toEqual(new Set([200, 503]))
  })
})

/** Returns the names of all properties; those of inner objects follow a dot. */
function listProperties(value: object): string[] {
  return Object.entries(value).flatMap(([name, part]) =>
    typeof part === 'object' && part !== null ? listProperties(part).map((inner) => `${name}.${inner}`) : [name],
  )
}

describe('a streamed list', () => {
  const stream = async (url: string, accept: string) => await guest.get(url, { accept })
  const LISTS = [
    ['trades', () => `/api/tokens/${id}/trades`],
    ['all trades', () => '/api/trades'],
    ['holders', () => `/api/tokens/${id}/holders`],
    ['candles', () => `/api/tokens/${id}/candles?interval=1s`],
    ['tokens', () => '/api/tokens'],
  ] as const

  it.each(LISTS)('of %s is the whole list, with one JSON object per line', async (_name, url) => {
    const answer = await stream(url(), 'application/x-ndjson')
    expect(answer.headers['content-type']).toBe('application/x-ndjson; charset=utf-8')
    expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="papermoon-\w+\.ndjson"$/)
    const [first = ''] = url().split('?')
    const pages = await readPages(`${first}?limit=1000${url().includes('?') ? '&interval=1s' : ''}`)
    expect(answer.body.endsWith('\n')).toBe(true)
    expect(
      answer.body
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(pages.flat())
  })

  it.each(LISTS)('of %s has every property of the JSON as a column of CSV', async (_name, url) => {
    const [first] = await read(url())
    const answer = await stream(url(), 'text/csv')
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
    const [head = '', ...lines] = answer.body.split('\r\n')
    // A token's seal has columns even if it is null.
    const whole = first !== undefined && 'seal' in first ? { ...first, seal: SEAL } : first
    expect(head.split(',').sort()).toEqual(listProperties(whole ?? {}).sort())
    expect(lines.pop()).toBe('')
    for (const name of ['seq', 'rank', 'time']) {
      const place = head.split(',').indexOf(name)
      if (place >= 0) expect(lines[0]?.split(',')[place]).toBe(String(first?.[name as 'seq']))
    }
  })

  it.each(LISTS)('of %s has its own URL as a file', async (_name, url) => {
    const [path = '', query = ''] = url().slice('/api/'.length).split('?')
    for (const [ending, accept] of [
      ['csv', 'text/csv'],
      ['ndjson', 'application/x-ndjson'],
    ] as const) {
      const byAccept = await stream(url(), accept)
      const file = await guest.get(`/api/exports/${path}.${ending}?${query}`, { 'accept-encoding': 'identity' })
      expect([file.statusCode, file.body]).toEqual([200, byAccept.body])
      expect(file.headers['content-disposition']).toBe(byAccept.headers['content-disposition'])
      expect(byAccept.headers).toMatchObject({
        deprecation: expect.stringMatching(/^@\d+$/),
        link: `</api/exports/${path}.${ending}${query && '?'}${query}>; rel="successor-version"`,
      })
      for (const [encoding, unpack] of [
        ['gzip', gunzipSync],
        ['br', brotliDecompressSync],
      ] as const) {
        const packed = await guest.get(`/api/exports/${path}.${ending}?${query}`, { 'accept-encoding': encoding })
        expect(packed.headers).toMatchObject({ 'content-encoding': encoding, vary: expect.stringMatching(/encoding/) })
        expect(unpack(packed.rawPayload).toString()).toBe(file.body)
      }
    }
  })

  it('as a file can be read with HEAD, and rejects the same input as its pages', async () => {
    const { statusCode, headers, body } = await guest.send({ method: 'HEAD', url: '/api/exports/trades.csv' })
    expect([statusCode, headers['content-type'], headers['content-length'], body]).toEqual([
      ...[200, 'text/csv; charset=utf-8; header=present', undefined, ''],
    ])
    expect((await guest.get('/api/exports/tokens/2000000000/trades.csv')).statusCode).toBe(404)
    expect((await guest.get('/api/exports/trades.csv?from=yesterday')).statusCode).toBe(400)
    expect((await guest.get('/api/exports/trades.xlsx')).statusCode).toBe(404)
    expect((await guest.post('/api/exports/trades.csv', {})).statusCode).toBe(405)
  })

  it('can have bounds and a limit', async () => {
    const accept = 'application/x-ndjson'
    const [from, to] = [all[7]?.createdAt, all[2]?.createdAt]
    const answer = await stream(`/api/tokens/${id}/trades?from=${from}&to=${to}`, accept)
    expect(answer.body.trimEnd().split('\n')).toEqual(all.slice(3, 8).map((trade) => JSON.stringify(trade)))
    for (const [, url] of LISTS) {
      const two = await stream(`${url()}${url().includes('?') ? '&' : '?'}limit=2`, accept)
      expect(two.body.trimEnd().split('\n')).toHaveLength(2)
    }
    const rest = await stream(`/api/tokens/${id}/trades?cursor=${all[9]?.seq}`, accept)
    expect(rest.body.trimEnd().split('\n')).toEqual(all.slice(10).map((trade) => JSON.stringify(trade)))
  })

  it('of tokens is longer than a page, and has the list’s order and filters', async () => {
    const player = await server.player('many-tokens')
    for (let n = 0; n < 3; n++) await player.launch({ name: `Streamed ${n}`, symbol: 'STR' })
    await sql`
      with copies as (
        insert into tokens (name, symbol, emoji, creator_id, supply, launch_price, launch_fee, created_at)
        select name, symbol, emoji, creator_id, supply, launch_price, launch_fee, created_at
          from tokens, generate_series(1, 600) where name = 'Streamed 0'
        returning id)
      insert into pools (token_id, sol_reserve, virtual_sol, token_reserve, price, last_event_at, chain_head)
      select id, 30, 30, 1000000000, 0.00000003, now(), sha256('') from copies`.execute(server.db)
    for (const sort of ['newest', 'mcap-high']) {
      const url = `/api/tokens?sort=${sort}&search=Streamed`
      const lines = (await stream(url, 'application/x-ndjson')).body.trimEnd().split('\n')
      expect(lines).toHaveLength(603)
      const pages = await readPages(`${url}&limit=1000`)
      expect(lines.map((line) => JSON.parse(line))).toEqual(pages.flat())
    }
    expect((await stream('/api/tokens?cursor=nonsense', 'text/csv')).statusCode).toBe(400)
  })

  it.each([
    ['*/*', 'application/json'],
    ['application/json', 'application/json'],
    ['text/csv;q=0.5, application/json', 'application/json'],
    ['text/csv;q=0', 'application/json'],
    ['text/*', 'application/json'],
    ['application/json;q=0.5, text/csv;q=0.9', 'text/csv'],
    ['application/x-ndjson, */*;q=0.1', 'application/x-ndjson'],
  ])('has the format for Accept: %s, which is %s', async (accept, type) => {
    // Read twice, because the second JSON response comes from the cache.
    for (const url of [`/api/tokens/${id}/trades`, `/api/tokens/${id}/trades`]) {
      const answer = await stream(url, accept)
      expect(String(answer.headers['content-type']).split(';')[0]).toBe(type)
      expect(answer.headers.vary).toMatch(/accept(,|$)/)
    }
  })

  it('contains no formula in a name, and quotes fields that need it', async () => {
    const player = await server.player('formula')
    await player.launch({ name: '=1+1, "x"', symbol: '+A', initialBuyAmount: '1' })
    const answer = await stream('/api/trades?limit=1', 'text/csv')
    expect(answer.body).toContain(`"'=1+1, ""x""","'+A",`)
    const tokens = await stream('/api/tokens?limit=1', 'text/csv')
    expect(tokens.body).toContain(`,"'=1+1, ""x""","'+A",`)
  })
})

// These tests come last, because their many trades make every list long.
describe('a long list', () => {
  it('of candles of seconds is complete, while a page is cut at 12,000 trades', { tags: 'nightly' }, async () => {
    const player = await server.player('many')
    const token = await player.launch()
    await player.post('/api/tokens/buy', { tokenId: token, solAmount: '1' })
    // Add 13,000 trades: 12,500 in the same second, then one per second.
    await sql`
      insert into trades (id, token_id, seq, user_id, side, sol_amount, fee, token_amount, price, sol_reserve,
                          token_reserve, spot_price, created_at, hash)
      select first + n - 1, token_id, 1 + n, user_id, side, 1, 0, 1, price, sol_reserve, token_reserve, n, 
             date_trunc('second', created_at) + interval '1 minute' + greatest(0, n - 12500) * interval '1 second', hash
        from trades, next_position(13000) first, generate_series(1, 13000) n where token_id = ${token}`.execute(
      server.db,
    )
    await server.db.updateTable('pools').set({ seq: 13_001 }).where('token_id', '=', token).execute()
    const candles = (await readPages(`/api/tokens/${token}/candles?interval=1s&limit=1500`)).flat() as unknown as {
      volume: string
      close: string
    }[]
    expect(candles).toHaveLength(502)
    expect(candles.slice(0, 2).map(({ volume, close }) => [volume, close])).toEqual([
      ['1', '13000'],
      ['1', '12999'],
    ])
    expect(candles.at(-2)).toMatchObject({ volume: '12500', close: '12500' })
    // The reads are the call, its rows, and the trades that the candles are computed from.
    expect(await countReads(`/api/tokens/${token}/candles?interval=1s&limit=1`)).toBe(1)
    expect(await countReads(`/api/tokens/${token}/candles?interval=1s&limit=1500`)).toBe(1 + 15 + 48)
  })
})
