import { connect, type DatabaseClient } from '@papermoon/db'
import { type ReplicatedServer, startReplicatedServer } from '@papermoon/db/testing'
import type { BenchContext, Suite } from '../../bench.ts'
import { unevenMarket } from '../../dataset/market-plan.ts'
import { onScratchMarket } from '../../dataset/on-scratch-market.ts'
import { anonymousGet } from '../../load/anonymous-get.ts'
import { interleave } from '../../load/interleave.ts'
import { LoadGenerator } from '../../load/load-generator.ts'
import { type Measurement, type Round, toMeasurement } from '../../report/measurement.ts'
import { type ChildServer, startChildServer } from '../../servers/child-server.ts'
import { readFamilyCpuMs } from '../../servers/cpu-time.ts'
import { signInPlayers } from '../../servers/sign-in-players.ts'

const CONNECTIONS = 4
/** A read that moved leaves the primary one small statement. */
const MOVED = { max: 0.5 }

interface ReadCase {
  readonly name: string
  readonly players: number
  toPath(number: number): string
}

/** Reads that the process does not cache. */
const CASES: readonly ReadCase[] = [
  { name: 'portfolio history', players: 50, toPath: () => '/api/portfolio/history?timeframe=ALL' },
  { name: 'charts of the past', players: 50, toPath: (number) => `/api/tokens/${1 + number}/past/1/chart` },
]

export const replica: Suite = {
  name: 'replica',
  about: "CPU time of the primary's backends for each expensive read, with a streaming replica against without",
  run: async (context) => {
    const size = context.isQuick
      ? { tokens: 100, players: 100, trades: 5_000 }
      : { tokens: 1_000, players: 1_000, trades: 200_000 }
    const market = { name: 'replica', plan: unevenMarket(size), say: context.say }
    return await onScratchMarket(market, async (dataDir) => {
      const servers = await startReplicatedServer({}, dataDir)
      const primary = connect(servers.primary, { poolMax: 1, applicationName: 'papermoon-bench' })
      try {
        return await compareOn(context, { servers, primary, dataDir })
      } finally {
        await primary.close()
        await servers.remove()
      }
    })
  },
}

interface Databases {
  readonly servers: ReplicatedServer
  readonly primary: DatabaseClient
  readonly dataDir: string
}

async function compareOn(context: BenchContext, databases: Databases): Promise<Measurement[]> {
  const { servers, primary, dataDir } = databases
  const url = { DATABASE_URL: toUrl(servers.primary) }
  const without = await startNode(`${dataDir}/without`, url)
  const routed = await startNode(`${dataDir}/with`, { ...url, READ_DATABASE_URL: toUrl(servers.replica) })
  const load = new LoadGenerator()
  try {
    const measurements: Measurement[] = []
    for (const read of CASES.filter(({ name }) => name.includes(context.only))) {
      const cookies = await signInPlayers(primary.db, read.players)
      const drive = async ({ port }: ChildServer): Promise<Round> => {
        const requests = cookies.map((cookie, number) => signedIn(anonymousGet(port, read.toPath(number)), cookie))
        const beforeMs = readFamilyCpuMs(servers.primaryPid())
        const plan = { port, requests, first: 0, connections: CONNECTIONS, seconds: context.roundSeconds }
        const result = await load.run(plan)
        const cpuMs = readFamilyCpuMs(servers.primaryPid()) - beforeMs
        return { ...result, primaryCpuMs: cpuMs / result.answered }
      }
      const rounds = await interleave(context.rounds, { baseline: () => drive(without), subject: () => drive(routed) })
      const about = { suite: 'replica', rounds }
      measurements.push(
        toMeasurement({ ...about, name: `${read.name}: CPU of the primary`, figure: 'primaryCpuMs', target: MOVED }),
        toMeasurement({ ...about, name: `${read.name}: time`, figure: 'p50Ms', target: null }),
      )
    }
    context.note('replica: reads by server', await readTargets(routed))
    return measurements
  } finally {
    await load.close()
    await Promise.all([without.stop(), routed.stop()])
  }
}

/** The routed reads of a node by target, as its metrics have them. */
async function readTargets({ port }: ChildServer): Promise<string> {
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return metrics
    .split('\n')
    .filter((line) => line.startsWith('papermoon_routed_reads_total{'))
    .join('; ')
}

async function startNode(dataDir: string, urls: Readonly<Record<string, string>>): Promise<ChildServer> {
  const settings = { RATE_LIMIT: 'off', AUDIT_EVERY_HOURS: '0', LOG_LEVEL: 'error', PORT: '0', DATA_DIR: dataDir }
  return await startChildServer(['apps/api/src/server.ts'], { ...settings, ...urls })
}

function signedIn(request: string, cookie: string): string {
  return request.replace('\r\n\r\n', `\r\nCookie: ${cookie}\r\n\r\n`)
}

function toUrl({ host, port, user, password, database }: ReplicatedServer['primary']): string {
  const place = new URLSearchParams({ host, port: String(port) })
  return `postgres://${user}:${encodeURIComponent(password)}@localhost/${database}?${place}`
}
