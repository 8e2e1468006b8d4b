import { performance } from 'node:perf_hooks'
import type { BenchContext, Suite } from '../bench.ts'
import { onScratchMarket } from '../dataset/make-dataset.ts'
import { unevenMarket } from '../dataset/market-plan.ts'
import { EMPTY, GADGETS, type Gadget } from '../hostile/gadgets.ts'
import { type Door, openSender } from '../hostile/senders.ts'
import { HttpConnection } from '../load/http-connection.ts'
import { compare, measureEach } from '../load/interleave.ts'
import type { Measurement, Round, Target } from '../report/measurement.ts'
import { quantile } from '../report/median.ts'
import type { ChildServer } from '../servers/child-server.ts'
import { startPapermoon } from '../servers/papermoon-server.ts'

/** Max blocking of the event loop, which delays everyone. */
const DELAY: Target = { figureMax: 50 }

export const hostile: Suite = {
  name: 'hostile',
  about: 'how long the event loop is held up by calls whose input is made to be expensive, against calls without one',
  run: async (context) => {
    const plan = unevenMarket({ tokens: 10, players: 10, trades: 100 })
    return await onScratchMarket({ name: 'hostile', plan, say: context.say }, async (dataDir) => {
      const server = await startPapermoon(dataDir)
      try {
        return await measureOn(context, server)
      } finally {
        await server.stop()
      }
    })
  },
}

async function measureOn(context: BenchContext, server: ChildServer): Promise<Measurement[]> {
  const { roundSeconds: seconds } = context
  return await measureEach(context, listCases(), async ({ name, door, gadget }) => {
    const about = { suite: 'hostile', name, figure: 'p99Ms', target: DELAY }
    const measurement = await compare(context, about, {
      baseline: () => hold(server, { door, gadget: EMPTY, seconds }),
      subject: () => hold(server, { door, gadget, seconds }),
    })
    const { p99Ms, longestMs } = measurement.subject
    context.say(`  p99 ${p99Ms?.toFixed(1)} ms, longest ${longestMs?.toFixed(1)} ms`)
    return measurement
  })
}

interface HostileCase {
  readonly name: string
  readonly door: Door
  readonly gadget: Gadget
}

function listCases(): HostileCase[] {
  return GADGETS.flatMap((gadget) => {
    const doors: Door[] = gadget.isShort ? ['POST', 'GET', 'batch', 'socket'] : ['POST', 'socket']
    return doors.map((door) => ({ name: `${gadget.name}, ${door}`, door, gadget }))
  })
}

interface Attack {
  readonly door: Door
  readonly gadget: Gadget
  readonly seconds: number
}

/** One client calls as fast as it is answered, while another requests a route that needs only the event loop. */
async function hold(server: ChildServer, { door, gadget, seconds }: Attack): Promise<Round> {
  const sender = await openSender(door, server.port, gadget)
  const probe = await HttpConnection.open(server.port)
  const untilMs = performance.now() + seconds * 1_000
  const beforeMs = server.cpuMs()
  const delaysMs: number[] = []
  let calls = 0
  const callAll = async () => {
    for (; performance.now() < untilMs; calls++) await sender.send()
  }
  const probeAll = async () => {
    while (performance.now() < untilMs) {
      const sentMs = performance.now()
      await probe.read('/healthz')
      delaysMs.push(performance.now() - sentMs)
    }
  }
  try {
    await Promise.all([callAll(), probeAll()])
  } finally {
    sender.close()
    probe.close()
  }
  return {
    p50Ms: quantile(delaysMs, 0.5),
    p99Ms: quantile(delaysMs, 0.99),
    longestMs: Math.max(...delaysMs),
    cpuUs: ((server.cpuMs() - beforeMs) * 1_000) / calls,
    perSecond: calls / seconds,
  }
}
