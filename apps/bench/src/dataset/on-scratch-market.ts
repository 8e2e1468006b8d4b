import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { BENCH_FOLDER } from '../paths.ts'
import { makeDataset } from './make-dataset.ts'
import type { MarketPlan } from './market-plan.ts'

/** Generates a market for one suite that trades on it, and deletes it afterwards. */
export async function onScratchMarket<T>(
  { name, plan, say }: { readonly name: string; readonly plan: MarketPlan; say(line: string): void },
  work: (dataDir: string) => Promise<T>,
): Promise<T> {
  const dataDir = join(BENCH_FOLDER, name)
  rmSync(dataDir, { recursive: true, force: true })
  mkdirSync(dataDir, { recursive: true })
  try {
    await makeDataset(dataDir, plan, say)
    return await work(dataDir)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}
