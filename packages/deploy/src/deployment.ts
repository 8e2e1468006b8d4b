import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type EmbeddedPostgres, startEmbedded } from '@papermoon/db'
import { Cluster } from './cluster/cluster.ts'
import { guardFolder } from './cluster/watchdog.ts'
import { Nginx } from './programs/nginx.ts'
import { startRedis as startRedisAt } from './programs/redis.ts'
import { type Service, startService } from './programs/service.ts'

const SERVER = fileURLToPath(new URL('../../../apps/api/src/server.ts', import.meta.url))
const READY_MAX_MS = 120_000
const STOP_MAX_MS = 20_000
/** From the first port on: where nodes and Redis listen, behind those of the cluster. */
const NODES_AT = 31
const REDIS_AT = 40

/** The same as the profiles of deploy/compose.yml. */
export const SIZES = ['single', 'scale', 'ha'] as const
export type Size = (typeof SIZES)[number]

export function isSize(text: string): text is Size {
  return SIZES.some((size) => size === text)
}

export interface DeploymentOptions {
  readonly size: Size
  readonly folder: string
  readonly firstPort: number
  /** Port for players. */
  readonly port: number
  readonly nodes: number
}

export interface Deployment extends AsyncDisposable {
  /** Description of what runs where, for people. */
  readonly lines: readonly string[]
}

/** Starts a size as processes. Each step registers how it is undone; disposal undoes them in reverse. */
export async function startDeployment(options: DeploymentOptions): Promise<Deployment> {
  const { folder, size, port } = options
  await using undo = new AsyncDisposableStack()
  undo.defer(guardFolder(folder))
  const { url, lines } = await startDatabase(options, undo)
  const redis = size === 'single' ? {} : await startRedis(options, undo)
  const ports = Array.from({ length: size === 'single' ? 1 : options.nodes }, (_, place) =>
    size === 'single' ? port : options.firstPort + NODES_AT + place,
  )
  for (const [place, nodePort] of ports.entries()) {
    const settings = { DATABASE_URL: url, PORT: String(nodePort), ...redis, ...toSharedSettings(options) }
    await startNode(options, { name: `node-${place + 1}`, port: nodePort, settings }, undo)
  }
  if (size !== 'single') {
    const { service } = await Nginx.start({ folder, port, nodePorts: ports })
    undo.defer(() => service.end('SIGTERM', STOP_MAX_MS))
  }
  const nodes = ports.map((nodePort, place) => `node-${place + 1}    http://127.0.0.1:${nodePort}`)
  const stack = undo.move()
  return {
    lines: [`Papermoon is at http://localhost:${port}`, ...nodes, ...lines, `logs      ${folder}/log`],
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** nginx is the proxy whose forwarded addresses count. Pictures need S3 or one node: there is no MinIO in Debian. */
function toSharedSettings({ size }: DeploymentOptions): Record<string, string> {
  return size === 'single' ? {} : { TRUST_PROXY: '127.0.0.1', ENGINE_LISTEN: 'auto' }
}

async function startDatabase({ size, folder, firstPort }: DeploymentOptions, undo: AsyncDisposableStack) {
  if (size === 'ha') {
    const cluster = await Cluster.start({ folder: join(folder, 'database'), firstPort, network: null })
    undo.defer(() => cluster.stop())
    const machines = cluster.plan.machines.map(({ name, postgresPort, patroniPort }) => {
      return `${name}       PostgreSQL ${postgresPort}, Patroni http://127.0.0.1:${patroniPort}/cluster`
    })
    return { url: cluster.url, lines: [`leader    ${cluster.plan.leaderBind}`, ...machines] }
  }
  const postgres = await startEmbedded({ dataDir: join(folder, 'database') })
  undo.defer(() => postgres.stop())
  return { url: toUrl(postgres), lines: [] }
}

function toUrl({ address: { host, port, user, password, database } }: EmbeddedPostgres): string {
  const place = new URLSearchParams({ host, port: String(port) })
  return `postgres://${user}:${encodeURIComponent(password)}@localhost/${database}?${place}`
}

async function startRedis({ folder, firstPort }: DeploymentOptions, undo: AsyncDisposableStack) {
  const port = firstPort + REDIS_AT
  const redis = await startRedisAt(folder, port)
  undo.defer(() => redis.end('SIGTERM', STOP_MAX_MS))
  return { REDIS_URL: `redis://127.0.0.1:${port}` }
}

interface NodeOptions {
  readonly name: string
  readonly port: number
  readonly settings: Readonly<Record<string, string>>
}

/** Settings of this process's environment are the node's, unless the deployment decides them. */
async function startNode(
  { folder }: DeploymentOptions,
  { name, port, settings }: NodeOptions,
  undo: AsyncDisposableStack,
): Promise<void> {
  const given = Object.fromEntries(Object.entries(process.env).flatMap(([key, value]) => (value ? [[key, value]] : [])))
  const env = { ...given, DATA_DIR: join(folder, name), ...settings }
  const service = await startService({
    name,
    command: process.execPath,
    args: ['--max-semi-space-size=8', SERVER],
    folder,
    user: null,
    namespace: null,
    env,
  })
  undo.defer(() => service.end('SIGTERM', STOP_MAX_MS))
  await untilReady(service, port)
}

async function untilReady(service: Service, port: number): Promise<void> {
  const giveUpMs = performance.now() + READY_MAX_MS
  for (;;) {
    const isReady = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    if (!service.isRunning() || performance.now() > giveUpMs)
      throw new Error(`${service.name} did not start:\n${service.readLog()}`)
    await sleep(100)
  }
}
