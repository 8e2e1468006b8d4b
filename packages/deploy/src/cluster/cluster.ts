import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  findPostgresFolder,
  findServiceUser,
  listMissingPackages,
  requireProgram,
  type SystemUser,
} from '../programs/programs.ts'
import { type Service, startService } from '../programs/service.ts'
import { renderProxy } from '../templates/render-cluster.ts'
import { makeFolder, writeFiles } from '../templates/write-files.ts'
import type { ClusterPlan, MachinePlan, Passwords } from './cluster-plan.ts'
import { isHealthy, replaceMember } from './etcd-client.ts'
import { Machine, type MachineSite } from './machine.ts'
import type { MachineNetwork } from './network.ts'
import { findLeader, findStandby, switchOver } from './operate.ts'
import { isLeader, type Member, readMembers } from './patroni-client.ts'
import { startWatchdog } from './watchdog.ts'

export const MACHINES = 3
const LOOK_EVERY_MS = 100
const REPLICATED_MAX_MS = 60_000

export interface ClusterOptions {
  /** Everything is kept in it; it may hold an earlier start's data. */
  readonly folder: string
  /** The first of `CLUSTER_PORTS` ports. */
  readonly firstPort: number
  /** A network for each machine; null: all share the loopback address. */
  readonly network: MachineNetwork | null
}

/** How many ports a cluster takes from its first one on. */
export const CLUSTER_PORTS = 30

/** Three machines with etcd, Patroni and PostgreSQL, and HAProxy in front, as processes. */
export class Cluster {
  readonly machines: readonly Machine[]
  readonly plan: ClusterPlan
  readonly #site: MachineSite
  readonly #callOff: () => void
  #proxy: Service | null = null

  private constructor(options: ClusterOptions, user: SystemUser | null) {
    const { folder, network } = options
    this.plan = planCluster(options)
    this.#site = { plan: this.plan, folder, user, network }
    this.machines = this.plan.machines.map((_, place) => new Machine(this.#site, place))
    makeFolder(this.plan.repositoryFolder, user)
    writeFiles(folder, [renderProxy(this.plan)], user)
    const namespaces = network?.machines.map(({ namespace }) => namespace) ?? []
    this.#callOff = startWatchdog(folder, namespaces, network?.bridge ?? '')
  }

  /** Starts it; resolves when it has a leader and a synchronous standby. Rejects naming the packages that are missing. */
  static async start(options: ClusterOptions): Promise<Cluster> {
    const missing = listMissingPackages()
    if (missing.length > 0) throw new Error(`these packages are missing: ${missing.join(' ')}`)
    const { folder } = options
    const user = findServiceUser()
    // Users of the services must be able to traverse it.
    mkdirSync(folder, { recursive: true })
    chmodSync(folder, 0o711)
    for (const name of ['log', 'pids']) makeFolder(join(folder, name), user)
    const cluster = new Cluster(options, user)
    try {
      await Promise.all(cluster.machines.map((machine) => machine.start(['etcd'])))
      await cluster.#until('etcd has a majority', async () => await isHealthy(cluster.machines[0]?.plan as MachinePlan))
      await Promise.all(cluster.machines.map((machine) => machine.start(['patroni'])))
      await cluster.#startProxy()
      await cluster.untilReplicated()
    } catch (error) {
      const logs = cluster.machines.map((machine) => machine.readLogs()).join('\n')
      await cluster.kill()
      throw new Error(`the cluster did not start:\n${logs}`, { cause: error })
    }
    return cluster
  }

  /** The `DATABASE_URL` of nodes: whichever machine leads. */
  get url(): string {
    return this.#toUrl(this.plan.leaderBind)
  }

  /** The standbys, in turn. */
  get replicasUrl(): string {
    return this.#toUrl(this.plan.replicasBind)
  }

  members(): Promise<readonly Member[]> {
    return readMembers(this.plan.machines)
  }

  /** The machine that leads. Throws if none does. */
  async findLeader(): Promise<Machine> {
    return this.#toMachine(await findLeader(this.plan))
  }

  /** The synchronous standby. Throws if there is none. */
  async findStandby(): Promise<Machine> {
    return this.#toMachine(await findStandby(this.plan))
  }

  /** Resolves once a machine leads, and so many others stream from it, one of them synchronously. */
  async untilReplicated(standbys = 1): Promise<void> {
    await this.#until(`a leader has ${standbys} standbys`, async () => {
      const members = await this.members()
      const leader = members.find(({ role, state }) => role === 'leader' && state === 'running')
      const streaming = members.filter(({ role, state, timeline }) => {
        return role !== 'leader' && /^(running|streaming)$/.test(state) && timeline === leader?.timeline
      })
      const isSynchronous = streaming.some(({ role }) => role === 'sync_standby')
      return leader !== undefined && isSynchronous && streaming.length >= standbys && (await this.#hasLeader())
    })
  }

  /** Hands the lead to the synchronous standby, as before maintenance. */
  async switchOver(): Promise<void> {
    await switchOver(this.plan)
  }

  /** Replaces a machine that was killed and whose disk is empty: its member of etcd, then its copy of the data. */
  async replace(machine: Machine): Promise<void> {
    machine.wipe(['etcd', 'patroni'])
    const others = this.machines.filter((other) => other !== machine)
    const healthy = await Promise.all(others.map((other) => isHealthy(other.plan)))
    const through = others[healthy.indexOf(true)]
    if (through === undefined) throw new Error('no member of etcd serves')
    await replaceMember(machine.plan, through.plan)
    await machine.start()
  }

  /** Ends everything in order. The data stays. */
  async stop(): Promise<void> {
    await this.#proxy?.end('SIGTERM', 2_000)
    await Promise.all(this.machines.map((machine) => machine.stop(['patroni'])))
    await Promise.all(this.machines.map((machine) => machine.stop(['etcd'])))
    this.#leave()
  }

  /** Kills everything. The data stays. */
  async kill(): Promise<void> {
    await Promise.all(this.machines.map((machine) => machine.kill()))
    await this.#proxy?.end('SIGKILL')
    this.#leave()
  }

  #toMachine({ name }: MachinePlan): Machine {
    const found = this.machines.find((machine) => machine.name === name)
    if (found === undefined) throw new Error(`there is no machine ${name}`)
    return found
  }

  #leave(): void {
    this.#callOff()
    this.#site.network?.remove()
  }

  async #startProxy(): Promise<void> {
    const { folder, user } = this.#site
    const args = ['-db', '-f', join(folder, 'haproxy.cfg')]
    const command = requireProgram('haproxy')
    this.#proxy = await startService({ name: 'haproxy', command, args, folder, user, namespace: null })
  }

  async #hasLeader(): Promise<boolean> {
    return (await Promise.all(this.machines.map((machine) => isLeader(machine.plan)))).includes(true)
  }

  async #until(what: string, holds: () => Promise<boolean>): Promise<void> {
    const giveUpMs = performance.now() + REPLICATED_MAX_MS
    while (!(await holds().catch(() => false))) {
      if (performance.now() > giveUpMs)
        throw new Error(`in ${REPLICATED_MAX_MS / 1_000} s it did not come true that ${what}`)
      await sleep(LOOK_EVERY_MS)
    }
  }

  #toUrl(bind: string): string {
    return `postgres://papermoon:${this.plan.passwords.papermoon}@${bind}/papermoon`
  }
}

/** With networks all machines have the same ports, as real ones do; on the loopback address each has its own. */
export function planCluster({ folder, firstPort, network }: ClusterOptions): ClusterPlan {
  const binFolder = findPostgresFolder()
  if (binFolder === null) throw new Error('there is no PostgreSQL: apt-get install postgresql')
  const machines = Array.from({ length: MACHINES }, (_, place): MachinePlan => {
    const name = `pg${place + 1}`
    const own = join(folder, name)
    const address = network?.machines[place]?.address ?? '127.0.0.1'
    const port = (offset: number) => firstPort + offset + (network === null ? place : 0)
    return {
      name,
      address,
      etcdAddress: address,
      listen: address,
      etcdClientPort: port(1),
      etcdPeerPort: port(5),
      postgresPort: port(11),
      patroniPort: port(21),
      folder: own,
      configFolder: join(own, 'config'),
      dataFolder: join(own, 'data'),
      socketFolder: join(own, 'run'),
    }
  })
  return {
    machines,
    etcdApi: 'etcd',
    leaderBind: `127.0.0.1:${firstPort}`,
    replicasBind: `127.0.0.1:${firstPort + 9}`,
    binFolder,
    repositoryFolder: join(folder, 'repository'),
    passwords: providePasswords(folder),
  }
}

/** Reads the passwords of an earlier start, or makes new ones. */
function providePasswords(folder: string): Passwords {
  const path = join(folder, 'passwords.json')
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as Passwords
  const make = () => randomBytes(18).toString('hex')
  const passwords = { papermoon: make(), superuser: make(), replicator: make(), rewinder: make() }
  writeFileSync(path, JSON.stringify(passwords), { mode: 0o600 })
  return passwords
}
