import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareBinaries } from '../embedded/binaries.ts'
import { findHome } from '../embedded/home.ts'
import { giveTo, initCluster, roleName } from '../embedded/init-cluster.ts'
import type { Settings } from '../embedded/settings.ts'
import { type EmbeddedPostgres, startEmbedded } from '../embedded/start-embedded.ts'

type Address = EmbeddedPostgres['address']

/** A primary and a streaming replica of it. */
export interface ReplicatedServer {
  readonly primary: Address
  /** Stays the same across starts. */
  readonly replica: Address
  readonly primaryPid: () => number
  readonly replicaPid: () => number
  /** Stops the replica at once, as in a crash of its machine. */
  stopReplica(): Promise<void>
  startReplica(): Promise<void>
  remove(): Promise<void>
}

/** A replica refuses fewer connections than the cluster was made with, which is PostgreSQL's default. */
const BOTH = { wal_level: 'replica', max_connections: 100 } as const
/** A vacuum on the primary then interrupts no read of the replica. */
const REPLICA = { hot_standby: 'on', hot_standby_feedback: 'on', wal_receiver_status_interval: '1s' } as const

/**
 * Starts both in temporary folders. The replica is a copy of the primary's data before its first start, so that it needs no base
 * backup, and streams all the WAL there is. `dataDir`: the primary's data, stopped, which is kept; default: an empty cluster.
 */
export async function startReplicatedServer(settings: Settings = {}, dataDir?: string): Promise<ReplicatedServer> {
  const primaryFolder = dataDir ?? makeFolder()
  const replicaFolder = makeFolder()
  const copied = await copyCluster(primaryFolder, replicaFolder)
  const primary = await startEmbedded({ dataDir: primaryFolder, settings: { ...settings, ...BOTH } })
  copied.follow(primary.address)
  const start = () => startEmbedded({ dataDir: replicaFolder, settings: { ...settings, ...BOTH, ...REPLICA } })
  let replica = await start().catch(async (error: unknown) => {
    await primary.stop()
    throw error
  })
  return {
    primary: primary.address,
    replica: replica.address,
    primaryPid: primary.pid,
    replicaPid: () => replica.pid(),
    stopReplica: () => replica.stop(),
    startReplica: async () => {
      replica = await start()
    },
    remove: async () => {
      await replica.stop()
      await primary.stop()
      rmSync(replicaFolder, { recursive: true, force: true })
      if (dataDir === undefined) rmSync(primaryFolder, { recursive: true, force: true })
    },
  }
}

/** If root, PostgreSQL's user must be able to traverse it. */
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'papermoon-test-'))
  chmodSync(folder, 0o711)
  return folder
}

/** Makes a cluster in one folder and its copy in another; `follow` makes the copy a replica of the server at an address. */
async function copyCluster(from: string, to: string): Promise<{ follow(address: Address): void }> {
  const original = findHome(from)
  const password = await initCluster(original, prepareBinaries(original.user, original.folder))
  const copy = findHome(to)
  // Keeps the owner of each file, which Node's own copy does not.
  execFileSync('cp', ['-a', original.data, copy.data])
  writeFileSync(copy.passwordFile, `${password}\n`, { mode: 0o600 })
  return {
    follow: ({ host, port }) => {
      const source = `host=${host} port=${port} user=${roleName} password=${password} application_name=replica`
      appendFileSync(join(copy.data, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`)
      const signal = join(copy.data, 'standby.signal')
      writeFileSync(signal, '', { mode: 0o600 })
      giveTo(copy.user, signal)
    },
  }
}
