import { setTimeout as sleep } from 'node:timers/promises'
import { createTestDatabase, type TestDatabase } from '@papermoon/db/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openRoad } from './breaking-road.ts'
import { type Server, startServerOn } from './server.ts'
import { registerTrader, type Trader } from './trader.ts'
import { type Bot, listen, type Told, type Watcher, watch } from './watchers.ts'

const TOKENS = 3
const WATCHERS = 6
/** Of each trader; there is one a server. */
const TRADES = 100
/** Some 10 seconds of trading: a typed client waits 3 between two tries. */
const PAUSE_MS = 80
/** A server is killed when its trader has so many answers. */
const KILLED_AT = [30, 70] as const
/** After so many answers of a trader one of the watchers closes its socket itself. */
const CUT_EVERY = 9
const CAUGHT_UP_MAX_MS = 40_000
const TEST_MAX_MS = 180_000

let database: TestDatabase
let servers: Server[]
let traders: Trader[]
let tokens: number[]
beforeAll(async () => {
  database = await createTestDatabase({ poolMax: 2 })
  servers = await Promise.all(KILLED_AT.map(() => startServerOn(database.connectionString)))
  traders = await Promise.all(servers.map(({ url }, i) => registerTrader(url, `trader-${i}`)))
  tokens = await Promise.all(Array.from({ length: TOKENS }, (_, i) => at(traders, 0).launch(`MOON${i}`)))
}, TEST_MAX_MS)
afterAll(async () => {
  await Promise.all(traders.map((trader) => trader.close()))
  await Promise.all(servers.map((server) => server.remove()))
  await database.drop()
})

it(
  'tells each subscriber all of a token in the order of its commits, once, whatever breaks',
  async () => {
    const urls = servers.map(({ url }) => url)
    const toAny = await openRoad({ urls, breaksAfter })
    const toEach = await Promise.all(urls.map((url) => openRoad({ urls: [url], breaksAfter })))
    const roads = [toAny, ...toEach]
    const watchers = Array.from({ length: WATCHERS }, () => watch(toAny.url, tokens))
    const bots = await Promise.all(roads.map(({ url }) => listen(url)))

    await tradeAndBreak(watchers)
    for (const road of roads) road.mend()
    for (const tokenId of tokens) await at(traders, 0).rug(tokenId)
    await expect.poll(() => watchers.every(hasSeenTheEnd), { timeout: CAUGHT_UP_MAX_MS }).toBe(true)

    const journal = new Map<number, Told[]>()
    for (const tokenId of tokens) journal.set(tokenId, await journalOf(tokenId))
    for (const { told, failures } of watchers) {
      expect(failures).toEqual([])
      for (const tokenId of tokens) expect(told.filter(isOf(tokenId))).toEqual(journal.get(tokenId))
    }
    for (const bot of bots) expectInOrder(bot, journal)
    for (const bot of bots.slice(1)) expectNoRepeat(bot)
    // Otherwise this proves nothing.
    for (const watcher of watchers) expect(watcher.connections()).toBeGreaterThan(1)

    for (const bot of bots) bot.close()
    await Promise.all(watchers.map((watcher) => watcher.close()))
    for (const road of roads) road.close()
  },
  TEST_MAX_MS,
)

/** Both traders trade all tokens; meanwhile each server is killed and started once, and watchers go and come. */
async function tradeAndBreak(watchers: readonly Watcher[]): Promise<void> {
  const restarts: Promise<void>[] = []
  let cuts = 0
  await Promise.all(
    traders.map(async (trader, i) => {
      const last = new Map<number, number>()
      for (let turn = 1; turn <= TRADES; turn++) {
        if (turn === KILLED_AT[i]) restarts.push(killAndStart(at(servers, i)))
        if (turn % CUT_EVERY === 0) at(watchers, cuts++).cut()
        const tokenId = at(tokens, turn)
        const seq = await trader.trade(tokenId, turn % 7 < 3 || turn < 20 ? 'buy' : 'sell')
        // What is asked after an answer is committed after it.
        expect(seq).toBeGreaterThan(last.get(tokenId) ?? 0)
        last.set(tokenId, seq)
        await sleep(PAUSE_MS)
      }
    }),
  )
  await Promise.all(restarts)
}

async function killAndStart(server: Server): Promise<void> {
  await server.stop('SIGKILL')
  await server.start()
}

function hasSeenTheEnd({ told }: Watcher): boolean {
  const ended = new Set(told.filter(({ what }) => what === 'rug_pull').map(({ tokenId }) => tokenId))
  return ended.size === TOKENS
}

/** What the journal has of a token, in its order. */
async function journalOf(tokenId: number): Promise<Told[]> {
  const { db } = database
  const trades = await db.selectFrom('trades').select(['id', 'seq']).where('token_id', '=', tokenId).execute()
  const rugs = await db.selectFrom('rugs').select('seq').where('token_id', '=', tokenId).execute()
  const told = [
    ...trades.map(({ id, seq }) => ({ tokenId, seq, what: `trade ${id}` })),
    ...rugs.map(({ seq }) => ({ tokenId, seq, what: 'rug_pull' })),
  ].sort((a, b) => a.seq - b.seq)
  expect(told.map(({ seq }) => seq)).toEqual(Array.from(told, (_, place) => place + 1))
  return told
}

/** On one connection a bot hears all that the journal has from some place on. */
function expectInOrder({ connections }: Bot, journal: ReadonlyMap<number, readonly Told[]>): void {
  expect(connections.flat().length).toBeGreaterThan(0)
  for (const told of connections) {
    for (const [tokenId, all] of journal) {
      const heard = told.filter(isOf(tokenId)).filter(({ seq }) => seq > 0)
      const from = (heard[0]?.seq ?? 1) - 1
      expect(heard).toEqual(all.slice(from, from + heard.length))
    }
  }
}

/** A bot that always comes back to the same server hears nothing again. */
function expectNoRepeat({ connections }: Bot): void {
  const heard = connections.flat().map(({ tokenId, seq }) => `${tokenId} ${seq}`)
  expect(heard).toEqual([...new Set(heard)])
}

const isOf = (tokenId: number) => (told: Told) => told.tokenId === tokenId

let lives = 0
/** Bytes: from a few, within the first message, to those of some seconds. */
function breaksAfter(): number {
  lives = (lives * 7_919 + 104_729) % 30_011
  return 150 + lives
}

function at<T>(list: readonly T[], place: number): T {
  return list[place % list.length] as T
}
