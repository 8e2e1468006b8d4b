import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '@papermoon/db'
import { CLUSTER_PORTS, Cluster, createNetwork, findFreePorts } from '@papermoon/deploy'
import { makeDataFolder, removeDataFolder } from '../../../support/data-folder.ts'
import { startServer } from '../../../support/server-process.ts'
import { type ApiProcess, startApi } from '../../support/api-process.ts'
import { type Acknowledged, type Load, startLoad } from '../../support/load.ts'
import { assertExactJournal } from '../support/exact-journal.ts'
import { newMarket } from '../support/market-of-players.ts'
import { type AcknowledgementWatch, watchAcknowledgements } from './acknowledgement-watch.ts'
import type { ClusterFault, Suffering } from './cluster-faults.ts'
import { FeedReader } from './feed-reader.ts'

const NODES = 2
const PLAYERS = 4
const TOKENS = 2
const LANES = 2
/** How long an outage lasts in which nothing can commit. */
const OUTAGE_MS = 6_000
/** By then the fault has been noticed: an order that is placed later was placed in spite of it. */
const NOTICED_MS = 3_000
/** Once orders are placed again, refusals must end within this time, for as long as this. */
const BUSY_MAX_MS = 10_000
const QUIET_MS = 2_000
/** A feed may learn of a trade by its poll of the journal. */
const FEED_MAX_MS = 120_000
/** Past it a fault counts as not survived; the promised time is asserted on its own. */
const PLACED_MAX_MS = 120_000

export interface FaultSeen {
  /** Until an order was placed again: from the fault, or from its end where nothing could commit. */
  readonly seconds: number
  /** From then until the last refusal for the fault; 0 if none came later. */
  readonly busySeconds: number
  readonly acknowledged: number
  readonly interrupted: number
  readonly trades: number
}

/** Two nodes on a replicated PostgreSQL, which is broken and repaired under load. */
export class ReplicatedMarket {
  readonly cluster: Cluster
  readonly hasNetwork: boolean
  readonly #nodes: ApiProcess[] = []
  readonly #folders: string[] = []
  readonly #acknowledged: Acknowledged[] = []

  private constructor(cluster: Cluster, hasNetwork: boolean) {
    this.cluster = cluster
    this.hasNetwork = hasNetwork
  }

  static async start(): Promise<ReplicatedMarket> {
    const folder = mkdtempSync(join(tmpdir(), 'papermoon-ha-'))
    const network = createNetwork(3)
    const firstPort = await findFreePorts(CLUSTER_PORTS)
    const cluster = await Cluster.start({ folder, firstPort, network }).catch((error: unknown) => {
      rmSync(folder, { recursive: true, force: true })
      throw error
    })
    const market = new ReplicatedMarket(cluster, network !== null)
    market.#folders.push(folder)
    try {
      for (let node = 0; node < NODES; node++) market.#nodes.push(await market.#startNode())
      await cluster.untilReplicated(2)
    } catch (error) {
      await market.remove()
      throw error
    }
    return market
  }

  /** Throws at the first broken promise. `orders`: at least so many before the fault, and after it. */
  async suffer(fault: ClusterFault, orders: number): Promise<FaultSeen> {
    await this.cluster.untilReplicated(2)
    const urls = this.#nodes.map(({ url }) => url)
    const { players, tokens } = await newMarket(urls[0] ?? '', PLAYERS, TOKENS)
    const feeds = await Promise.all(urls.map((url) => FeedReader.open(url, tokens)))
    const load = startLoad({ players, tokens, lanes: LANES, urls: () => urls })
    const watch = watchAcknowledgements(load)
    try {
      await load.until(orders)
      const { seconds, busySeconds } = await this.#breakAndHeal(fault, load, watch)
      await load.until(load.acknowledged.length + orders)
      await load.stop()
      this.#acknowledged.push(...load.acknowledged)
      const trades = await assertExactJournal(() => this.#connect(), this.#acknowledged)
      await assertShown(feeds, load.acknowledged)
      const interrupted = load.acknowledged.filter((order) => order.wasInterrupted).length
      return { seconds, busySeconds, acknowledged: load.acknowledged.length, interrupted, trades }
    } finally {
      watch.stop()
      for (const feed of feeds) feed.close()
    }
  }

  /** What a node that is started on a standby says. */
  async startOnReplica(): Promise<{ readonly code: number | null; readonly stderr: string }> {
    const folder = this.#makeFolder()
    return await startServer({ DATABASE_URL: this.cluster.replicasUrl, DATA_DIR: folder }).ended
  }

  async remove(): Promise<void> {
    await Promise.all(this.#nodes.map((node) => node.end('SIGTERM')))
    await this.cluster.kill()
    for (const folder of this.#folders) removeDataFolder(folder)
  }

  async #breakAndHeal(fault: ClusterFault, load: Load, watch: AcknowledgementWatch) {
    let startMs = performance.now()
    const suffering = await fault.begin(this.cluster)
    if (suffering.endOutage === undefined) await sleep(NOTICED_MS)
    else startMs = await this.#endOutage(suffering, load)
    await watch.untilAfter(performance.now(), PLACED_MAX_MS)
    await watch.untilQuiet(QUIET_MS, BUSY_MAX_MS + QUIET_MS)
    const { lengthMs, endMs } = watch.findLongestGap(startMs)
    const busySeconds = Math.max(0, (watch.lastUnavailableMs() ?? 0) - endMs) / 1_000
    await suffering.heal()
    await this.cluster.untilReplicated(2)
    await watch.untilQuiet(QUIET_MS, BUSY_MAX_MS + QUIET_MS)
    return { seconds: lengthMs / 1_000, busySeconds }
  }

  /** Waits through an outage, in which orders are refused; returns its end. */
  async #endOutage({ endOutage }: Suffering, load: Load): Promise<number> {
    const before = load.unavailable.length
    // Answers that were under way.
    await sleep(OUTAGE_MS / 2)
    const acknowledged = load.acknowledged.length
    await sleep(OUTAGE_MS / 2)
    while (load.unavailable.length === before) await sleep(100)
    assert.equal(load.acknowledged.length, acknowledged, 'an order was acknowledged that one machine alone has')
    const endMs = performance.now()
    await endOutage?.()
    return endMs
  }

  #connect() {
    return connect({ connectionString: this.cluster.url }, { poolMax: 2 })
  }

  async #startNode(): Promise<ApiProcess> {
    const DATA_DIR = this.#makeFolder()
    return await startApi({ DATABASE_URL: this.cluster.url, DATA_DIR, ENGINE_LISTEN: 'auto', METRICS: 'open' })
  }

  #makeFolder(): string {
    const folder = makeDataFolder()
    this.#folders.push(folder)
    return folder
  }
}

/** Each node's feed had each trade once, in order, and no other. */
async function assertShown(feeds: readonly FeedReader[], acknowledged: readonly Acknowledged[]): Promise<void> {
  const trades = acknowledged.map(({ trade }) => trade)
  const giveUpMs = performance.now() + FEED_MAX_MS
  while (!feeds.every((feed) => feed.hasAll(trades)) && performance.now() < giveUpMs) await sleep(50)
  for (const feed of feeds) feed.assertShowed(trades)
}
