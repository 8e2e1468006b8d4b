import { beforeEach, describe, expect, it } from 'vitest'
import { createHouseBots } from '../../src/house/create-house-bots.ts'
import { shareTestServer, type Visitor } from '../support/test-server.ts'

interface Listed {
  readonly id: number
  readonly currentPrice: string
  readonly seq: number
}
type Movers = Record<'fresh' | 'rising' | 'hot', Listed[]>

let creator: Visitor
let trader: Visitor
const server = await shareTestServer({ hasJobs: false })
beforeEach(async () => {
  // The earlier tests' trades are now more than a day old, so they do not count.
  server.passTime(25 * 3_600_000)
  creator = await server.player()
  trader = await server.player()
})
const movers = async (): Promise<Movers> => (await server.visitor().get('/api/tokens/movers')).json()
const tape = async (): Promise<Record<string, unknown>[]> => (await server.visitor().get('/api/tokens/tape')).json()
const buy = async (tokenId: number, solAmount: string) =>
  (await trader.post('/api/tokens/buy', { tokenId, solAmount })).json()
const toIds = (tokens: readonly Listed[]) => tokens.map(({ id }) => id)

describe('GET /api/tokens/movers', () => {
  it('lists new tokens, rising tokens by number of other buyers, and most traded tokens', async () => {
    const [quiet, small, large] = [await creator.launch(), await creator.launch(), await creator.launch()]
    await buy(small, '0.5')
    const { tokensOut } = await buy(large, '3')
    const { fresh, rising, hot } = await movers()
    expect(toIds(fresh).slice(0, 3)).toEqual([large, small, quiet])
    // Both have the same number of buyers, so the larger gain comes first.
    expect(toIds(rising)).toEqual([large, small])
    expect(toIds(hot)).toEqual([large, small])

    // The token is still the most traded, but its price fell, so it is hot and not rising.
    await trader.post('/api/tokens/sell', { tokenId: large, tokenAmount: tokensOut })
    await creator.post(`/api/tokens/${quiet}/rug`, {})
    const after = await movers()
    expect(toIds(after.rising)).toEqual([small])
    expect(toIds(after.hot)).toEqual([large, small])
  })

  it('lists no token that only its creator buys, and ranks by buyers before gains', async () => {
    const own = await creator.launch({ initialBuyAmount: '40' })
    await creator.post('/api/tokens/buy', { tokenId: own, solAmount: '10' })
    expect(await movers()).toMatchObject({ rising: [], hot: [{ id: own }] })

    const crowded = await creator.launch()
    await buy(own, '10')
    await buy(crowded, '0.1')
    await (await server.player()).post('/api/tokens/buy', { tokenId: crowded, solAmount: '0.1' })
    server.passTime(11_000)
    const { rising, hot } = await movers()
    expect([toIds(rising), toIds(hot)]).toEqual([
      [crowded, own],
      [own, crowded],
    ])
  })

  it('does not count bots as buyers, and lists no token that only bots buy', async () => {
    const [byBot, byPerson] = [await creator.launch(), await creator.launch()]
    const bot = await server.player()
    const declared = { 'content-type': 'application/json' }
    expect((await bot.raw('PUT', '/api/account/bot', '{"isBot":true}', declared)).statusCode).toBe(200)
    const [house] = await createHouseBots(server.db, [{ name: 'Owl', emoji: '🦉', about: 'I wait.' }], {
      at: new Date(),
    })
    const key = { authorization: `Bearer ${house?.key}` }
    await bot.post('/api/tokens/buy', { tokenId: byBot, solAmount: '5' })
    await server.visitor().post('/api/tokens/buy', { tokenId: byBot, solAmount: '5' }, key)
    expect((await movers()).rising).toEqual([])

    await buy(byPerson, '0.1')
    await bot.post('/api/tokens/buy', { tokenId: byPerson, solAmount: '0.1' })
    server.passTime(11_000)
    const { rising, hot } = await movers()
    expect([toIds(rising), toIds(hot)]).toEqual([[byPerson], [byBot, byPerson]])
  })

  it('counts each buyer once and no sellers', async () => {
    const [twice, both] = [await creator.launch(), await creator.launch()]
    const other = await server.player()
    await buy(both, '0.1')
    await other.post('/api/tokens/buy', { tokenId: both, solAmount: '0.1' })
    for (let count = 0; count < 4; count++) await buy(twice, '2')
    expect(toIds((await movers()).rising)).toEqual([both, twice])

    // A day later nobody has bought within 24 hours, and a seller does not count as a buyer.
    server.passTime(25 * 3_600_000)
    const [{ amount }] = (await other.get('/api/portfolio')).json()
    await other.post('/api/tokens/sell', { tokenId: both, tokenAmount: amount })
    expect((await movers()).rising).toEqual([])
  })

  it('shows current figures after a trade in every list', async () => {
    const id = await creator.launch()
    await buy(id, '1')
    await movers()
    await buy(id, '2')
    const token: Listed = (await server.visitor().get(`/api/tokens/${id}`)).json()
    const { fresh, ...others } = await movers()
    expect({ fresh: fresh[0], ...others }).toEqual({ fresh: token, rising: [token], hot: [token] })
  })

  it('shows a launch at once, and no rugged token among rising or hot ones', async () => {
    const id = await creator.launch({ initialBuyAmount: '1' })
    expect(toIds((await movers()).hot)).toEqual([id])
    const next = await creator.launch()
    expect(toIds((await movers()).fresh).slice(0, 2)).toEqual([next, id])
    await creator.post(`/api/tokens/${id}/rug`, {})
    const { fresh, ...others } = await movers()
    expect(others).toEqual({ rising: [], hot: [] })
    expect(fresh.slice(0, 2)).toMatchObject([{ id: next }, { id, currentPrice: '0' }])
  })

  it('lists at most 8 tokens each', async () => {
    for (let count = 0; count < 10; count++) await buy(await creator.launch(), '0.1')
    const columns = Object.values(await movers())
    expect(columns.map((column) => column.length)).toEqual([8, 8, 8])
  })
})

describe('GET /api/tokens/tape', () => {
  it('shows the newest trades of all tokens with their names, newest first', async () => {
    const moon = await creator.launch({ name: 'Paper Moon', symbol: 'MOON', emoji: '🌙' })
    const goose = await creator.launch({ name: 'Goose', symbol: 'HONK' })
    await buy(moon, '1')
    expect((await tape())[0]).toMatchObject({ tokenId: moon })
    await buy(goose, '2')
    expect((await tape()).slice(0, 2)).toMatchObject([
      { tokenId: goose, tokenName: 'Goose', tokenSymbol: 'HONK', emoji: '🪙', side: 'buy', solAmount: '2', seq: 1 },
      { tokenId: moon, tokenName: 'Paper Moon', tokenSymbol: 'MOON', emoji: '🌙', side: 'buy', solAmount: '1', seq: 1 },
    ])
  })

  it('lists at most 20 trades', async () => {
    const id = await creator.launch()
    for (let count = 0; count < 22; count++) await buy(id, '0.01')
    const seqs = (await tape()).map(({ seq }) => seq)
    expect([seqs.length, seqs[0], seqs.at(-1)]).toEqual([20, 22, 3])
  })
})
