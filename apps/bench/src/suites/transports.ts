import type { Suite } from '../bench.ts'
import { makeScratchMarket } from '../dataset/make-dataset.ts'
import { unevenMarket } from '../dataset/market-plan.ts'
import { BASELINE_CONNECTIONS, startBaseline } from '../engine/start-baseline.ts'
import { interleave } from '../load/interleave.ts'
import type { Transport } from '../load/plans.ts'
import { runLoad } from '../load/run-load.ts'
import { type Target, toMeasurement } from '../report/measurement.ts'
import { startMarket } from '../servers/start-market.ts'

const SIZE = { tokens: 1_000, players: 10_000 }
const CONNECTIONS = 128
const HOT_TOKEN = 1

type Side = 'procedure' | Transport

interface TransportCase {
  readonly name: string
  readonly subject: Side
  readonly baseline: Side
  readonly target: Target | null
}

const CASES: readonly TransportCase[] = [
  { name: 'REST : procedure', subject: 'rest', baseline: 'procedure', target: { min: 1.5 } },
  { name: 'tRPC, HTTP : REST', subject: 'trpc', baseline: 'rest', target: null },
  { name: 'tRPC, WebSocket : REST', subject: 'trpc-socket', baseline: 'rest', target: { min: 0.8 } },
]

export const transports: Suite = {
  name: 'transports',
  about: `buys of one token through REST and tRPC over ${CONNECTIONS} connections, against the stored procedure without HTTP`,
  run: async (context) => {
    const dataDir = await makeScratchMarket(context, unevenMarket({ ...SIZE, trades: SIZE.tokens }))
    const { server, port, address, cookies } = await startMarket(context, dataDir, CONNECTIONS)
    const callProcedure = await startBaseline(context, address, SIZE)
    const seconds = Math.ceil(context.roundSeconds * 2)
    /** Measures one round of buys: their rate, latency, and the server's CPU time per buy. */
    const buy = (transport: Transport) => async () =>
      await server.measureCpu(runLoad({ port, transport, tokenId: HOT_TOKEN, cookies, seconds }))
    const rounds = await interleave<Side>(context.rounds, {
      procedure: () => callProcedure({ tokens: 1, players: SIZE.players, inFlight: BASELINE_CONNECTIONS, seconds }),
      rest: buy('rest'),
      trpc: buy('trpc'),
      'trpc-socket': buy('trpc-socket'),
    })
    return CASES.filter(({ name }) => name.includes(context.only)).map(({ name, subject, baseline, target }) => {
      const pairs = rounds.map((round) => ({ subject: round[subject], baseline: round[baseline] }))
      return toMeasurement({ suite: 'transports', name, figure: 'perSecond', target, rounds: pairs })
    })
  },
}
