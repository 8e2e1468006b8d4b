import {
  computeMarketCap,
  Decimal,
  launchPool,
  parseSol,
  priceText,
  quoteBuy,
  quoteSell,
  tokensText,
} from '@papermoon/amm'
import { beforeEach, describe, expect, it } from 'vitest'
import { shareTestServer, type Visitor } from '../support/test-server.ts'

const DAY_MS = 86_400_000

let tokenId: number
const server = await shareTestServer()
const creator = await server.player('Ringmaster')
beforeEach(async () => {
  await server.db.updateTable('accounts').set({ sol_balance: '1000000' }).execute()
  tokenId = await creator.launch({ initialBuyAmount: '1' })
})

const story = () => server.visitor().get(`/api/tokens/${tokenId}/rug`)
const pull = async (): Promise<string> => (await creator.post(`/api/tokens/${tokenId}/rug`, {})).json().ruggedAmount
const buy = async (player: Visitor, solAmount = '0.01'): Promise<string> =>
  (await player.post('/api/tokens/buy', { tokenId, solAmount })).json().tokensOut
const sell = (player: Visitor, tokenAmount: string) => player.post('/api/tokens/sell', { tokenId, tokenAmount })

describe('GET /api/tokens/{id}/rug', () => {
  it('shows guests how much the creator took, and how much each player lost', async () => {
    const [rosa, kite] = [await server.player('Rosa'), await server.player('Kite')]
    const { createdAt } = (await creator.get(`/api/tokens/${tokenId}`)).json()
    const rosas = await buy(rosa, '2')
    const kites = await buy(kite, '5')
    const ruggedAmount = await pull()
    const { ruggedAt } = (await creator.get(`/api/tokens/${tokenId}`)).json()
    const first = quoteBuy(launchPool(), parseSol('1'))
    const second = quoteBuy(first.pool, parseSol('2'))
    const peak = quoteBuy(second.pool, parseSol('5')).spotAfter
    expect((await story()).json()).toEqual({
      tokenId,
      creator: { id: expect.any(Number), username: 'Ringmaster', isBot: false },
      launchedAt: createdAt,
      ruggedAt,
      // The pool received 8 SOL, minus the fee of 0.3 %.
      ruggedAmount: '7.976',
      totalTrades: 3,
      peakMarketCap: priceText(computeMarketCap(peak)),
      holders: 2,
      lost: '7',
      losers: [
        { rank: 1, userId: expect.any(Number), username: 'Kite', isBot: false, amount: kites, cost: '5' },
        { rank: 2, userId: expect.any(Number), username: 'Rosa', isBot: false, amount: rosas, cost: '2' },
      ],
    })
    expect(ruggedAmount).toBe('7.976')
  })

  it('counts unsold tokens only', async () => {
    const [early, late] = [await server.player('Early'), await server.player('Late')]
    const all = await buy(early, '3')
    await sell(early, all)
    const held = await buy(late, '4')
    const { position } = (await sell(late, tokensText(new Decimal(held).div(4)))).json()
    await pull()
    const { holders, lost, losers } = (await story()).json()
    expect([holders, lost]).toEqual([1, position.cost])
    expect(losers).toEqual([
      {
        rank: 1,
        userId: expect.any(Number),
        username: 'Late',
        isBot: false,
        amount: position.amount,
        cost: position.cost,
      },
    ])
  })

  it('names at most ten players, but counts all', async () => {
    const costs = Array.from({ length: 12 }, (_, index) => String(index + 1))
    for (const cost of costs) await buy(await server.player(), cost)
    await pull()
    const { holders, lost, losers } = (await story()).json()
    expect([holders, lost]).toEqual([12, '78'])
    expect(losers.map((loser: { cost: string }) => loser.cost)).toEqual([...costs].reverse().slice(0, 10))
  })

  it('has the highest price ever, even if the token fell long before the rug pull', async () => {
    const player = await server.player('Whale')
    const bought = await buy(player, '50')
    const first = quoteBuy(launchPool(), parseSol('1'))
    const top = quoteBuy(first.pool, parseSol('50'))
    await sell(player, bought)
    server.passTime(3 * DAY_MS)
    await pull()
    const reported = (await story()).json()
    expect(reported).toMatchObject({ holders: 0, lost: '0', losers: [] })
    expect(reported.peakMarketCap).toBe(priceText(computeMarketCap(top.spotAfter)))
    expect(quoteSell(top.pool, top.tokensOut).spotAfter.lt(top.spotAfter)).toBe(true)
    expect(Date.parse(reported.ruggedAt) - Date.parse(reported.launchedAt)).toBeGreaterThanOrEqual(3 * DAY_MS)
  })

  it('also works for a token without trades', async () => {
    tokenId = await creator.launch()
    await pull()
    expect((await story()).json()).toMatchObject({
      ruggedAmount: '0',
      totalTrades: 0,
      peakMarketCap: '30',
      holders: 0,
      losers: [],
    })
  })

  it('returns 404 for an open and for an unknown token', async () => {
    const open = await story()
    expect([open.statusCode, open.body]).toEqual([404, 'This token was not rugged.'])
    await pull()
    expect((await story()).statusCode).toBe(200)
    tokenId = 2_000_000_000
    expect((await story()).body).toBe('Token not found.')
  })
})

const trader = await server.player('Trader')
const marked = async (visitor: Visitor): Promise<{ seq: number }[]> =>
  (await visitor.get(`/api/tokens/${tokenId}/trades/marked`)).json()
const seqsFor = async (visitor: Visitor) => (await marked(visitor)).map(({ seq }) => seq)

describe('GET /api/tokens/{id}/trades/marked', () => {
  it('shows guests the creator’s trades, and shows players their own trades as well', async () => {
    await sell(trader, await buy(trader))
    await buy(await server.player())
    await buy(creator)
    expect(await seqsFor(server.visitor())).toEqual([5, 1])
    expect(await seqsFor(creator)).toEqual([5, 1])
    const users = await Promise.all([creator, trader].map((player) => player.get('/api/auth/user')))
    const [creatorId, traderId] = users.map((user) => user.json().id)
    expect(await marked(trader)).toEqual([
      { seq: 5, side: 'buy', userId: creatorId, createdAt: expect.stringMatching(/Z$/) },
      { seq: 3, side: 'sell', userId: traderId, createdAt: expect.stringMatching(/Z$/) },
      { seq: 2, side: 'buy', userId: traderId, createdAt: expect.stringMatching(/Z$/) },
      { seq: 1, side: 'buy', userId: creatorId, createdAt: expect.stringMatching(/Z$/) },
    ])
  })

  it('includes trades that are older than the list of trades, and none of other tokens', async () => {
    const other = await creator.launch({ initialBuyAmount: '1' })
    for (let buys = 0; buys < 55; buys++) await buy(trader)
    expect(await seqsFor(server.visitor())).toEqual([1])
    expect(await seqsFor(trader)).toHaveLength(56)
    expect((await trader.get(`/api/tokens/${other}/trades/marked`)).json()).toHaveLength(1)
  })

  it('shows at most the newest 200', async () => {
    for (let buys = 0; buys < 205; buys++) await buy(trader, '0.001')
    const seqs = await seqsFor(trader)
    expect([seqs.length, seqs[0], seqs.at(-1)]).toEqual([200, 206, 7])
  })

  it('is empty for a token without a trade', async () => {
    tokenId = await creator.launch()
    expect(await marked(trader)).toEqual([])
  })
})

const launch = async (more: object) =>
  (await creator.post('/api/tokens/launch', { name: 'Paper Moon', symbol: 'MOON', ...more })).json()

describe('the emoji of a launch', () => {
  it.each([{}, { emoji: '' }, { emoji: '  ' }])('is a coin if none is sent: %o', async (sent) => {
    const { id, token } = await launch(sent)
    expect(token).toMatchObject({ id, emoji: '🪙' })
  })

  it('is otherwise the one that is sent', async () => {
    expect((await launch({ emoji: ' 🌙 ' })).token.emoji).toBe('🌙')
  })

  it('does not make a repeat a different order if only the repeat names the coin', async () => {
    const requestId = 'the-same-launch'
    const { id } = await launch({ emoji: '', requestId })
    expect(await launch({ requestId })).toMatchObject({ id })
    expect(await launch({ emoji: '🪙', requestId })).toMatchObject({ id })
  })
})

it('normalizes links as in the URL standard', async () => {
  const { token } = await launch({ website: ' HTTPS://Moon.example/ä?b=ö ', x: 'https://x.com/moon' })
  expect([token.website, token.x]).toEqual(['https://moon.example/%C3%A4?b=%C3%B6', 'https://x.com/moon'])
})
