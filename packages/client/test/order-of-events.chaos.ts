import { setTimeout as sleep } from 'node:timers/promises'
import { type Server, startServerWith } from '@papermoon/api/testing'
import { createTestDatabase, type TestDatabase } from '@papermoon/db/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startBreakingProxy } from './breaking-proxy.ts'
import { registerTrader, type Trader } from './trader.ts'
import { type Bot, listen, type SeenEvent, type Watcher, watch } from './watchers.ts'

const TOKENS = 3
const WATCHERS = 6
/** Number of trades per trader. There is one trader per server. */
const TRADES = 100
/**
 * Pause between trades, which stretches trading to about 10 seconds, because the typed client waits 3 seconds between
 * attempts.
 */
const PAUSE_MS = 80
/** Each server is killed when its trader has this many responses. */
const KILLED_AT = [30, 70] as const
/** One of the watchers closes its socket each time a trader has received this many responses. */
const CUT_EVERY = 9
const CAUGHT_UP_MAX_MS = 300_000
const TEST_MAX_MS = 600_000

let database: TestDatabase
let servers: Server[]
let traders: Trader[]
let tokens: number[]
beforeAll(async () => {
  database = await createTestDatabase({ poolMax: 2 })
  servers = await Promise.all(KILLED_AT.map(() => startServerWith(database.connectionString)))
  traders = await Promise.all(servers.map(({ url }, i) => registerTrader(url, `trader-${i}`)))
  tokens = await Promise.all(Array.from({ length: TOKENS }, (_, i) => at(traders, 0).launch(`MOON${i}`)))
}, TEST_MAX_MS)
afterAll(async () => {
  await Promise.all(traders.map((trader) => trader.close()))
  await Promise.all(servers.map((server) => server.remove()))
  await database.drop()
})

it(
  'sends each subscriber every event of a token once, in commit order, even if connections and servers break',
  async () => {
    const urls = servers.map(({ url }) => url)
    const toAnyServer = await startBreakingProxy({ urls, breaksAfter })
    const toEachServer = await Promise.all(urls.map((url) => startBreakingProxy({ urls: [url], breaksAfter })))
    const proxies = [toAnyServer, ...toEachServer]
    const watchers = Array.from({ length: WATCHERS }, () => watch(toAnyServer.url, tokens))
    const bots = await Promise.all(proxies.map(({ url }) => listen(url)))

    await tradeAndBreak(watchers)
    for (const proxy of proxies) proxy.mend()
    for (const tokenId of tokens) await at(traders, 0).rug(tokenId)
    await expect.poll(() => watchers.every(hasSeenTheEnd), { timeout: CAUGHT_UP_MAX_MS }).toBe(true)

    const journal = new Map<number, SeenEvent[]>()
    for (const tokenId of tokens) journal.set(tokenId, await readJournal(tokenId))
    for (const { seen, failures } of watchers) {
      expect(failures).toEqual([])
      for (const tokenId of tokens) expect(seen.filter(hasToken(tokenId))).toEqual(journal.get(tokenId))
    }
    for (const bot of bots) expectInOrder(bot, journal)
    for (const bot of bots.slice(1)) expectNoRepeat(bot)
    // Check that this test did break connections.
    for (const watcher of watchers) expect(watcher.connections()).toBeGreaterThan(1)

    for (const bot of bots) bot.close()
    await Promise.all(watchers.map((watcher) => watcher.close()))
    for (const proxy of proxies) proxy.close()
  },
  TEST_MAX_MS,
)

/** Lets both traders trade all tokens. Meanwhile each server is killed and restarted once, and watchers reconnect. */
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
        // An order sent after a response is committed after it.
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

function hasSeenTheEnd({ seen }: Watcher): boolean {
  const ended = new Set(seen.filter(({ what }) => what === 'rug_pull').map(({ tokenId }) => tokenId))
  return ended.size === TOKENS
}

async function readJournal(tokenId: number): Promise<SeenEvent[]> {
  const { db } = database
  const trades = await db.selectFrom('trades').select(['id', 'seq']).where('token_id', '=', tokenId).execute()
  const rugs = await db.selectFrom('rugs').select('seq').where('token_id', '=', tokenId).execute()
  const events = [
    ...trades.map(({ id, seq }) => ({ tokenId, seq, what: `trade ${id}` })),
    ...rugs.map(({ seq }) => ({ tokenId, seq, what: 'rug_pull' })),
  ].sort((a, b) => a.seq - b.seq)
  expect(events.map(({ seq }) => seq)).toEqual(Array.from(events, (_, place) => place + 1))
  return events
}

/** Checks that each connection of a bot received the journal without gaps, from some event on. */
function expectInOrder({ connections }: Bot, journal: ReadonlyMap<number, readonly SeenEvent[]>): void {
  expect(connections.flat().length).toBeGreaterThan(0)
  for (const received of connections) {
    for (const [tokenId, all] of journal) {
      const heard = received.filter(hasToken(tokenId)).filter(({ seq }) => seq > 0)
      const from = (heard[0]?.seq ?? 1) - 1
      expect(heard).toEqual(all.slice(from, from + heard.length))
    }
  }
}

/** Checks that a bot which always reconnects to the same server gets no event twice. */
function expectNoRepeat({ connections }: Bot): void {
  const heard = connections.flat().map(({ tokenId, seq }) => `${tokenId} ${seq}`)
  expect(heard).toEqual([...new Set(heard)])
}

const hasToken = (tokenId: number) => (event: SeenEvent) => event.tokenId === tokenId

let lives = 0
/** Returns a number of bytes, from part of the first message up to the traffic of several seconds. */
function breaksAfter(): number {
  lives = (lives * 7_919 + 104_729) % 30_011
  return 150 + lives
}

function at<T>(list: readonly T[], place: number): T {
  return list[place % list.length] as T
}
