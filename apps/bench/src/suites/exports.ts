import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchContext, Suite } from '../bench.ts'
import { agedMarket, OLD_TOKEN, YOUNG_TOKEN } from '../dataset/market-plan.ts'
import { hasDataset, provideDataset } from '../dataset/provide-dataset.ts'
import { chooseSides } from '../growth/sides.ts'
import { interleave } from '../load/interleave.ts'
import { type Measurement, type Round, toMeasurement } from '../report/measurement.ts'
import type { ChildServer } from '../servers/child-server.ts'
import { startPapermoon } from '../servers/papermoon-server.ts'

const FLAT = { max: 1.3 }
const SAMPLE_EVERY_MS = 100

export const exports: Suite = {
  name: 'exports',
  about:
    'a journal of 1,000,000 trades, and a market of 10,000,000, as a stream: rows a second, and the memory beside that of 1,000 trades',
  run: async (context) => {
    const plan = agedMarket(
      context.isQuick
        ? { old: 10_000, young: 1_000, others: 60, players: 500 }
        : { old: 1_000_000, young: 1_000, others: 1_000, players: 10_000 },
    )
    const { dataDir } = await provideDataset(plan, context.say)
    const measurements: Measurement[] = []
    const lists: List[] = [{ name: '', dataDir, small: tradesOf(YOUNG_TOKEN), large: tradesOf(OLD_TOKEN) }]
    const market = chooseSides(context.isQuick).large
    // Made by `growth`, in half an hour.
    if (context.isQuick || hasDataset(market)) {
      const { dataDir: marketDir } = await provideDataset(market, context.say)
      lists.push({ name: 'whole market, ', dataDir: marketDir, small: '/api/trades?limit=1000', large: '/api/trades' })
    } else context.say('The stream of 10,000,000 trades is left out: npm run bench -- growth makes its market.')
    for (const list of lists) {
      for (const accept of TYPES.filter((type) => `${list.name}${type}`.includes(context.only))) {
        measurements.push(...(await compareStreams(context, list, accept)))
      }
    }
    return measurements
  },
}

/** A list in two lengths, of the market in a data folder. */
interface List {
  readonly name: string
  readonly dataDir: string
  readonly small: string
  readonly large: string
}

const TYPES = ['application/x-ndjson', 'text/csv']
const tradesOf = (id: number): string => `/api/tokens/${id}/trades`

async function compareStreams(context: BenchContext, list: List, accept: string): Promise<Measurement[]> {
  const server = await startPapermoon(list.dataDir)
  try {
    const read = (path: string) => () => readStream(server, path, accept)
    // Not measured: the server's first stream.
    await read(list.small)()
    const rounds = await interleave(context.rounds, { baseline: read(list.small), subject: read(list.large) })
    const name = `${list.name}${accept}`
    const memory = toMeasurement({
      suite: 'exports',
      name: `${name}, memory`,
      figure: 'memoryMb',
      target: FLAT,
      rounds,
    })
    const { perSecond = Number.NaN, memoryMb = Number.NaN } = memory.subject
    context.say(`  ${name}: ${Math.round(perSecond).toLocaleString('en')} rows a second, ${Math.round(memoryMb)} MB`)
    return [
      memory,
      toMeasurement({ suite: 'exports', name: `${name}, rows`, figure: 'perSecond', target: null, rounds }),
    ]
  } finally {
    await server.stop()
  }
}

/** Reads a stream to its end: rows a second, and the largest resident memory of the server meanwhile. */
async function readStream({ port, child }: ChildServer, path: string, accept: string): Promise<Round> {
  const startedMs = performance.now()
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { accept } })
  if (answer.status !== 200 || answer.body === null) throw new Error(`${answer.status} for ${path}`)
  const sampling = new AbortController()
  const memory = sampleMemory(child.pid, sampling.signal)
  let rows = 0
  for await (const chunk of answer.body) for (const byte of chunk) if (byte === NEW_LINE) rows++
  const seconds = (performance.now() - startedMs) / 1_000
  sampling.abort()
  return { perSecond: rows / seconds, memoryMb: await memory }
}

const NEW_LINE = 10

async function sampleMemory(pid: number | undefined, signal: AbortSignal): Promise<number> {
  let largest = 0
  do {
    const status = process.platform === 'linux' ? readFileSync(`/proc/${pid}/status`, 'utf8') : ''
    largest = Math.max(largest, Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN))
    await sleep(SAMPLE_EVERY_MS, undefined, { signal }).catch(() => {})
  } while (!signal.aborted)
  return largest / 1_024
}
