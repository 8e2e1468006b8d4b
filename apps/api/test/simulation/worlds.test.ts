import { createHash } from 'node:crypto'
import { connect } from '@papermoon/db'
import { createTestDatabase, type TestDatabase } from '@papermoon/db/testing'
import { ManualTimers, readBooks, startCuttingProxy } from '@papermoon/engine/testing'
import fc from 'fast-check'
import type { LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { auditMarket } from '../../src/features/audit/audit-market.ts'
import { openEventSource, type SourceEvent, type TestEventSource } from '../support/event-source.ts'
import { changeFair, openRoom } from '../support/fairs.ts'
import { createTestServer, errorsIn, type TestServer, type Visitor } from '../support/test-server.ts'
import { at } from '../support/two-nodes.ts'

/** `WORLDS=200 TEST_SEED=1 npm run t -- simulation` runs more worlds, or repeats a failure. */
const WORLDS = Number(process.env.WORLDS ?? 5)
const TEST_MAX_MS = process.env.WORLDS === undefined ? 240_000 : 3_600_000
const PLAYERS = 3
const SECOND_MS = 1_000
const TERMS = ['hour', 'day', 'week']

const anyStep = fc.record({
  act: fc.constantFrom(
    ...(['buy', 'buy', 'sell', 'limit', 'limit', 'stop', 'cancel', 'seal'] as const),
    ...(['post', 'fairBuy', 'fairBuy', 'fairSell', 'fairPost', 'bell', 'poll', 'poll', 'resume', 'resume'] as const),
  ),
  node: fc.nat(1),
  player: fc.nat(PLAYERS - 1),
  share: fc.integer({ min: 1, max: 999 }),
  /** The fault of the next commit: none, or a lost connection before the commit or before its response. */
  loss: fc.constantFrom(null, null, null, 'before', 'cut' as const),
})
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never

let database: TestDatabase
let proxy: Awaited<ReturnType<typeof startCuttingProxy>>
let nodes: TestServer[]
let origins: string[]
const timers = new ManualTimers()
/** Counts the events of all worlds, to check that each check had something to check. */
const counts = { trades: 0, fills: 0, posts: 0, lost: 0 }
let keys = 0
let names = 0
let texts = 0

beforeAll(async () => {
  database = await createTestDatabase()
  proxy = await startCuttingProxy(database.address)
  const open = () => {
    const client = connect(proxy.address, { poolMax: 8 })
    const own = { ...database, ...client, drop: () => client.close() }
    return createTestServer({ timers, database: own, env: { DATABASE_URL: database.connectionString } })
  }
  nodes = [await open(), await open()]
  origins = await Promise.all(nodes.map(async (node) => `http://127.0.0.1:${await node.listen()}`))
})
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.close()))
  proxy.close()
  await database.drop()
})

const nodeAt = (n: number) => nodes[n % 2] as TestServer

/** Lets a second pass on both nodes. The query gives their own queries time to complete. */
async function passSecond(): Promise<void> {
  timers.pass(SECOND_MS)
  await sql`select 1`.execute(database.db)
}

/** Waits at most an hour of the simulated time. Then the caller's own check fails with a better message. */
async function passUntil(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let seconds = 0; seconds < 3_600 && !(await isSo()); seconds++) await passSecond()
}

/** The expected state of a world's market, from the responses that its players got. */
class Market {
  readonly tokenId: number
  /** Sequence numbers of the trades with a response, by key. */
  readonly #answered = new Map<string, number>()
  readonly #posts: number[] = []
  /** The topic of the world's posts. */
  readonly #topic: readonly [string, number]
  readonly #query: string
  #listeners: Listener[] = []

  constructor(tokenId: number, fairId: number | null) {
    this.tokenId = tokenId
    this.#topic = fairId === null ? ['tokenId', tokenId] : ['fairId', fairId]
    this.#query = fairId === null ? `types=trade&tokens=${tokenId}` : `types=trade,fair&fairs=${fairId}`
  }

  /** Repeats an order with the same key at the other node until there is a response, like clients do. */
  async order(player: Visitor, path: string, body: object, node: number): Promise<LightMyRequestResponse> {
    const key = `key-${keys++}`
    for (let tries = node; ; tries++) {
      const answer = await at(nodeAt(tries), player).post(path, body, { 'idempotency-key': key })
      if (answer.statusCode >= 500) {
        counts.lost++
        await passSecond()
        continue
      }
      const seq = answer.statusCode < 300 ? answer.json().trade?.seq : undefined
      if (seq !== undefined) this.#answered.set(key, seq)
      return answer
    }
  }

  /** Posts once, without a retry. If no response comes, the post may or may not exist. */
  async post(player: Visitor, text: string, node: number): Promise<void> {
    const [name, id] = this.#topic
    const answer = await at(nodeAt(node), player).post('/api/talk', { [name]: id, text })
    if (answer.statusCode === 201) this.#posts.push(answer.json().id)
  }

  async listen(player: Visitor): Promise<void> {
    this.#listeners = await Promise.all([0, 1].map((node) => Listener.open(player, { node, query: this.#query })))
  }

  /** Disconnects a listener, or lets it resume. */
  async turn(n: number): Promise<void> {
    await this.#listeners[n]?.turn()
  }

  /** Checks the journal, fills, streams and posts at the end, and that both nodes return the same token. */
  async expectExact(db: TestServer['db'], reader: Visitor): Promise<void> {
    const { tokenId } = this
    const isQuiet = async () => {
      const pools = db.selectFrom('pools').select('cascade_from').where('token_id', '=', tokenId)
      return (await pools.executeTakeFirstOrThrow()).cascade_from === null
    }
    await passUntil(isQuiet)
    const trades = await db.selectFrom('trades').selectAll().where('token_id', '=', tokenId).orderBy('seq').execute()
    const seqs = trades.map(({ seq }) => seq)
    expect(seqs).toEqual(Array.from(seqs, (_, i) => i + 1))
    const isFill = ({ request_key }: { request_key: string | null }) => request_key?.startsWith('order ') === true
    const own = trades.filter((trade) => !isFill(trade)).map(({ request_key, seq }) => [request_key, seq])
    expect(own).toEqual([...this.#answered].sort(([, one], [, other]) => one - other))
    const orders = await db.selectFrom('waiting_orders').select('fills').where('token_id', '=', tokenId).execute()
    expect(trades.filter(isFill)).toHaveLength(orders.reduce((sum, { fills }) => sum + fills, 0))
    const page = (await at(nodeAt(0), reader).get(`/api/talk?${this.#topic.join('=')}&limit=100`)).json()
    const posts: number[] = page.map(({ id }: { id: number }) => id).reverse()
    const [kind, id] = this.#topic
    // The start is left out, because it may have come before the first listener connected.
    const { rows } = await sql<{ moment: string }>`
      select moment from fair_moments where ${kind} = 'fairId' and fair_id = ${id} and moment <> 'start' order by position`.execute(
      db,
    )
    const moments = rows.map(({ moment }) => moment)
    expect(posts.filter((post) => this.#posts.includes(post))).toEqual(this.#posts)
    for (const listener of this.#listeners) {
      const hear = () => ({
        seqs: listener.heard('trade', ({ seq }) => seq),
        moments: listener.heard('fair', ({ moment }) => moment).filter((moment) => moment !== 'start'),
      })
      const isAll = (all: ReturnType<typeof hear>) =>
        all.seqs.length >= seqs.length && all.moments.length >= moments.length
      await listener.end(() => isAll(hear()))
      expect(hear()).toEqual({ seqs, moments })
    }
    const tell = () =>
      Promise.all(nodes.map(async (node) => (await at(node, reader).get(`/api/tokens/${tokenId}`)).body))
    // One node may still lag behind, because the listeners may both have waited for the other one.
    await passUntil(async () => new Set(await tell()).size === 1)
    expect(new Set(await tell()).size).toBe(1)
    counts.trades += own.length
    counts.fills += trades.length - own.length
    counts.posts += this.#posts.length
  }
}

interface Wish {
  readonly node: number
  readonly query: string
}

/** Follows trades over several connections, each of which resumes where the previous one ended. */
class Listener {
  readonly #player: Visitor
  readonly #sources: TestEventSource[]
  #wish: Wish
  #isOffline = false

  private constructor(player: Visitor, wish: Wish, source: TestEventSource) {
    this.#player = player
    this.#wish = wish
    this.#sources = [source]
  }

  static async open(player: Visitor, wish: Wish): Promise<Listener> {
    return new Listener(player, wish, await connectTo(player, wish, ''))
  }

  /** Returns each event at its first occurrence, because events after the resume position are sent again. */
  heard<T>(type: 'trade' | 'fair', read: (data: SourceEvent['data']) => T): T[] {
    const events = this.#sources.flatMap((source) => source.events).filter((event) => event.type === type)
    return [...new Set(events.map(({ data }) => read(data)))]
  }

  /** Disconnects, or resumes at the other node from the same position. */
  async turn(): Promise<void> {
    this.#isOffline = !this.#isOffline
    if (this.#isOffline) return this.#sources.at(-1)?.close()
    const lastId = this.#sources.at(-1)?.lastId() ?? ''
    this.#wish = { ...this.#wish, node: 1 - this.#wish.node }
    this.#sources.push(await connectTo(this.#player, this.#wish, lastId))
  }

  async end(isOver: () => boolean): Promise<void> {
    if (this.#isOffline) await this.turn()
    await passUntil(isOver)
    this.#sources.at(-1)?.close()
  }
}

async function connectTo({ cookie = '' }: Visitor, { node, query }: Wish, lastId: string): Promise<TestEventSource> {
  const source = await openEventSource(`${origins[node]}/api/events?${query}`, {
    cookie,
    origin: origins[node] ?? '',
    ...(lastId !== '' && { 'last-event-id': lastId }),
  })
  await source.until(() => source.lastId() !== '')
  return source
}

/** Creates a token in the fairground and one in a room, with their own players. */
async function begin() {
  const name = `world-${names++}`
  const players = await Promise.all(Array.from({ length: PLAYERS }, (_, n) => nodeAt(n).player(`${name}-${n}`)))
  const [host] = players as [Visitor, ...Visitor[]]
  const ground = new Market(await host.launch(), null)
  const room = await openRoom(host, players.slice(1), { name })
  const fair = new Market(await host.launch({ fairId: room.id }), room.id)
  for (const market of [ground, fair]) await market.listen(host)
  return { players, host, ground, fair, roomId: room.id }
}

type World = Awaited<ReturnType<typeof begin>>

async function trade({
  market,
  player,
  node,
  share,
  side,
}: {
  readonly market: Market
  readonly player: Visitor
  readonly side: 'buy' | 'sell'
} & Pick<Step, 'node' | 'share'>): Promise<LightMyRequestResponse> {
  const { tokenId } = market
  if (side === 'buy') return await market.order(player, '/api/tokens/buy', { tokenId, solAmount: `0.${share}` }, node)
  const tokenAmount = String(share * 1_000)
  return await market.order(player, '/api/tokens/sell', { tokenId, tokenAmount }, node)
}

async function wait({ ground, players }: World, { act, node, player, share }: Step): Promise<void> {
  const who = players[player] as Visitor
  const { tokenId } = ground
  const { currentPrice } = (await at(nodeAt(node), who).get(`/api/tokens/${tokenId}`)).json()
  if (currentPrice === undefined) return
  const price = (Number(currentPrice) * ((act === 'limit' ? 0.95 : 0.8) + share / 5_100)).toFixed(18)
  const terms =
    act === 'limit'
      ? { kind: 'buy', solAmount: `0.${share}`, price }
      : { kind: 'stop', tokenAmount: String(share), stopPrice: price }
  await ground.order(who, '/api/waiting-orders', { tokenId, ...terms }, node)
}

const WORDS =
  'amber birch cloud drift ember field grove harbor island jetty kettle lantern meadow north orchard pebble'.split(' ')

/** Returns eight words unlike those of any earlier post, because moderation holds near repeats. */
function createText(): string {
  const digits = createHash('sha256').update(String(texts++)).digest('hex').slice(0, 8)
  return Array.from(digits, (digit) => WORDS[Number.parseInt(digit, 16)]).join(' ')
}

async function doStep(world: World, step: Step): Promise<void> {
  const { ground, fair, players, host, roomId } = world
  const { act, node, share } = step
  const player = players[step.player] as Visitor
  if (step.loss !== null) void proxy.loseNextAnswer('any', step.loss)
  if (act === 'buy' || act === 'sell') await trade({ market: ground, player, node, share, side: act })
  else if (act === 'fairBuy' || act === 'fairSell')
    await trade({ market: fair, player, node, share, side: act === 'fairBuy' ? 'buy' : 'sell' })
  else if (act === 'limit' || act === 'stop') await wait(world, step)
  else if (act === 'cancel') await ground.order(player, '/api/waiting-orders/cancel', {}, node)
  else if (act === 'seal')
    await ground.order(
      host,
      `/api/tokens/${ground.tokenId}/seal`,
      { term: TERMS[share % 3], bag: share % 2 === 0 },
      node,
    )
  else if (act === 'post') await ground.post(player, createText(), node)
  else if (act === 'fairPost') await fair.post(player, createText(), node)
  else if (act === 'bell') await changeFair(at(nodeAt(node), host), roomId, { act: 'end' })
  else if (act === 'poll') await passSecond()
  else await (share % 2 === 0 ? ground : fair).turn(node)
}

/** Ends the fair. Checks that nobody can trade afterwards, and that each player has one result. */
async function expectSettled({ fair, players, host, roomId }: World): Promise<void> {
  const isOver = async () => {
    const fair = database.db.selectFrom('fairs').select('settled_at').where('id', '=', roomId)
    return (await fair.executeTakeFirstOrThrow()).settled_at !== null
  }
  while (!(await isOver())) {
    await changeFair(host, roomId, { act: 'end' })
    await Promise.all(nodes.map((node) => node.tick('fairs')))
  }
  const late = await trade({ market: fair, player: host, node: 1, share: 1, side: 'buy' })
  expect(late.statusCode).toBe(409)
  const { rows } = await sql<{ place: number; rank: number }>`
    select place, rank() over (order by is_ranked desc, score desc)::int as rank
      from fair_results where fair_id = ${roomId} order by place`.execute(database.db)
  expect(rows.map(({ place }) => place)).toEqual(rows.map(({ rank }) => rank))
  expect(rows).toHaveLength(players.length)
  const after = await sql`
    select from fairs.trades t join fairs f on f.id = ${roomId} where t.token_id = ${fair.tokenId} and t.created_at > f.bell_at`.execute(
    database.db,
  )
  expect(after.rows).toEqual([])
}

it(
  'in every world of two nodes whose connections break at commits, books, numbers, streams and results are exact, and no acknowledged post is lost',
  async () => {
    const anyWorld = fc.array(anyStep, { minLength: 15, maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(anyWorld, async (steps) => {
        const world = await begin()
        for (const step of steps) await doStep(world, step)
        await expectSettled(world)
        proxy.mend()
        await world.ground.expectExact(nodeAt(0).db, world.host)
        await world.fair.expectExact(nodeAt(0).app.market.fairs?.platform.db as TestServer['db'], world.host)
        const books = await readBooks(database)
        expect(books).toEqual({
          ...books,
          accounted: books.granted,
          unbalancedTokens: 0,
          unbalancedPlayers: 0,
          brokenSequences: 0,
        })
      }),
      { numRuns: WORLDS, endOnFailure: true },
    )
    expect((await auditMarket(database.pool)).shown).toEqual([])
    expect(nodes.flatMap(errorsIn)).toEqual([])
    for (const [what, count] of Object.entries(counts)) expect([what, count > 0]).toEqual([what, true])
  },
  TEST_MAX_MS,
)
