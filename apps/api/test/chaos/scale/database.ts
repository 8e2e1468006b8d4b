import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type DatabaseClient } from '@papermoon/db'
import { CLUSTER_PORTS, Cluster } from '@papermoon/deploy'
import { startOwnPostgres } from '../support/own-postgres.ts'

/** An order placed this long after a kill needed a new primary: earlier ones may have been under way. */
const NOTICED_MS = 3_000
/** How long a lone PostgreSQL stays away. */
const AWAY_MS = 3_000

/** The database under the nodes. */
export interface MarketDatabase {
  /** What it is, for people. */
  readonly about: string
  readonly url: string
  /** Its standbys; null: it has none. */
  readonly replicasUrl: string | null
  /** `kill -9` of the primary, which comes back once `untilPlaced` resolves: orders are placed again, or cannot be without it. */
  killPrimary(untilPlaced: () => Promise<void>): Promise<void>
  open(): DatabaseClient
  remove(): Promise<void>
}

/** Three PostgreSQL under Patroni. `folder` exists; `firstPort` is the first of `CLUSTER_PORTS`. */
export async function startReplicatedDatabase(folder: string, firstPort: number): Promise<MarketDatabase> {
  const cluster = await Cluster.start({ folder: join(folder, 'database'), firstPort, network: null })
  await cluster.untilReplicated(2)
  return {
    about: 'three PostgreSQL under Patroni',
    url: cluster.url,
    replicasUrl: cluster.replicasUrl,
    killPrimary: async (untilPlaced) => {
      const primary = await cluster.findLeader()
      await primary.kill()
      await sleep(NOTICED_MS)
      await untilPlaced()
      await primary.start()
      await cluster.untilReplicated(2)
    },
    open: () => connect({ connectionString: cluster.url }, { poolMax: 2 }),
    remove: () => cluster.kill(),
  }
}

export const REPLICATED_PORTS = CLUSTER_PORTS

/** One PostgreSQL, for machines that lack the programs of a replicated one. */
export async function startLoneDatabase(): Promise<MarketDatabase> {
  const postgres = await startOwnPostgres()
  return {
    about: 'one PostgreSQL without a replica',
    url: postgres.url,
    replicasUrl: null,
    killPrimary: async (untilPlaced) => {
      await postgres.kill()
      await sleep(AWAY_MS)
      await postgres.start()
      await untilPlaced()
    },
    open: () => postgres.openDatabase(),
    remove: () => postgres.remove(),
  }
}
