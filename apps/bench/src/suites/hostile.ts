import type { BenchContext, Suite } from '../bench.ts'
import { unevenMarket } from '../dataset/market-plan.ts'
import { onScratchMarket } from '../dataset/on-scratch-market.ts'
import { openSender, type Transport } from '../load/gadget-senders.ts'
import { EMPTY, GADGETS, type Gadget } from '../load/gadgets.ts'
import { HttpConnection } from '../load/http-connection.ts'
import { interleave } from '../load/interleave.ts'
import { type Measurement, type Round, type Target, toMeasurement } from '../report/measurement.ts'
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
  const measurements: Measurement[] = []
  for (const { name, transport, gadget } of listCases().filter((one) => one.name.includes(context.only))) {
    const rounds = await interleave(context.rounds, {
      baseline: () => hold(server, transport, { gadget: EMPTY, seconds: context.roundSeconds }),
      subject: () => hold(server, transport, { gadget, seconds: context.roundSeconds }),
    })
    const measurement = toMeasurement({ suite: 'hostile', name, figure: 'p99Ms', target: DELAY, rounds })
    context.say(
      `  ${name}: ${measurement.subject.p99Ms?.toFixed(1)} ms, longest ${measurement.subject.longestMs?.toFixed(1)} ms`,
    )
    measurements.push(measurement)
  }
  return measurements
}

interface HostileCase {
  readonly name: string
  readonly transport: Transport
  readonly gadget: Gadget
}

function listCases(): HostileCase[] {
  return GADGETS.flatMap((gadget) => {
    const transports: Transport[] = gadget.isShort ? ['POST', 'GET', 'batch', 'socket'] : ['POST', 'socket']
    return transports.map((transport) => ({ name: `${gadget.name}, ${transport}`, transport, gadget }))
  })
}

/** One client calls as fast as it is answered, while another requests a route that needs only the event loop. */
async function hold(
  server: ChildServer,
  transport: Transport,
  { gadget, seconds }: { readonly gadget: Gadget; readonly seconds: number },
): Promise<Round> {
  const sender = await openSender(transport, server.port, gadget)
  const probe = await HttpConnection.open(server.port)
  const ping = Buffer.from(`GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n\r\n`)
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
      await probe.send(ping)
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
