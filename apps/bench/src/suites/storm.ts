import { setTimeout as delay } from 'node:timers/promises'
import type { BenchContext, Suite } from '../bench.ts'
import { makeScratchMarket } from '../dataset/make-dataset.ts'
import { busiestToken, unevenMarket } from '../dataset/market-plan.ts'
import { compare, measureEach } from '../load/interleave.ts'
import { runLoad } from '../load/run-load.ts'
import type { Measurement, Round } from '../report/measurement.ts'
import { startMarket } from '../servers/start-market.ts'
import { tokenReads } from './token-reads.ts'

const BUYERS = 128
/** Number of readers, which is the same as in the suite `reads`. */
const READERS = 32
/** How long to wait between the first buy and the measurement, in ms. */
const RISE_MS = 300
const THREE_TIMES_IDLE = { max: 3 }

export const storm: Suite = {
  name: 'storm',
  about: `latency of reads over ${READERS} connections while ${BUYERS} others buy one token as fast as they can, against idle`,
  run: async (context) => {
    const size = context.isQuick
      ? { tokens: 200, players: 200, trades: 5_000 }
      : { tokens: 1_000, players: 1_000, trades: 50_000 }
    const plan = unevenMarket(size)
    const tokenId = busiestToken(plan)
    const dataDir = await makeScratchMarket(context, plan)
    const { port, cookies } = await startMarket(context, dataDir, BUYERS)
    return await measureEach(context, listReads(tokenId), (read) =>
      compareRead(context, { port, cookies, tokenId }, read),
    )
  },
}

interface Storm {
  readonly port: number
  readonly cookies: readonly string[]
  /** Id of the token that players buy and clients read. */
  readonly tokenId: number
}

interface StormRead {
  readonly name: string
  readonly path: string
}

/** Lists the requests of the token list and of a token page. */
function listReads(tokenId: number): StormRead[] {
  return [
    { name: 'tokens, newest 24', path: '/api/tokens?limit=24' },
    { name: 'tokens, newest 1,000', path: '/api/tokens' },
    ...tokenReads.map(({ name, path }) => ({ name, path: path(tokenId) })),
  ]
}

async function compareRead(context: BenchContext, bench: Storm, { name, path }: StormRead): Promise<Measurement> {
  const plan = { port: bench.port, paths: [path], connections: READERS, seconds: context.roundSeconds }
  const read = async (): Promise<Round> => ({ ...(await runLoad(plan)), buysPerSecond: 0 })
  const about = { suite: 'storm', name, figure: 'p50Ms', target: THREE_TIMES_IDLE }
  const measurement = await compare(context, about, {
    baseline: read,
    subject: () => readInStorm(bench, plan.seconds, read),
  })
  context.say(`  beside ${measurement.subject.buysPerSecond?.toFixed(0)} buys a second`)
  return measurement
}

/** Measures reads for some seconds while all players place buys. */
export async function readInStorm(order: Storm, seconds: number, read: () => Promise<Round>): Promise<Round> {
  const storm = runLoad({ ...order, transport: 'rest', seconds: seconds + (2 * RISE_MS) / 1_000 })
  const [round, { perSecond }] = await Promise.all([delay(RISE_MS).then(read), storm])
  return { ...round, buysPerSecond: perSecond }
}
