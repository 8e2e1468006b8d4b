import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '@papermoon/db'
import { createBareDatabase, createTestDatabase, needs, type TestDatabase } from '@papermoon/db/testing'
import { describe, expect, it } from 'vitest'
import { makeDataFolder, removeDataFolder } from '../support/data-folder.ts'
import { findLastTag, installRelease } from '../support/last-release.ts'
import { type ApiProcess, startApi } from './support/api-process.ts'
import { assertExactJournal } from './support/exact-journal.ts'
import { type Follower, followToken } from './support/follow-token.ts'
import { type Load, startLoad } from './support/load.ts'
import { newMarket } from './support/market-of-players.ts'
import type { RestPlayer } from './support/rest-player.ts'
import { readSize, say } from './support/size.ts'

const PLAYERS = 4
const TOKENS = 2
const LANES = 2
const NODES = 2
/** Min number of orders before, between and after the replacements. */
const ORDERS = readSize('seconds', 2, 30) * 20
/** How often the balancer asks nodes whether they are ready. */
const CHECK_EVERY_MS = 100

/** The release that the upgrade starts from. */
const release = process.env.CHAOS_COMMIT ?? (await findLastTag())

describe('nodes that are replaced one after another under load', () => {
  it('reject and lose no order while they stop, and every page can resume', () => replaceAll(null))

  // The timeout is long because the release may be installed over the network.
  const options = { timeout: 2 * 240_000, ...needs('the tag of the last release', release !== null) }
  it('do the same from the last release to this build, which migrates meanwhile', options, () => replaceAll(release))
})

/** Replaces the nodes of a release with nodes of this build. Without a `tag`, the old nodes are of this build too. */
async function replaceAll(tag: string | null): Promise<void> {
  const script = tag === null ? undefined : (await installRelease(tag)).server
  // The first node of a release creates its schema itself.
  const database = await (tag === null ? createTestDatabase : createBareDatabase)({ poolMax: 2 })
  const cluster = new Cluster(database)
  try {
    for (let node = 0; node < NODES; node++) await cluster.add(script)
    const market = await newMarket(cluster.urls()[0] ?? '', PLAYERS, TOKENS)
    const followers = market.tokens.map((tokenId) => followToken({ tokenId, urls: cluster.urls }))
    await Promise.all(followers.map(({ started }) => started))
    const load = startLoad({ ...market, lanes: LANES, urls: cluster.urls, onAnswer: cluster.noteAnswer })
    await load.until(ORDERS)
    for (let node = 0; node < NODES; node++) {
      await cluster.add()
      await cluster.replaceFirst({ countInFlight: load.countInFlight, serve: (url) => launchAt(market.players, url) })
      await load.until(load.acknowledged.length + ORDERS)
    }
    const { trades, events, resumed, missed } = await settle(database, load, followers)
    const { failed, busy } = cluster.refusals
    say(`${trades} trades, ${failed} failed, ${busy} told to try again by nodes that stay; ${resumed} sockets resumed`)
    expect({ failed, missed, events }).toEqual({ failed: 0, missed: 0, events: trades })
    expect(resumed).toBeGreaterThan(0)
  } finally {
    await cluster.stop()
    await database.drop()
  }
}

/** Stops the load and the followers, and compares what they received with the journal. */
async function settle(database: TestDatabase, load: Load, followers: readonly Follower[]) {
  await load.stop()
  const { acknowledged } = load
  const last = new Map<number, number>()
  for (const { trade } of acknowledged) last.set(trade.tokenId, Math.max(trade.seq, last.get(trade.tokenId) ?? 0))
  const seen = await Promise.all(followers.map((follower) => follower.stopAt(last.get(follower.tokenId) ?? 0)))
  const trades = await assertExactJournal(() => connect(database.address, { poolMax: 2 }), acknowledged)
  const sum = (figures: readonly number[]) => figures.reduce((total, figure) => total + figure, 0)
  return {
    trades,
    events: sum(seen.map(({ events }) => events.length)),
    resumed: sum(seen.map(({ resumed }) => resumed)),
    missed: sum(seen.map(({ missed }) => missed)),
  }
}

/** Places a launch, which no other order can delay. */
async function launchAt([player]: readonly RestPlayer[], url: string): Promise<void> {
  const launched = await player?.orderLaunch('Drained', randomUUID(), url)
  assert.equal(launched?.status, 201, 'a draining node refused an order')
}

/** Nodes behind a balancer that sends calls to the nodes whose `/readyz` returns 200. */
class Cluster {
  readonly #database: TestDatabase
  readonly #nodes: { readonly api: ApiProcess; readonly drains: boolean }[] = []
  readonly #folders: string[] = []
  /** Nodes that the balancer no longer uses. */
  readonly #out = new Set<ApiProcess>()
  readonly #stopping = new Set<string | undefined>()
  /** `failed`: tries without a response, or with a 503 of a stopping node. `busy`: other tries with a 503. */
  readonly refusals = { failed: 0, busy: 0 }

  constructor(database: TestDatabase) {
    this.#database = database
  }

  readonly urls = (): readonly string[] =>
    this.#nodes.filter(({ api }) => !this.#out.has(api)).map(({ api }) => api.url)

  readonly noteAnswer = (url: string | undefined, status: number | null): void => {
    if (status === 200) return
    if (status === null || this.#stopping.has(url)) this.refusals.failed++
    else this.refusals.busy++
  }

  /** Starts a node. `script` is the server of a release, which may not support DRAIN_SECONDS. */
  async add(script?: string): Promise<void> {
    const folder = makeDataFolder()
    this.#folders.push(folder)
    const settings = { DATABASE_URL: this.#database.connectionString, DATA_DIR: folder, DRAIN_SECONDS: '300' }
    this.#nodes.push({ api: await startApi(settings, script), drains: script === undefined })
  }

  /**
   * Stops the oldest node once the balancer no longer uses it and no call to it is pending. `serve` checks that the
   * draining node still works.
   */
  async replaceFirst({
    countInFlight,
    serve,
  }: {
    countInFlight(url: string): number
    serve(url: string): Promise<void>
  }): Promise<void> {
    const [node] = this.#nodes
    assert(node !== undefined)
    const { api, drains } = node
    if (drains) {
      api.signal('SIGTERM')
      await this.#untilUnready(api)
      await serve(api.url)
    }
    this.#out.add(api)
    while (countInFlight(api.url) > 0) await sleep(CHECK_EVERY_MS)
    this.#stopping.add(api.url)
    // SIGINT ends the drain, which would last 300 seconds.
    await api.end('SIGINT')
    this.#nodes.shift()
  }

  async stop(): Promise<void> {
    await Promise.all(this.#nodes.map(({ api }) => api.end('SIGINT')))
    for (const folder of this.#folders) removeDataFolder(folder)
  }

  async #untilUnready({ url }: ApiProcess): Promise<void> {
    while ((await fetch(`${url}/readyz`)).status === 200) await sleep(CHECK_EVERY_MS)
  }
}
