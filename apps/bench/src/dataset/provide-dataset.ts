import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BenchContext } from '../bench.ts'
import { BENCH_FOLDER, ROOT } from '../paths.ts'
import { makeDataset } from './make-dataset.ts'
import type { MarketPlan } from './market-plan.ts'

/** A market in a data folder, ready for a server. */
export interface Dataset {
  readonly dataDir: string
  readonly plan: MarketPlan
}

/**
 * Returns the planned market, which ends about now. If an earlier run had the same plan and migrations, uses the market
 * that it cached; otherwise generates one.
 */
export async function provideDataset(context: BenchContext, plan: MarketPlan): Promise<Dataset> {
  const dataDir = findFolder(plan)
  if (hasDataset(plan)) return { dataDir, plan }
  const startedMs = Date.now()
  context.say(`Making the market ${plan.name}…`)
  const making = `${dataDir}.making`
  for (const folder of [dataDir, making]) rmSync(folder, { recursive: true, force: true })
  mkdirSync(making, { recursive: true })
  await makeDataset(context, making, plan)
  renameSync(making, dataDir)
  writeFileSync(join(dataDir, 'made.json'), JSON.stringify({ wanted: computeFingerprint(plan), endMs: startedMs }))
  context.say(`Made in ${((Date.now() - startedMs) / 1_000).toFixed(0)} s in ${dataDir}`)
  return { dataDir, plan }
}

/** Returns whether a planned market is cached and still recent enough. */
export function hasDataset(plan: MarketPlan): boolean {
  const stamp = join(findFolder(plan), 'made.json')
  if (!existsSync(stamp)) return false
  const made: { wanted?: unknown; endMs?: unknown } = JSON.parse(readFileSync(stamp, 'utf8'))
  const isFresh = typeof made.endMs === 'number' && Date.now() - made.endMs < plan.keptMs
  return isFresh && made.wanted === computeFingerprint(plan)
}

const findFolder = ({ name }: MarketPlan): string => join(BENCH_FOLDER, 'datasets', name)

/** Computes a hash that changes with the plan, the schema and the generator. */
function computeFingerprint(plan: MarketPlan): string {
  const hash = createHash('sha256').update(JSON.stringify(plan))
  const files = globSync(['packages/db/src/migrations/*', 'apps/bench/src/dataset/*'], { cwd: ROOT }).sort()
  for (const file of files) hash.update(readFileSync(join(ROOT, file)))
  return hash.digest('hex')
}
