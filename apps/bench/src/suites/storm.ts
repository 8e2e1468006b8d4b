import { setTimeout as delay } from 'node:timers/promises'
import type { BenchContext, Suite } from '../bench.ts'
import { onScratchMarket } from '../dataset/make-dataset.ts'
import { busiestToken, unevenMarket } from '../dataset/market-plan.ts'
import { compare, measureEach } from '../load/interleave.ts'
import { LoadGenerator } from '../load/load-generator.ts'
import type { Measurement, Round } from '../report/measurement.ts'
import { openRunDatabase, profilingFlags, startPapermoon } from '../servers/papermoon-server.ts'
import { signInPlayers } from '../servers/sign-in-players.ts'
import { tokenReads } from './token-reads.ts'

const BUYERS = 128
/** Number of readers, the same as in the suite `reads`. */
const READERS = 32
/** How long to warm up between the first buy and the measurement, in ms. */
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
    const market = { name: 'storm', plan, say: context.say }
    return await onScratchMarket(market, (dataDir) => measureOn(context, dataDir, busiestToken(plan)))
  },
}

interface StormBench {
  readonly context: BenchContext
  readonly port: number
  readonly cookies: readonly string[]
  /** Id of the token that players buy and clients read. */
  readonly tokenId: number
  readonly reading: LoadGenerator
  readonly buying: LoadGenerator
}

async function measureOn(context: BenchContext, dataDir: string, tokenId: number): Promise<Measurement[]> {
  const { port, stop } = await startPapermoon(dataDir, profilingFlags(context))
  const [reading, buying] = [new LoadGenerator(), new LoadGenerator()]
  try {
    const database = await openRunDatabase(dataDir)
    const cookies = await signInPlayers(database.db, BUYERS).finally(() => database.close())
    const bench = { context, port, cookies, tokenId, reading, buying }
    return await measureEach(context, listReads(tokenId), (read) => compareRead(bench, read))
  } finally {
    await reading.close()
    await buying.close()
    await stop()
  }
}

/** Lists the requests of the token list and of a token page. */
function listReads(tokenId: number): { name: string; path: string }[] {
  return [
    { name: 'tokens, newest 24', path: '/api/tokens?limit=24' },
    { name: 'tokens, newest 1,000', path: '/api/tokens' },
    ...tokenReads.map(({ name, path }) => ({ name, path: path(tokenId) })),
  ]
}

async function compareRead(bench: StormBench, { name, path }: { name: string; path: string }): Promise<Measurement> {
  const { context, port, reading } = bench
  const plan = { port, paths: [path], first: 0, connections: READERS, seconds: context.roundSeconds }
  const read = async (): Promise<Round> => ({ ...(await reading.run(plan)), buysPerSecond: 0 })
  const about = { suite: 'storm', name, figure: 'p50Ms', target: THREE_TIMES_IDLE }
  const measurement = await compare(context, about, { baseline: read, subject: () => inStorm(bench, read) })
  context.say(`  beside ${measurement.subject.buysPerSecond?.toFixed(0)} buys a second`)
  return measurement
}

/** Measures reads while all players buy. */
async function inStorm(
  { context, port, cookies, tokenId, buying }: StormBench,
  read: () => Promise<Round>,
): Promise<Round> {
  const seconds = context.roundSeconds + (2 * RISE_MS) / 1_000
  const storm = buying.run({ port, transport: 'rest', tokenId, cookies, seconds })
  const [round, { perSecond }] = await Promise.all([delay(RISE_MS).then(read), storm])
  return { ...round, buysPerSecond: perSecond }
}
