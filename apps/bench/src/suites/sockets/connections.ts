import { setTimeout as delay } from 'node:timers/promises'
import type { BenchContext, Suite } from '../../bench.ts'
import { unevenMarket } from '../../dataset/market-plan.ts'
import { onScratchMarket } from '../../dataset/on-scratch-market.ts'
import { holdSockets } from '../../fanout/hold-sockets.ts'
import type { HolderPlan } from '../../fanout/holder-plan.ts'
import { assertRoomForSockets } from '../../fanout/open-files.ts'
import { type Measurement, toMeasurement } from '../../report/measurement.ts'
import { type ChildServer, startChildServer } from '../../servers/child-server.ts'
import { startPapermoon } from '../../servers/papermoon-server.ts'
import { SETTLING, settledMemoryKb } from '../../servers/settled-memory.ts'

const TOKEN = 1
/** More than the time between two pings, which every socket answers. */
const IDLE_MS = 35_000
const KB_MAX = 60

export const connections: Suite = {
  name: 'connections',
  about: 'memory of the server for each of thousands of idle sockets, against a bare server with as many',
  run: async (context) => {
    const sockets = context.isQuick ? 500 : 15_000
    assertRoomForSockets(sockets)
    const market = {
      name: 'connections',
      plan: unevenMarket({ tokens: 50, players: 500, trades: 500 }),
      say: context.say,
    }
    return await onScratchMarket(market, async (dataDir) => {
      const measurements: Measurement[] = []
      for (const one of CASES.filter(({ name }) => name.includes(context.only))) {
        measurements.push(await measure({ context, dataDir, sockets }, one))
      }
      return measurements
    })
  },
}

interface ConnectionCase {
  readonly name: string
  readonly kind: HolderPlan['kind']
}

const CASES: readonly ConnectionCase[] = [
  { name: '/ws', kind: 'events' },
  { name: '/api/events', kind: 'sse' },
  { name: 'subscriptions', kind: 'subscriptions' },
]

interface ConnectionsRun {
  readonly context: BenchContext
  readonly dataDir: string
  readonly sockets: number
}

async function measure(run: ConnectionsRun, { name, kind }: ConnectionCase): Promise<Measurement> {
  const { context, sockets } = run
  const bare = kind === 'sse' ? 'bare-event-source' : 'bare-socket'
  const baseline = await measureOn(run, kind === 'sse' ? 'sse' : 'events', () =>
    startChildServer([...SETTLING, `apps/bench/src/servers/${bare}.ts`], {}),
  )
  const subject = await measureOn(run, kind, () => startPapermoon(run.dataDir, SETTLING))
  context.say(
    `  ${sockets} of ${name}: ${subject.eachKb.toFixed(1)} kB each, bare ${baseline.eachKb.toFixed(1)} kB; CPU ${subject.cpuPerSecond.toFixed(1)} ms a second while idle`,
  )
  return toMeasurement({
    suite: 'connections',
    name: `${sockets} idle, ${name}`,
    figure: 'eachKb',
    target: { figureMax: KB_MAX },
    rounds: [{ subject, baseline }],
  })
}

/** Memory a socket, and the server's CPU time while all are idle. Fails if a socket is lost. */
async function measureOn(
  { context, sockets }: ConnectionsRun,
  kind: HolderPlan['kind'],
  start: () => Promise<ChildServer>,
) {
  const server = await start()
  try {
    const beforeKb = await settledMemoryKb(server)
    const held = await holdSockets({ port: server.port, kind, tokenId: TOKEN, sockets })
    try {
      const openedMs = server.cpuMs()
      const idleMs = context.isQuick ? 1_000 : IDLE_MS
      await delay(idleMs)
      const cpuPerSecond = ((server.cpuMs() - openedMs) * 1_000) / idleMs
      const afterKb = await settledMemoryKb(server)
      // No trade is made: this only reports a socket that was lost.
      await held.during(async () => 0)
      return { eachKb: (afterKb - beforeKb) / sockets, residentMb: afterKb / 1_024, cpuPerSecond }
    } finally {
      await held.close()
    }
  } finally {
    await server.stop()
  }
}
