import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, findEmbeddedAddress } from '@papermoon/db'
import type { BenchContext, Suite } from '../bench.ts'
import { agedMarket, OLD_TOKEN, YOUNG_TOKEN } from '../dataset/market-plan.ts'
import { hasDataset, provideDataset } from '../dataset/provide-dataset.ts'
import { chooseSides } from '../growth/sides.ts'
import { interleaveAll } from '../load/interleave.ts'
import { type Measurement, type Round, toMeasurement } from '../report/measurement.ts'
import type { ChildServer } from '../servers/child-server.ts'
import { startPapermoon } from '../servers/papermoon-server.ts'

const FLAT = { max: 1.3 }
const SAMPLE_EVERY_MS = 100

export const exports: Suite = {
  name: 'exports',
  about:
    'a journal of 1,000,000 trades, and a market of 10,000,000, as a stream: rows a second against COPY, and the memory beside that of 1,000 trades',
  run: async (context) => {
    const plan = agedMarket(
      context.isQuick
        ? { old: 10_000, young: 1_000, others: 60, players: 500 }
        : { old: 1_000_000, young: 1_000, others: 1_000, players: 10_000 },
    )
    const lists: List[] = []
    if (TYPES.some((type) => type.includes(context.only))) {
      const { dataDir } = await provideDataset(plan, context.say)
      const copy = copyTrades(`where t.token_id = ${OLD_TOKEN} order by t.seq desc`)
      const [small, large] = [toTradesPath(YOUNG_TOKEN), toTradesPath(OLD_TOKEN)]
      lists.push({ name: '', dataDir, small, large, copy, isLong: false })
    }
    const market = chooseSides(context.isQuick).large
    // Made by `growth`, in half an hour.
    if (context.isQuick || hasDataset(market)) {
      const { dataDir } = await provideDataset(market, context.say)
      const copy = copyTrades('order by t.id desc', ', k.name, k.symbol, k.emoji')
      lists.push({
        name: 'whole market, ',
        dataDir,
        small: '/api/trades?limit=1000',
        large: '/api/trades',
        copy,
        isLong: true,
      })
    } else context.say('The stream of 10,000,000 trades is left out: npm run bench -- growth makes its market.')
    const measurements: Measurement[] = []
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
  /** The statement that sends the long list's rows without the server. */
  readonly copy: string
  /** Read once: it takes minutes. */
  readonly isLong: boolean
}

const TYPES = ['application/x-ndjson', 'text/csv']
const toTradesPath = (id: number): string => `/api/tokens/${id}/trades`

/** The columns of a streamed trade as PostgreSQL itself would send them. */
function copyTrades(rest: string, more = ''): string {
  return `copy (select t.id, t.token_id, t.seq, t.side, t.sol_amount, t.fee, t.token_amount, t.price, t.spot_price,
    t.created_at, t.user_id, u.username, u.kind${more}
    from trades t join tokens k on k.id = t.token_id join users u on u.id = t.user_id ${rest}) to stdout (format csv)`
}

async function compareStreams(context: BenchContext, list: List, accept: string): Promise<Measurement[]> {
  const server = await startPapermoon(list.dataDir)
  try {
    const read = (path: string) => () => readStream(server, path, accept)
    // Not measured: the server's first stream.
    await read(list.small)()
    const sides = { small: read(list.small), large: read(list.large), copy: () => copyRows(list) }
    const rounds = list.isLong ? [await readOnce(sides)] : await interleaveAll(context.rounds, sides)
    const name = `${list.name}${accept}`
    const about = { suite: 'exports', target: null }
    const memory = toMeasurement({
      ...about,
      name: `${name}, memory`,
      figure: 'memoryMb',
      target: FLAT,
      rounds: rounds.map(({ small, large }) => ({ baseline: small, subject: large })),
    })
    const rows = toMeasurement({
      ...about,
      name: `${name}, rows : COPY`,
      figure: 'perSecond',
      rounds: rounds.map(({ copy, large }) => ({ baseline: copy, subject: large })),
    })
    context.say(`  ${name}: ${describe(rows.subject)}; COPY ${describe(rows.baseline)}`)
    return [memory, rows]
  } finally {
    await server.stop()
  }
}

type Sides = Readonly<Record<'small' | 'large' | 'copy', () => Promise<Round>>>

async function readOnce({ small, large, copy }: Sides): Promise<Record<keyof Sides, Round>> {
  return { small: await small(), copy: await copy(), large: await large() }
}

function describe({ perSecond = Number.NaN, megabytesPerSecond, memoryBeforeMb, memoryMb, cpuUs }: Round): string {
  const rate = `${Math.round(perSecond).toLocaleString('en')} rows a second`
  if (memoryMb === undefined) return rate
  const memory = `${memoryBeforeMb?.toFixed(0)} MB before, at most ${memoryMb.toFixed(0)} MB`
  return `${rate}, ${megabytesPerSecond?.toFixed(1)} MB a second, ${cpuUs?.toFixed(1)} µs a row, ${memory}`
}

/** Reads a stream to its end: its rate, and the resident memory of the server before and at most. */
async function readStream(server: ChildServer, path: string, accept: string): Promise<Round> {
  const { port, child } = server
  const startedMs = performance.now()
  const cpuBeforeMs = server.cpuMs()
  const memoryBeforeMb = readMemoryMb(child.pid)
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { accept } })
  if (answer.status !== 200 || answer.body === null) throw new Error(`${answer.status} for ${path}`)
  const sampling = new AbortController()
  const memory = sampleMemory(child.pid, sampling.signal)
  let rows = 0
  let bytes = 0
  for await (const chunk of answer.body) {
    bytes += chunk.length
    for (let at = chunk.indexOf(NEW_LINE); at >= 0; at = chunk.indexOf(NEW_LINE, at + 1)) rows++
  }
  const seconds = (performance.now() - startedMs) / 1_000
  sampling.abort()
  return {
    perSecond: rows / seconds,
    megabytesPerSecond: bytes / seconds / 1e6,
    cpuUs: ((server.cpuMs() - cpuBeforeMs) * 1_000) / rows,
    memoryBeforeMb,
    memoryMb: await memory,
  }
}

/** Rows a second of the same rows as PostgreSQL sends them, read by its client and dropped. */
async function copyRows({ dataDir, copy }: List): Promise<Round> {
  const address = findEmbeddedAddress(dataDir)
  if (address === null) throw new Error(`no database runs on ${dataDir}`)
  const { pool, close } = connect(address, { poolMax: 1, statementTimeoutMs: COPY_MAX_MS })
  try {
    const startedMs = performance.now()
    const { rowCount } = await pool.query(copy)
    return { perSecond: (rowCount ?? 0) / ((performance.now() - startedMs) / 1_000) }
  } finally {
    await close()
  }
}

const COPY_MAX_MS = 1_200_000
const NEW_LINE = 10

async function sampleMemory(pid: number | undefined, signal: AbortSignal): Promise<number> {
  let largest = 0
  do {
    largest = Math.max(largest, readMemoryMb(pid))
    await sleep(SAMPLE_EVERY_MS, undefined, { signal }).catch(() => {})
  } while (!signal.aborted)
  return largest
}

/** Resident memory of a process; NaN if unknown. */
function readMemoryMb(pid: number | undefined): number {
  const status = process.platform === 'linux' ? readFileSync(`/proc/${pid}/status`, 'utf8') : ''
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) / 1_024
}
