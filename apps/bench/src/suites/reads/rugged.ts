import type { BenchContext, Suite } from '../../bench.ts'
import { ruggedMarket, unevenMarket } from '../../dataset/market-plan.ts'
import { provideDataset } from '../../dataset/provide-dataset.ts'
import { HttpConnection } from '../../load/http-connection.ts'
import { interleave } from '../../load/interleave.ts'
import { timeReads } from '../../load/time-reads.ts'
import { type Measurement, type Target, toMeasurement } from '../../report/measurement.ts'
import { startPapermoon } from '../../servers/papermoon-server.ts'

/** One in a hundred tokens is open. */
const OPEN_EVERY = 100
/** Reads per round, each of a page that was not read before. */
const READS = 30
const AT_ONCE: Target = { figureMax: 50 }
const SORTS = ['newest', 'oldest', 'mcap-high', 'mcap-low', 'last-trade']
const DAY_MS = 86_400_000

export const rugged: Suite = {
  name: 'rugged',
  about: 'first reads of the list without rugged tokens where 99 % are rugged, against the list of all tokens',
  run: async (context) => {
    const size = context.isQuick
      ? { tokens: 2_000, players: 2_000, trades: 4_000 }
      : { tokens: 100_000, players: 100_000, trades: 200_000 }
    const { dataDir } = await provideDataset(ruggedMarket(unevenMarket(size), OPEN_EVERY), context.say)
    return await compareLists(context, dataDir)
  },
}

/** A page of the list; `n` makes it one that is not cached. */
interface ListRead {
  readonly name: string
  path(n: number): string
}

const LIST_READS: readonly ListRead[] = [
  ...SORTS.flatMap((sort): ListRead[] => [
    { name: sort, path: (n) => `sort=${sort}&limit=${20 + n}` },
    { name: `${sort}, later`, path: (n) => `sort=${sort}&limit=24&cursor=${createCursor(sort, n)}` },
  ]),
  // In every name, in one of a thousand, and in none.
  { name: 'search, frequent', path: (n) => `search=moon&limit=${20 + n}` },
  { name: 'search, rare', path: (n) => `search=${100 + n}&limit=24` },
  { name: 'search, none', path: (n) => `search=zz${n}&limit=24` },
]

/** A cursor somewhere in the list, as the server would write it behind a token. */
function createCursor(sort: string, n: number): string {
  const part = (n * 0.618) % 1
  const value = sort.startsWith('mcap')
    ? (0.00000003 * (1 + part / 10)).toFixed(18)
    : new Date(Date.now() - Math.round(part * 7 * DAY_MS)).toISOString()
  return Buffer.from(JSON.stringify([sort, value, n + 1])).toString('base64url')
}

async function compareLists(context: BenchContext, dataDir: string): Promise<Measurement[]> {
  const { port, stop } = await startPapermoon(dataDir)
  const connection = await HttpConnection.open(port)
  try {
    const measurements: Measurement[] = []
    for (const { name, path } of LIST_READS.filter((one) => one.name.includes(context.only))) {
      const read = (rugged: 'show' | 'hide') => (round: number) => {
        const paths = Array.from({ length: READS }, (_, i) => `/api/tokens?rugged=${rugged}&${path(round * READS + i)}`)
        return timeReads({ port, connection }, paths)
      }
      const rounds = await interleave(context.rounds, { baseline: read('show'), subject: read('hide') })
      measurements.push(toMeasurement({ suite: 'rugged', name, figure: 'p99Ms', target: AT_ONCE, rounds }))
      context.say(`  ${name}`)
    }
    return measurements
  } finally {
    connection.close()
    await stop()
  }
}
