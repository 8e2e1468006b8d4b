import assert from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePorts, findProgram, guardFolder, listMissingPackages, Nginx, startRedis } from '@papermoon/deploy'
import { makeDataFolder, removeDataFolder } from '../../support/data-folder.ts'
import { type ApiProcess, startApi } from '../support/api-process.ts'
import { readMetric } from '../support/server-figures.ts'
import { type MarketDatabase, REPLICATED_PORTS, startLoneDatabase, startReplicatedDatabase } from './database.ts'

/** Two nodes for orders and two for reads, as the table names them. */
const NODES = [
  ['orders-1', 'orders'],
  ['orders-2', 'orders'],
  ['reads-1', 'reads'],
  ['reads-2', 'reads'],
] as const
type Role = (typeof NODES)[number][1]

/** A node that gets no new calls is done with the old ones by then. */
const IDLE_AFTER_MS = 1_500
/** How long a killed node stays away. */
const AWAY_MS = 1_000
const LEAD_MAX_MS = 60_000
const LOOK_EVERY_MS = 100
const NGINX_STOP_MAX_MS = 5_000

interface RunningNode {
  readonly name: string
  readonly role: Role
  readonly port: number
  readonly api: ApiProcess
}

/** The programs that a market at scale lacks on this machine, by Debian package. Without them it is smaller. */
export function listMissingPrograms(): readonly string[] {
  const others = { nginx: 'nginx', 'redis-server': 'redis-server' }
  const missing = Object.entries(others).filter(([program]) => findProgram(program) === null)
  return [...listMissingPackages(), ...missing.map(([, name]) => name)]
}

/** Nodes behind nginx with Redis on a replicated PostgreSQL, as processes, and ways to break and replace them. */
export class ScaledMarket {
  readonly #undo: AsyncDisposableStack
  readonly #folder: string
  readonly #settings: Readonly<Record<string, string>>
  readonly #firstPort: number
  readonly #nodes: RunningNode[] = []
  readonly #lines: string[] = []
  #nginx: { readonly program: Nginx; readonly url: string } | null = null
  #starts = 0
  readonly #say: (line: string) => void
  readonly database: MarketDatabase

  private constructor(parts: {
    readonly undo: AsyncDisposableStack
    readonly folder: string
    readonly firstPort: number
    readonly database: MarketDatabase
    readonly redisUrl: string | null
    say(line: string): void
  }) {
    this.#say = parts.say
    this.#undo = parts.undo
    this.#folder = parts.folder
    this.#firstPort = parts.firstPort
    this.database = parts.database
    this.#settings = {
      DATABASE_URL: parts.database.url,
      ENGINE_LISTEN: 'auto',
      METRICS: 'open',
      TRUST_PROXY: '127.0.0.1',
      ...(parts.redisUrl === null ? {} : { REDIS_URL: parts.redisUrl }),
    }
  }

  /** Starts it. `script`: the server of another build, which the nodes begin with. Programs that are missing are left out. */
  static async start(script: string | undefined, say: (line: string) => void): Promise<ScaledMarket> {
    await using undo = new AsyncDisposableStack()
    const folder = makeDataFolder()
    undo.defer(async () => removeDataFolder(folder))
    undo.defer(async () => guard())
    const guard = guardFolder(folder)
    const firstPort = await findFreePorts(REPLICATED_PORTS + 2 + 2 * NODES.length)
    const isReplicated = listMissingPackages().length === 0
    const database = isReplicated ? await startReplicatedDatabase(folder, firstPort) : await startLoneDatabase()
    undo.defer(() => database.remove())
    const redisPort = firstPort + REPLICATED_PORTS
    const redis = findProgram('redis-server') === null ? null : await startRedis(folder, redisPort)
    if (redis !== null) undo.defer(() => redis.end('SIGKILL'))
    const redisUrl = redis === null ? null : `redis://127.0.0.1:${redisPort}`
    const parts = { folder, firstPort: redisPort + 1, database, redisUrl, say }
    const market = new ScaledMarket({ ...parts, undo: undo.move() })
    try {
      for (const place of NODES.keys()) await market.#startNode(place, script)
      await market.#startNginx()
    } catch (error) {
      await market.remove()
      throw error
    }
    market.#lines.push(`database  ${database.about}`, `Redis     ${redisUrl ?? 'none'}`)
    return market
  }

  /** What runs, for people. */
  get lines(): readonly string[] {
    const nodes = NODES.map(([name, role]) => `${name.padEnd(9)} ROLE=${role}`)
    return [...this.#lines, `nginx     ${this.#nginx?.url ?? 'none: players choose a node themselves'}`, ...nodes]
  }

  get isProxied(): boolean {
    return this.#nginx !== null
  }

  /** Where players call: nginx, or every node that runs. */
  readonly urls = (): readonly string[] =>
    this.#nginx === null ? this.#nodes.map(({ api }) => api.url) : [this.#nginx.url]

  /** Replaces every node by one of this build: the new one is started beside it, gets its calls, and the old one is stopped. */
  async replaceNodes(): Promise<void> {
    for (const [place, [name]] of NODES.entries()) {
      const old = this.#findNode(name)
      await this.#startNode(place)
      await this.#takeOut(old)
      await sleep(IDLE_AFTER_MS)
      await old.api.end('SIGTERM')
    }
    await this.#findLeader()
  }

  /** `kill -9` of a node that does not lead, and its start. */
  async killFollower(role: Role): Promise<void> {
    const leader = await this.#findLeader()
    const node = this.#nodes.find((other) => other.role === role && other !== leader)
    assert(node !== undefined, `no node for ${role} follows`)
    await this.#killAndStart(node)
  }

  /** `kill -9` of the node whose engine leads, and its start. */
  async killLeader(): Promise<void> {
    await this.#killAndStart((await this.#findLeader()) ?? this.#findNode(NODES[0][0]))
    await this.#findLeader()
  }

  async remove(): Promise<void> {
    await Promise.all(this.#nodes.map(({ api }) => api.end('SIGTERM')))
    await this.#undo.disposeAsync()
  }

  async #killAndStart(node: RunningNode): Promise<void> {
    await node.api.end('SIGKILL')
    // Without nginx, players notice by themselves and leave it out.
    this.#nodes.splice(this.#nodes.indexOf(node), 1)
    await sleep(AWAY_MS)
    const place = NODES.findIndex(([name]) => name === node.name)
    this.#nodes.push({ ...node, api: await this.#spawn(place, { port: node.port }) })
  }

  async #startNode(place: number, script?: string): Promise<void> {
    const [name, role] = NODES[place] ?? []
    assert(name !== undefined && role !== undefined)
    // A successor runs beside its predecessor for a while.
    const generation = Math.floor(this.#starts++ / NODES.length) % 2
    const port = this.#firstPort + 1 + place + generation * NODES.length
    const api = await this.#spawn(place, { port, script })
    this.#nodes.push({ name, role, port, api })
  }

  async #spawn(
    place: number,
    { port, script }: { readonly port: number; readonly script?: string | undefined },
  ): Promise<ApiProcess> {
    const [name, role] = NODES[place] ?? []
    assert(name !== undefined && role !== undefined)
    const { replicasUrl } = this.database
    const replica: Record<string, string> =
      role === 'reads' && replicasUrl !== null ? { READ_DATABASE_URL: replicasUrl } : {}
    const settings = { ...this.#settings, ...replica, ROLE: role, PORT: String(port) }
    const DATA_DIR = join(this.#folder, `${name}-${port}`)
    return await startApi({ ...settings, DATA_DIR }, script)
  }

  async #takeOut(node: RunningNode): Promise<void> {
    this.#nodes.splice(this.#nodes.indexOf(node), 1)
    await this.#nginx?.program.sendTo(this.#nodes.map(({ port }) => port))
  }

  async #startNginx(): Promise<void> {
    if (findProgram('nginx') === null) return
    const nodePorts = this.#nodes.map(({ port }) => port)
    const program = await Nginx.start({ folder: this.#folder, port: this.#firstPort, nodePorts })
    this.#undo.defer(() => program.service.end('SIGTERM', NGINX_STOP_MAX_MS))
    this.#nginx = { program, url: `http://127.0.0.1:${this.#firstPort}` }
  }

  #findNode(name: string): RunningNode {
    const node = this.#nodes.find((other) => other.name === name)
    assert(node !== undefined, `${name} does not run`)
    return node
  }

  /** Waits until one node leads; null: none did, as on a machine too busy to renew a lease of 1.5 s. */
  async #findLeader(): Promise<RunningNode | null> {
    const giveUpMs = performance.now() + LEAD_MAX_MS
    while (performance.now() < giveUpMs) {
      const leads = await Promise.all(
        this.#nodes.map(({ api }) => readMetric(api.url, 'papermoon_engine_is_leading').catch(() => 0)),
      )
      const leader = this.#nodes[leads.indexOf(1)]
      if (leader !== undefined) return leader
      await sleep(LOOK_EVERY_MS)
    }
    this.#say(`no node led the others for ${LEAD_MAX_MS / 1_000} s: each ran its orders itself`)
    return null
  }
}
