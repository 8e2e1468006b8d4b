import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createHouseBots } from '../../src/house/create-house-bots.ts'
import { createTestServer, shareTestServer, type Visitor } from '../support/test-server.ts'

const server = await shareTestServer()

const declare = (player: Visitor, isBot: boolean) => player.put('/api/account/bot', { isBot })
const get = async (url: string) => (await server.visitor().get(url)).json()

/** Returns every player's name in a response, paired with its `isBot`. */
function namesIn(answer: unknown): [string, unknown][] {
  if (Array.isArray(answer)) return answer.flatMap(namesIn)
  if (typeof answer !== 'object' || answer === null) return []
  const { username, isBot } = answer as { username?: string; isBot?: unknown }
  const own: [string, unknown][] = username === undefined ? [] : [[username, isBot]]
  return [...own, ...Object.values(answer).flatMap(namesIn)]
}

async function spans(player: Visitor) {
  const id = await player.id()
  return await server.db
    .selectFrom('bot_spans')
    .select(['since', 'until'])
    .where('user_id', '=', id)
    .orderBy('since')
    .execute()
}

describe('an account', () => {
  it('can declare that it is a bot, and later that a person plays again', async () => {
    const player = await server.player()
    expect((await player.get('/api/auth/user')).json().isBot).toBe(false)
    expect((await declare(player, true)).json()).toEqual({ isBot: true })
    expect((await player.get('/api/auth/user')).json().isBot).toBe(true)
    expect((await get(`/api/users/${await player.id()}/profile`)).user).toMatchObject({
      isBot: true,
      emoji: null,
      about: null,
    })
    server.passTime(60_000)
    expect((await player.mutate('account.declareBot', { isBot: false })).json().result.data.json).toEqual({
      isBot: false,
    })
    expect((await get(`/api/users/${await player.id()}/profile`)).user.isBot).toBe(false)
    const [span] = await spans(player)
    expect((span?.until?.getTime() ?? 0) - (span?.since.getTime() ?? 0)).toBeGreaterThanOrEqual(60_000)
  })

  it('records each change as an event, and no event without a change', async () => {
    const player = await server.player()
    for (const isBot of [false, true, true, false, false]) await declare(player, isBot)
    const events = (await player.get('/api/account/events')).json()
    const kinds = events.map(({ kind }: { kind: string }) => kind).filter((kind: string) => kind.startsWith('bot_'))
    expect(kinds).toEqual(['bot_withdrawn', 'bot_declared'])
    expect(await spans(player)).toHaveLength(1)
  })

  it('has one open span, even if it declares several times at once', async () => {
    const player = await server.player()
    const answers = await Promise.all(Array.from({ length: 8 }, () => declare(player, true)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 8 }, () => 200))
    expect(await spans(player)).toMatchObject([{ until: null }])
  })

  it('is limited to twenty declarations in ten minutes', async () => {
    const limited = await createTestServer({ env: { RATE_LIMIT: 'on' } })
    const player = await limited.player()
    const codes: number[] = []
    for (let i = 0; i < 21; i++) codes.push((await declare(player, i % 2 === 0)).statusCode)
    await limited.close()
    expect(codes).toEqual([...Array.from({ length: 20 }, () => 200), 429])
  })

  it('of the house cannot stop being a bot', async () => {
    const [bot] = await createHouseBots(server.db, [{ name: 'Owl', emoji: '🦉', about: 'I wait.' }], { at: new Date() })
    const key = { authorization: `Bearer ${bot?.key}` }
    const refused = await server
      .visitor()
      .raw('PUT', '/api/account/bot', '{"isBot":false}', { 'content-type': 'application/json', ...key })
    expect(refused.statusCode).toBe(403)
    expect((await get(`/api/users/${bot?.userId}/profile`)).user).toMatchObject({
      isBot: true,
      emoji: '🦉',
      about: 'I wait.',
    })
  })
})

describe('every response', () => {
  let bot: Visitor
  let person: Visitor
  let tokenId: number
  beforeAll(async () => {
    bot = await server.player('clockwork')
    person = await server.player('human')
    await declare(bot, true)
    tokenId = await bot.launch({ initialBuyAmount: '2' })
    await person.post('/api/tokens/buy', { tokenId, solAmount: '1' })
  })
  const kinds: readonly [string, boolean][] = [
    ['clockwork', true],
    ['human', false],
  ]

  const answers = (): readonly string[] => [
    `/api/tokens/${tokenId}`,
    '/api/tokens?limit=10',
    '/api/tokens/movers',
    '/api/tokens/tape',
    `/api/tokens/${tokenId}/trades`,
    `/api/tokens/${tokenId}/holders`,
  ]

  it('marks each name as bot or player, and changes at once', async () => {
    for (const isBot of [true, false, true]) {
      await declare(bot, isBot)
      for (const url of answers()) {
        const response = await server.visitor().get(url)
        expect([url, response.statusCode]).toEqual([url, 200])
        const names = namesIn(response.json()).filter(([name]) => kinds.some(([known]) => known === name))
        expect([url, names.length > 0]).toEqual([url, true])
        for (const [name, said] of names) expect([url, name, said]).toEqual([url, name, name === 'clockwork' && isBot])
      }
    }
  })

  it('to an order and its repeat has the same mark', async () => {
    const order = { tokenId, solAmount: '0.5', requestId: 'same-order' }
    for (const [player, isBot] of [
      [bot, true],
      [person, false],
    ] as const) {
      const first = (await player.post('/api/tokens/buy', order)).json()
      const repeated = (await player.post('/api/tokens/buy', order)).json()
      expect([first.trade.isBot, repeated.trade.isBot, repeated.trade.id]).toEqual([isBot, isBot, first.trade.id])
    }
  })

  it('to a rug pull marks creator and losers', async () => {
    const rugged = await bot.launch()
    await person.post('/api/tokens/buy', { tokenId: rugged, solAmount: '1' })
    await bot.raw('POST', `/api/tokens/${rugged}/rug`, '')
    const report = await get(`/api/tokens/${rugged}/rug`)
    expect(namesIn(report)).toEqual(expect.arrayContaining([...kinds]))
  })
})

describe('live events', () => {
  const detach: (() => void)[] = []
  afterEach(() => {
    for (const end of detach.splice(0)) end()
  })

  it('mark launches, trades and rug pulls, both from the engine and from the journal', async () => {
    const bot = await server.player('cog')
    await declare(bot, true)
    const live: unknown[] = []
    detach.push(server.app.live.feed.onEvent((event) => live.push(event)))
    const tokenId = await bot.launch({ initialBuyAmount: '1' })
    await bot.raw('POST', `/api/tokens/${tokenId}/rug`, '')
    const seen = live.flatMap((event) => namesIn(event))
    expect(seen).toEqual([
      ['cog', true],
      ['cog', true],
      ['cog', true],
    ])
    const { readJournal } = await import('../../src/events/journal-reader.ts')
    const range = { after: 0, through: server.app.live.feed.position, limit: 100, tokens: [tokenId] }
    const stored = (await readJournal(server.db, range)).events.map(({ event }) => event)
    expect(stored.flatMap((event) => namesIn(event))).toEqual(seen)
    expect(JSON.parse(JSON.stringify(stored))).toEqual(
      JSON.parse(JSON.stringify(live)).map((event: { trade?: object; holding?: string }) =>
        event.trade === undefined ? event : { ...event, holding: expect.any(String) },
      ),
    )
  })

  it('change at once on this node after a declaration, and within seconds on another', async () => {
    const player = await server.player('switcher')
    const other = await createTestServer({ database: server.database, env: {} }).then((twin) => ({
      ...twin,
      close: twin.fastify.close.bind(twin.fastify),
    }))
    const tokenId = await player.launch()
    const elsewhere = other.visitor()
    elsewhere.cookie = player.cookie
    const buyAt = async (visitor: Visitor) =>
      (await visitor.post('/api/tokens/buy', { tokenId, solAmount: '0.1' })).json().trade.isBot
    expect(await buyAt(elsewhere)).toBe(false)
    const cached = async () =>
      namesIn((await other.visitor().get(`/api/tokens/${tokenId}/trades`)).json()).map(([, isBot]) => isBot)
    expect(await cached()).toEqual([false])
    await declare(player, true)
    expect(await buyAt(player)).toBe(true)
    other.passTime(3_001)
    expect(await buyAt(elsewhere)).toBe(true)
    await expect.poll(cached).toEqual([true, true, true])
    await other.close()
  })
})

describe('the database', () => {
  it('allows at most one open span per account', async () => {
    const id = await (await server.player()).id()
    const insert = () =>
      sql`insert into bot_spans (user_id, since) values (${id}, clock_timestamp() + random() * interval '1 day')`.execute(
        server.db,
      )
    await insert()
    await expect(insert()).rejects.toMatchObject({ code: '23505' })
  })
})
