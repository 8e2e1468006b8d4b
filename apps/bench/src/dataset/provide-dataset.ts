import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BENCH_FOLDER, ROOT } from '../paths.ts'
import { makeDataset } from './make-dataset.ts'
import type { MarketPlan } from './market-plan.ts'

/** Folder that caches generated markets. */
const DATASETS = join(BENCH_FOLDER, 'datasets')
const FILLERS = ['fill-market.ts', 'copy-market.ts', 'choose-order.ts', 'market-moments.ts'].map((name) =>
  join(import.meta.dirname, name),
)
/** A market in a data folder, ready for a server. */
export interface Dataset {
  readonly dataDir: string
  readonly plan: MarketPlan
  /** Size of the data folder. */
  readonly megabytes: number
  /** How long generating took, in seconds; 0 if the market was cached. */
  readonly madeInS: number
}

/**
 * Returns the planned market, which ends about now. The market is cached from an earlier run with the same plan and
 * migrations, or generated.
 */
export async function provideDataset(plan: MarketPlan, say: (line: string) => void): Promise<Dataset> {
  mkdirSync(DATASETS, { recursive: true })
  const dataDir = join(DATASETS, plan.name)
  const stamp = stampPath(dataDir)
  const wanted = computeFingerprint(plan)
  if (hasDataset(plan)) return { dataDir, plan, megabytes: computeMegabytes(dataDir), madeInS: 0 }
  rmSync(dataDir, { recursive: true, force: true })
  const startedMs = Date.now()
  say(`Making the market ${plan.name}…`)
  const making = `${dataDir}.making`
  rmSync(making, { recursive: true, force: true })
  mkdirSync(making)
  await makeDataset(making, plan, say)
  renameSync(making, dataDir)
  writeFileSync(stamp, JSON.stringify({ wanted, endMs: startedMs }))
  const madeInS = (Date.now() - startedMs) / 1_000
  const megabytes = computeMegabytes(dataDir)
  say(`Made in ${madeInS.toFixed(0)} s: ${megabytes} MB in ${dataDir}`)
  return { dataDir, plan, megabytes, madeInS }
}

/** Returns whether a planned market is cached and still valid. */
export function hasDataset(plan: MarketPlan): boolean {
  const stamp = stampPath(join(DATASETS, plan.name))
  if (!existsSync(stamp)) return false
  const made: { wanted?: unknown; endMs?: unknown } = JSON.parse(readFileSync(stamp, 'utf8'))
  const { keptMs } = plan
  return made.wanted === computeFingerprint(plan) && typeof made.endMs === 'number' && Date.now() - made.endMs < keptMs
}

const stampPath = (dataDir: string): string => join(dataDir, 'made.json')

/** Computes a hash that changes with the plan, the schema and the generator. */
function computeFingerprint(plan: MarketPlan): string {
  const hash = createHash('sha256').update(JSON.stringify(plan))
  const migrations = join(ROOT, 'packages/db/src/migrations')
  const files = readdirSync(migrations)
    .sort()
    .map((name) => join(migrations, name))
  for (const file of [...files, ...FILLERS]) hash.update(readFileSync(file))
  return hash.digest('hex')
}

function computeMegabytes(folder: string): number {
  return Number.parseInt(execFileSync('du', ['-sm', folder], { encoding: 'utf8' }), 10)
}
