import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type EmbeddedPostgres, startEmbedded } from '@papermoon/db'
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

/** Like `onScratchMarket`, for suites without a server: with a PostgreSQL that runs on the market. */
export function onScratchDatabase<T>(
  market: { readonly name: string; readonly plan: MarketPlan; say(line: string): void },
  work: (postgres: EmbeddedPostgres) => Promise<T>,
): Promise<T> {
  return onScratchMarket(market, async (dataDir) => {
    const postgres = await startEmbedded({ dataDir, onUnexpectedEnd: ({ reason }) => market.say(reason) })
    try {
      return await work(postgres)
    } finally {
      await postgres.stop()
    }
  })
}
