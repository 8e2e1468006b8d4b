import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '@papermoon/db'
import { createTestDatabase, type TestDatabase } from '@papermoon/db/testing'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type BuiltApp, buildApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { openEventSource, type SourceEvent } from '../support/event-source.ts'
import { generator } from '../support/random-trading.ts'
import { registration, Visitor } from '../support/test-server.ts'

const LISTENERS = 6
const ROUNDS = 12
const TOKENS = 3

interface Node extends BuiltApp {
  readonly url: string
  stop(): Promise<void>
}

let database: TestDatabase
let nodes: Node[]
beforeAll(async () => {
  database = await createTestDatabase()
  nodes = [await startNode(), await startNode()]
})
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()))
  await database.drop()
})

/** A node without Redis: it learns of the other's trades by polling the journal. */
async function startNode(): Promise<Node> {
  const config = readConfig({ RATE_LIMIT: 'off' })
  const client = connect(database.address, { poolMax: 8 })
  const built = await buildApp({ config, database: client, log: pino({ level: 'silent' }) })
  const stop = async () => {
    await built.fastify.close()
    await client.close()
  }
  return { ...built, stop, url: await built.fastify.listen({ port: 0, host: '127.0.0.1' }) }
}

async function signUp(name: string): Promise<string> {
  const player = new Visitor(nodes[0]?.fastify as BuiltApp['fastify'])
  expect((await player.post('/api/auth/register', registration(name))).statusCode).toBe(201)
  return player.cookie ?? ''
}

/** Orders by a player at both nodes in turn: launches, trades, and rug pulls of what was launched. */
async function trade(cookie: string, tokens: readonly number[], isOver: () => boolean): Promise<void> {
  for (let count = 0; !isOver(); count++) {
    const node = nodes[count % nodes.length] as Node
    const player = new Visitor(node.fastify)
    player.cookie = cookie
    const tokenId = tokens[count % tokens.length]
    await player.post('/api/tokens/buy', { tokenId, solAmount: '0.001' }).catch(() => {})
    if (count % 10 !== 0) continue
    const own = await player.launch({ initialBuyAmount: '0.01' }).catch(() => null)
    if (own !== null && count % 20 === 0) await player.raw('POST', `/api/tokens/${own}/rug`, '').catch(() => {})
  }
}

interface Heard {
  readonly query: string
  readonly keys: Set<string>
  cursor: string
}

const toKey = ({ data }: SourceEvent) => `${data.tokenId} ${data.seq}`

/** Listens once at some node from the cursor on, for a while. Fails where a token's events are out of order. */
async function listen(
  heard: Heard,
  url: string,
  until: (source: readonly SourceEvent[]) => Promise<void>,
): Promise<void> {
  const separator = heard.query === '' ? '?' : '&'
  const source = await openEventSource(`${url}/api/events${heard.query}${separator}after=${heard.cursor}`)
  expect(source.status).toBe(200)
  try {
    await Promise.race([until(source.events), source.closed])
  } finally {
    source.close()
  }
  const last = new Map<number, number>()
  for (const event of source.events) {
    expect(event.type).not.toBe('gap')
    if (event.type === 'live') continue
    const { tokenId, seq } = event.data
    // A repeat may go back, and then every event up to where it was comes again: none is skipped. Without trades there are gaps.
    if (!heard.query.includes('launch,rug')) expect(seq).toBeLessThanOrEqual((last.get(tokenId) ?? seq) + 1)
    last.set(tokenId, seq)
    heard.keys.add(toKey(event))
  }
  if (source.lastId() !== '') heard.cursor = source.lastId()
}

async function readJournal(after: number): Promise<Record<string, string[]>> {
  const list = async (text: string) =>
    (await database.pool.query<{ key: string }>(text, [after])).rows.map(({ key }) => key)
  return {
    trade: await list(`select token_id || ' ' || seq as key from trades where id > $1`),
    rug: await list(`select token_id || ' ' || seq as key from rugs where position > $1`),
    launch: await list(`select id || ' 0' as key from tokens where position > $1`),
  }
}

it('loses no event while listeners are cut off at random, two nodes trade, and one is restarted', async () => {
  const cookies = await Promise.all([signUp('left'), signUp('right')])
  const maker = new Visitor(nodes[0]?.fastify as BuiltApp['fastify'])
  maker.cookie = cookies[0]
  const tokens: number[] = []
  for (let count = 0; count < TOKENS; count++) tokens.push(await maker.launch())
  const { cursor, cursors } = (nodes[1] as Node).app.live.stream
  const start = cursors.parse(cursor)?.position ?? 0
  const queries = [
    '',
    '?types=trade',
    `?tokens=${tokens[0]}`,
    '?types=launch,rug',
    `?tokens=${tokens.slice(1)}&types=trade`,
    '',
  ]
  const listeners: Heard[] = queries.slice(0, LISTENERS).map((query) => ({ query, keys: new Set(), cursor }))

  let isOver = false
  const trading = cookies.map((cookie) => trade(cookie, tokens, () => isOver))
  const random = generator(1)
  const listening = listeners.map(async (heard, i) => {
    for (let round = 0; round < ROUNDS; round++) {
      const node = nodes[(i + round) % nodes.length] as Node
      // While a node restarts its listeners cannot connect: then they try the next one.
      await listen(heard, node.url, async () => await sleep(20 + random(400))).catch((error: Error) => {
        if (!/ECONNREFUSED|ECONNRESET|socket hang up/.test(String(error))) throw error
      })
    }
  })
  const heardAll = Promise.all(listening)
  heardAll.catch(() => {})
  await sleep(1_000)
  const [, second] = nodes
  nodes.pop()
  await second?.stop()
  const third = await startNode()
  nodes.push(third)
  await heardAll.finally(() => {
    isOver = true
  })
  await Promise.all(trading)

  const journal = await readJournal(start)
  expect(Object.values(journal).map(({ length }) => length > 0)).toEqual([true, true, true])
  for (const [i, heard] of listeners.entries()) {
    const parameters = new URLSearchParams(heard.query)
    const wantedTokens = parameters.get('tokens')?.split(',')
    const expected = (parameters.get('types')?.split(',') ?? Object.keys(journal))
      .flatMap((type) => journal[type] ?? [])
      .filter((key) => wantedTokens?.includes(key.split(' ')[0] ?? '') ?? true)
    const node = nodes[i % nodes.length] as Node
    await listen(heard, node.url, async (events) => {
      const isThere = () => {
        const all = new Set([...heard.keys, ...events.map(toKey)])
        return expected.every((key) => all.has(key))
      }
      for (let waits = 0; waits < 2_000 && !isThere(); waits++) await sleep(50)
    })
    expect(expected.filter((key) => !heard.keys.has(key))).toEqual([])
  }
})
