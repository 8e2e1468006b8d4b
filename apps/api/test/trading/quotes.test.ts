import { sql } from 'kysely'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createTestServer, shareTestServer, type Visitor } from '../support/test-server.ts'

const DAY_MS = 24 * 3_600_000

const server = await shareTestServer()
const player = await server.player('quoter')
const guest = server.visitor()
const token = await player.launch({ initialBuyAmount: '3' })

const readTables = async () =>
  (
    await sql`select 'pools' as name, json_agg(t)::text as rows from pools t
      union all select 'accounts', json_agg(t)::text from accounts t
      union all select 'trades', json_agg(t)::text from trades t
      union all select 'tokens', json_agg(t)::text from tokens t`.execute(server.db)
  ).rows

describe('POST /api/quotes', () => {
  it('returns to a guest what the same buy and sale then do', async () => {
    for (const [side, amount] of [
      ['buy', { solAmount: '1.234567891' }],
      ['sell', { tokenAmount: '1234567.654321' }],
    ] as const) {
      const quote = (await guest.post('/api/quotes', { side, tokenId: token, ...amount })).json()
      const order = (await player.post(`/api/tokens/${side}`, { tokenId: token, ...amount })).json()
      const { trade } = order
      expect(quote).toMatchObject({
        side,
        tokenId: token,
        seq: trade.seq - 1,
        solAmount: trade.solAmount,
        tokenAmount: trade.tokenAmount,
        fee: trade.fee,
        launchFee: null,
        price: trade.price,
        newPrice: order.newPrice,
      })
      const { currentPrice, marketCap } = (await guest.get(`/api/tokens/${token}`)).json()
      expect([currentPrice, marketCap]).toEqual([quote.newPrice, quote.newMarketCap])
    }
  })

  it('returns what a launch costs and brings', async () => {
    const quote = (await guest.post('/api/quotes', { side: 'launch', initialBuyAmount: '2' })).json()
    const id = await player.launch({ initialBuyAmount: '2' })
    const [trade] = (await guest.get(`/api/tokens/${id}/trades`)).json()
    expect(quote).toMatchObject({
      tokenId: null,
      seq: 0,
      launchFee: '0.02',
      tokenAmount: trade.tokenAmount,
      newPrice: trade.spotPrice,
    })
    const bare = (await guest.post('/api/quotes', { side: 'launch' })).json()
    expect(bare).toMatchObject({
      solAmount: '0',
      tokenAmount: '0',
      price: null,
      priceImpact: '0.00',
      newMarketCap: '30',
    })
  })

  it('says which fields a side requires or does not have', async () => {
    const ask = async (input: object) => {
      const answer = await guest.post('/api/quotes', input, { accept: 'application/json' })
      expect(answer.statusCode).toBe(400)
      return answer.json().errors.map(({ message }: { message: string }) => message)
    }
    expect(await ask({ side: 'buy' })).toEqual(['tokenId is required.', 'solAmount is required.'])
    expect(await ask({ side: 'sell', tokenId: 1, solAmount: '1' })).toEqual([
      'tokenAmount is required.',
      'solAmount does not belong to a sell.',
    ])
    expect(await ask({ side: 'launch', tokenId: 1 })).toEqual(['tokenId does not belong to a launch.'])
  })
})

describe('an order with dryRun', () => {
  it('returns what the order would do, is marked as a dry run, and changes nothing', async () => {
    const orders = [
      ['/api/tokens/buy', { tokenId: token, solAmount: '0.5' }],
      ['/api/tokens/sell', { tokenId: token, tokenAmount: '1000' }],
    ] as const
    for (const [url, order] of orders) {
      const before = await readTables()
      const dry = await player.post(url, { ...order, dryRun: true })
      expect(await readTables()).toEqual(before)
      const done = (await player.post(url, { ...order, dryRun: false })).json()
      const { createdAt: _at, ...trade } = done.trade
      expect(dry.json()).toMatchObject({ ...done, trade: { ...trade, id: 0 }, dryRun: true })
      expect(done.dryRun).toBeUndefined()
    }
  })

  it('of a launch gets 200 with the token it would create', async () => {
    const input = { name: 'Dry Moon', symbol: 'dry', description: 'Never was', initialBuyAmount: '1' }
    const before = await readTables()
    const dry = await player.post('/api/tokens/launch', { ...input, dryRun: true })
    expect(await readTables()).toEqual(before)
    const done = await player.post('/api/tokens/launch', input)
    expect([dry.statusCode, done.statusCode]).toEqual([200, 201])
    const { id: _id, createdAt: _at, lastEventAt: _last, ...token } = done.json().token
    expect(dry.json()).toMatchObject({ id: 0, dryRun: true, token: { ...token, id: 0 } })
  })
})

describe('the spending limit of an API key', () => {
  beforeAll(() => server.passToNoon())

  const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
  const makeKey = async (owner: Visitor, more: object) => {
    const answer = await owner.post('/api/keys', { name: 'bot', scopes: ['trade'], ...more })
    expect(answer.statusCode).toBe(201)
    return answer.json()
  }

  it('is set with the key, rejects orders beyond it, and is shown with the amount spent', async () => {
    const owner = await server.player('spender')
    const made = await makeKey(owner, { spendingLimit: '2.50' })
    expect(made).toMatchObject({ spendingLimit: '2.5', spentToday: '0' })
    const bot = server.visitor()
    const buy = (solAmount: string, more = {}) =>
      bot.post('/api/tokens/buy', { tokenId: token, solAmount, ...more }, bearer(made.key))
    expect((await buy('1', { requestId: 'a' })).statusCode).toBe(200)
    expect((await buy('1', { requestId: 'a' })).statusCode).toBe(200)
    const launch = { name: 'Bot', symbol: 'BOT', initialBuyAmount: '0.48' }
    expect((await bot.post('/api/tokens/launch', launch, bearer(made.key))).statusCode).toBe(201)
    const [dry, refused] = [await buy('1.01', { dryRun: true }), await buy('1.01')]
    expect(refused.json()).toMatchObject({
      status: 422,
      code: 'SPENDING_LIMIT_REACHED',
      detail: expect.stringMatching(
        /^This API key can spend 2\.5 SOL a day. It has 1 SOL left until \d{4}-\d\d-\d\d 00:00 UTC, but this order needs 1\.01 SOL\.$/,
      ),
    })
    // The responses are equal except for `instance`, which names the request.
    expect({ ...dry.json(), instance: '' }).toEqual({ ...refused.json(), instance: '' })
    const [listed] = (await owner.get('/api/keys')).json()
    expect(listed).toMatchObject({ spendingLimit: '2.5', spentToday: '1.5' })
    const { caller } = (await bot.get('/api/parameters', bearer(made.key))).json()
    expect(caller).toMatchObject({ kind: 'key', key: { spendingLimit: '2.5', spentToday: '1.5', leftToday: '1' } })
    expect((await owner.post('/api/tokens/buy', { tokenId: token, solAmount: '5' })).statusCode).toBe(200)
    server.passTime(DAY_MS)
    expect((await owner.get('/api/keys')).json()[0]).toMatchObject({ spentToday: '0' })
    expect((await buy('2.5')).statusCode).toBe(200)
  })

  it('is optional', async () => {
    const owner = await server.player('free-spender')
    const made = await makeKey(owner, { spendingLimit: null })
    expect(made).toMatchObject({ spendingLimit: null, spentToday: null })
    const { caller } = (await server.visitor().get('/api/parameters', bearer(made.key))).json()
    expect(caller.key).toMatchObject({ spendingLimit: null, leftToday: null, resetsAt: null })
  })
})

describe('GET /api/parameters', () => {
  it('contains the market’s constants, the limits and the caller', async () => {
    const anonymous = (await guest.get('/api/parameters')).json()
    expect(anonymous).toMatchObject({
      tradingFee: '0.003',
      launchFee: '0.02',
      supply: '1000000000',
      virtualSol: '30',
      startingBalance: '100',
      decimals: { sol: 9, token: 6, price: 18 },
      solPriceUsd: '200',
      ordersUnderWay: 8,
      caller: { kind: 'anonymous', userId: null, key: null },
    })
    const session = (await player.get('/api/parameters')).json()
    expect(session.caller).toMatchObject({ kind: 'session', userId: expect.any(Number), key: null })
  })

  it('contains the limits that matter to programs, unless they are off', async () => {
    expect((await guest.get('/api/parameters')).json().rateLimits).toEqual([])
    const limited = await createTestServer({ env: { RATE_LIMIT: 'on' } })
    onTestFinished(() => limited.close())
    expect((await limited.visitor().get('/api/parameters')).json().rateLimits).toEqual([
      { name: 'read', perAddress: { calls: 1_200, seconds: 10 }, perAccount: null },
      { name: 'write', perAddress: { calls: 1_200, seconds: 10 }, perAccount: { calls: 600, seconds: 10 } },
      { name: 'launch', perAddress: { calls: 60, seconds: 600 }, perAccount: { calls: 20, seconds: 600 } },
      { name: 'upload', perAddress: { calls: 120, seconds: 600 }, perAccount: { calls: 40, seconds: 600 } },
      { name: 'waiting', perAddress: null, perAccount: { calls: 2_000, seconds: 86_400 } },
      { name: 'webhook', perAddress: { calls: 60, seconds: 600 }, perAccount: { calls: 30, seconds: 600 } },
    ])
  })
})
