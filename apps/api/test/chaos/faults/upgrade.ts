import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '@papermoon/db'
import { createBareDatabase, createTestDatabase, type TestDatabase } from '@papermoon/db/testing'
import { sql } from 'kysely'
import { makeDataFolder, removeDataFolder } from '../../support/data-folder.ts'
import { findLastTag, installRelease } from '../../support/last-release.ts'
import { type ApiProcess, startApi } from '../support/api-process.ts'
import { type Follower, followToken } from '../support/follow-token.ts'
import { type Load, startLoad } from '../support/load.ts'
import type { RestPlayer } from '../support/rest-player.ts'
import type { Fault } from './fault.ts'
import { assertExactJournal } from './support/exact-journal.ts'
import { newMarket } from './support/market-of-players.ts'

const PLAYERS = 4
const TOKENS = 2
const LANES = 2
const NODES = 2
/** How often a balancer asks nodes whether they are ready. */
const CHECK_EVERY_MS = 100

export interface UpgradePlan {
  /** The build that the nodes begin with: the last release, or this one. */
  readonly from: 'the last release' | 'this build'
  /** The last release is this commit, whatever the tags say. */
  readonly commit?: string | undefined
  /** Minimum of acknowledged orders before, between and after the replacements. */
  readonly orders: number
}

export interface UpgradeSeen {
  /** The tag that was replaced; null: this build. */
  readonly tag: string | null
  readonly acknowledged: number
  /** Tries that got no answer, or a 503 of a node that was told to stop. */
  readonly failed: number
  /** Other tries that got a 503: two engines that trade the same tokens on a busy machine. */
  readonly busy: number
  readonly trades: number
  /** Migrations that the first new node applied while the others traded. */
  readonly migrations: number
  readonly events: number
  /** Times that a follower's socket was opened again. */
  readonly resumed: number
  /** Events that a follower did not get, or got twice. */
  readonly missed: number
}

/** Replaces the nodes of a market one after another under load, by this build. Throws at the first broken promise. */
export async function upgradeUnderLoad({ from, commit, orders }: UpgradePlan): Promise<UpgradeSeen> {
  const tag = from === 'this build' ? null : (commit ?? (await findLastTag()))
  assert(from === 'this build' || tag !== null, 'there is no tag of a release')
  const script = tag === null ? undefined : (await installRelease(tag)).server
  // The first node of a release makes its own schema.
  const database = await (tag === null ? createTestDatabase : createBareDatabase)({ poolMax: 2 })
  const cluster = new Cluster(database)
  try {
    for (let node = 0; node < NODES; node++) await cluster.add(script)
    const market = await newMarket(cluster.urls()[0] ?? '', PLAYERS, TOKENS)
    const followers = market.tokens.map((tokenId) => followToken({ tokenId, urls: cluster.urls }))
    await Promise.all(followers.map(({ started }) => started))
    const load = startLoad({ ...market, lanes: LANES, urls: cluster.urls, onAnswer: cluster.noteAnswer })
    await load.until(orders)
    const before = await countMigrations(database)
    for (let node = 0; node < NODES; node++) {
      await cluster.add()
      await cluster.replaceFirst({ countInFlight: load.countInFlight, serve: (url) => launchAt(market.players, url) })
      await load.until(load.acknowledged.length + orders)
    }
    const seen = await settle(database, load, followers)
    return { tag, ...seen, ...cluster.getRefusals(), migrations: (await countMigrations(database)) - before }
  } finally {
    await cluster.stop()
    await database.drop()
  }
}

/** Stops load and followers, and compares what they saw with the journal. */
async function settle(database: TestDatabase, load: Load, followers: readonly Follower[]) {
  await load.stop()
  const { acknowledged } = load
  const last = new Map<number, number>()
  for (const { trade } of acknowledged) last.set(trade.tokenId, Math.max(trade.seq, last.get(trade.tokenId) ?? 0))
  const seen = await Promise.all(followers.map((follower) => follower.stopAt(last.get(follower.tokenId) ?? 0)))
  const trades = await assertExactJournal(() => connect(database.address, { poolMax: 2 }), acknowledged)
  const sum = (figures: readonly number[]) => figures.reduce((total, figure) => total + figure, 0)
  return {
    acknowledged: acknowledged.length,
    trades,
    events: sum(seen.map(({ events }) => events.length)),
    resumed: sum(seen.map(({ resumed }) => resumed)),
    missed: sum(seen.map(({ missed }) => missed)),
  }
}

/** Places an order that no other one can hold up. */
async function launchAt([player]: readonly RestPlayer[], url: string): Promise<void> {
  const launched = await player?.orderLaunch('Drained', randomUUID(), url)
  assert.equal(launched?.status, 201, 'a draining node refused an order')
}

/** Nodes behind a balancer that sends calls to those whose `/readyz` answers 200. */
class Cluster {
  readonly #database: TestDatabase
  readonly #nodes: { readonly api: ApiProcess; readonly drains: boolean }[] = []
  readonly #folders: string[] = []
  /** Nodes that the balancer no longer uses. */
  readonly #out = new Set<ApiProcess>()
  readonly #stopping = new Set<string | undefined>()
  readonly #refusals = { failed: 0, busy: 0 }

  constructor(database: TestDatabase) {
    this.#database = database
  }

  readonly urls = (): readonly string[] =>
    this.#nodes.filter(({ api }) => !this.#out.has(api)).map(({ api }) => api.url)

  readonly noteAnswer = (url: string | undefined, status: number | null): void => {
    if (status === 200) return
    if (status === null || this.#stopping.has(url)) this.#refusals.failed++
    else this.#refusals.busy++
  }

  getRefusals(): Pick<UpgradeSeen, 'failed' | 'busy'> {
    return this.#refusals
  }

  /** `script`: the server of a release, which may not know DRAIN_SECONDS. */
  async add(script?: string): Promise<void> {
    const folder = makeDataFolder()
    this.#folders.push(folder)
    const settings = { DATABASE_URL: this.#database.connectionString, DATA_DIR: folder, DRAIN_SECONDS: '300' }
    this.#nodes.push({ api: await startApi(settings, script), drains: script === undefined })
  }

  /**
   * Stops the oldest node once the balancer no longer uses it, and all that it was sent is answered. `serve` throws unless a
   * draining node serves.
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
    // Ends the wait of a draining node.
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

async function countMigrations({ db }: TestDatabase): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from kysely_migration`.execute(db)
  return rows[0]?.count ?? 0
}

/** The figures of a run as one line. */
export function describeUpgrade(seen: UpgradeSeen): string {
  const { tag, acknowledged, failed, busy, migrations, events, resumed, missed } = seen
  return `from ${tag ?? 'this build'}: ${acknowledged} orders acknowledged, ${failed} failed, ${busy} told to try again by nodes that stay; ${migrations} migrations under load; ${events} events followed, ${resumed} sockets resumed, ${missed} events missed`
}

const ORDERS_A_SECOND = 20

export const upgrade: Fault = {
  name: 'upgrade',
  about: 'the nodes of the last release are replaced by this build one after another, while players trade and watch',
  run: async ({ seconds, commit, say }) => {
    const plans: UpgradePlan['from'][] = (commit ?? (await findLastTag())) === null ? [] : ['the last release']
    if (plans.length === 0) say('from the last release: skipped, since there is no tag of a release; name a --commit')
    for (const from of [...plans, 'this build'] as const) {
      const seen = await upgradeUnderLoad({ from, commit, orders: ORDERS_A_SECOND * seconds })
      say(describeUpgrade(seen))
      assert.equal(seen.failed, 0, 'orders failed while nodes were replaced')
      assert.equal(seen.missed, 0, 'followers missed events')
    }
    return 'no order failed, no event was missed, each audit exact'
  },
}
