import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchContext, Suite } from '../../bench.ts'
import { agedMarket, OLD_TOKEN, YOUNG_TOKEN } from '../../dataset/market-plan.ts'
import { type Dataset, provideDataset } from '../../dataset/provide-dataset.ts'
import { anonymousGet } from '../../load/anonymous-get.ts'
import { HttpConnection } from '../../load/http-connection.ts'
import { interleave } from '../../load/interleave.ts'
import { compareJobs } from '../../past/compare-jobs.ts'
import { createRandom, randomInt } from '../../random.ts'
import { type Measurement, type Round, toMeasurement } from '../../report/measurement.ts'
import { quantile } from '../../report/median.ts'
import { startPapermoon } from '../../servers/papermoon-server.ts'

/** Moments per side of a round. */
const READS = 40
const NO_DEARER = { max: 1.5 }
const SOON = { figureMax: 150 }
/** Checkpoints of a million trades are written in minutes. */
const READY_MAX_MS = 1_800_000

export const past: Suite = {
  name: 'past',
  about:
    'moments of a token with 1,000,000 trades (latency), against one with 1,000; the engine beside background jobs',
  run: async (context) => {
    const plan = agedMarket(
      context.isQuick
        ? { old: 10_000, young: 1_000, others: 60, players: 500 }
        : { old: 1_000_000, young: 1_000, others: 1_000, players: 10_000 },
    )
    const dataset = await provideDataset(plan, context.say)
    const moments = await compareMoments(context, dataset)
    return [...moments, ...(await compareJobs(context))]
  },
}

interface PastRead {
  readonly name: string
  path(id: number, seq: number): string
}

const PAST_READS: readonly PastRead[] = [
  { name: 'moment', path: (id, seq) => `/api/tokens/${id}/past/${seq}` },
  { name: 'chart 24H', path: (id, seq) => `/api/tokens/${id}/past/${seq}/chart?timeframe=24H` },
  { name: 'chart ALL', path: (id, seq) => `/api/tokens/${id}/past/${seq}/chart` },
  { name: '200 steps', path: (id, seq) => `/api/tokens/${id}/past/${seq}/steps` },
]

async function compareMoments(context: BenchContext, { plan, dataDir }: Dataset): Promise<Measurement[]> {
  const seqs = { old: plan.tokens[OLD_TOKEN - 1]?.trades ?? 0, young: plan.tokens[YOUNG_TOKEN - 1]?.trades ?? 0 }
  await writeCheckpoints(context, dataDir, seqs.old)
  // A new server and database: nothing of the past is in their memory.
  const { port, stop } = await startPapermoon(dataDir)
  const connection = await HttpConnection.open(port)
  try {
    const measurements: Measurement[] = []
    const random = createRandom(0x9a57)
    for (const { name, path } of PAST_READS.filter((each) => each.name.includes(context.only))) {
      const read = (id: number, last: number) => () =>
        timeReads(
          { connection, port },
          Array.from({ length: READS }, () => path(id, randomInt(random, last + 1))),
        )
      const rounds = await interleave(context.rounds, {
        baseline: read(YOUNG_TOKEN, seqs.young),
        subject: read(OLD_TOKEN, seqs.old),
      })
      const ratio = toMeasurement({ suite: 'past', name, figure: 'p50Ms', target: NO_DEARER, rounds })
      const slowest = { suite: 'past', name: `${name}, slowest`, figure: 'maxMs', target: SOON, rounds }
      measurements.push(ratio, toMeasurement(slowest))
      const { p50Ms = Number.NaN, p99Ms = Number.NaN, maxMs = Number.NaN } = ratio.subject
      const figures = [p50Ms, p99Ms, maxMs].map((ms) => ms.toFixed(1)).join(', ')
      context.say(`  ${name}: ${ratio.ratio.toFixed(2)}; p50, p99, max ${figures} ms`)
    }
    return measurements
  } finally {
    connection.close()
    await stop()
  }
}

/** Lets a server write the checkpoints that are missing; the last moment can be read once nearly all are there. */
async function writeCheckpoints(context: BenchContext, dataDir: string, last: number): Promise<void> {
  const { port, stop } = await startPapermoon(dataDir)
  const connection = await HttpConnection.open(port)
  const startedMs = performance.now()
  try {
    for (;;) {
      const { status } = await connection.send(Buffer.from(anonymousGet(port, `/api/tokens/${OLD_TOKEN}/past/${last}`)))
      if (status === 200) break
      if (performance.now() - startedMs > READY_MAX_MS) throw new Error('the checkpoints are not written in time')
      await sleep(1_000)
    }
    // The job is a few checkpoints behind.
    await sleep(context.isQuick ? 1_000 : 10_000)
  } finally {
    connection.close()
    await stop()
  }
  context.note('past: checkpoints written in s', Math.round((performance.now() - startedMs) / 1_000))
}

interface Client {
  readonly connection: HttpConnection
  readonly port: number
}

/** Requests one after another. Throws unless each succeeds. */
async function timeReads({ connection, port }: Client, paths: readonly string[]): Promise<Round> {
  const tookMs: number[] = []
  for (const path of paths) {
    const startedMs = performance.now()
    const { status } = await connection.send(Buffer.from(anonymousGet(port, path)))
    if (status !== 200) throw new Error(`${status} for ${path}`)
    tookMs.push(performance.now() - startedMs)
  }
  return { p50Ms: quantile(tookMs, 0.5), p99Ms: quantile(tookMs, 0.99), maxMs: Math.max(...tookMs) }
}
