import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { launch } from 'chrome-launcher'
import runLighthouse, { type Result } from 'lighthouse'
import type { BenchContext, Suite } from '../bench.ts'
import { busiestToken, unevenMarket } from '../dataset/market-plan.ts'
import { provideDataset } from '../dataset/provide-dataset.ts'
import { measureEach } from '../load/interleave.ts'
import { ROOT } from '../paths.ts'
import { type Measurement, type Round, toMeasurement } from '../report/measurement.ts'
import { median } from '../report/median.ts'
import { startPapermoon } from '../servers/papermoon-server.ts'

const DEBIAN_CHROMIUM = '/usr/bin/chromium'
const CHROME_FLAGS = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-sync']
const BEST: Round = { score: 100 }
const PERFORMANCE_MIN = 0.98
const BLOCKED_MAX_MS = 100
/**
 * Lighthouse's usual slowdown of the processor, and the `benchmarkIndex` of machines for which this slowdown is right.
 */
const SLOWDOWN = { usual: 4, atIndex: 2_300 }
const INDEX_VISITS = 3
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
type Category = (typeof CATEGORIES)[number]
export const lighthouse: Suite = {
  name: 'lighthouse',
  about: 'scores of pages with the mobile setting of Lighthouse, of 100',
  run: async (context) => {
    const plan = unevenMarket({ tokens: 200, players: 200, trades: 5_000 })
    const { dataDir } = await provideDataset(context, plan)
    const build = ['run', 'build', '--filter=@papermoon/web', '--output-logs=errors-only']
    execFileSync('turbo', build, { cwd: ROOT, stdio: 'inherit' })
    const pages = [
      { name: 'home', path: '/' },
      { name: 'leaderboard', path: '/leaderboard' },
      { name: 'token with trades', path: `/token/${busiestToken(plan)}` },
    ]
    const { port } = await startPapermoon(context, dataDir)
    const origin = `http://127.0.0.1:${port}`
    const slowdown = await calibrateSlowdown(context, `${origin}/`)
    return await measureEach(context, pages, ({ name, path }) =>
      measurePage(context, { name, url: `${origin}${path}`, slowdown }),
    )
  },
}

/**
 * Returns the slowdown that makes this machine's processor as slow as a phone. On a slow machine, Lighthouse's usual
 * slowdown would be too much, because it multiplies the page's own times.
 */
async function calibrateSlowdown(context: BenchContext, url: string): Promise<number> {
  const indexes: number[] = []
  for (let i = 0; i < INDEX_VISITS; i++) {
    const { environment } = await visit({ url, slowdown: 1, categories: ['seo'] })
    indexes.push(environment.benchmarkIndex)
  }
  const index = median(indexes)
  const slowdown = Math.max(1, (SLOWDOWN.usual * index) / SLOWDOWN.atIndex)
  context.say(`  benchmarkIndex ${index.toFixed(0)}, slowdown ${slowdown.toFixed(2)}`)
  return slowdown
}

interface PageCase {
  readonly name: string
  readonly url: string
  readonly slowdown: number
}

/** Measures a page's scores, with one measurement per category. Also measures how long the page is blocked. */
async function measurePage(context: BenchContext, page: PageCase): Promise<Measurement[]> {
  const results: Result[] = []
  for (let i = 0; i < context.rounds; i++) results.push(await visit({ ...page, categories: CATEGORIES }))
  const measurements = CATEGORIES.map((category) =>
    toMeasurement({
      suite: 'lighthouse',
      name: `${page.name}, ${category}`,
      figure: 'score',
      target: { min: category === 'performance' ? PERFORMANCE_MIN : 1 },
      rounds: results.map((result) => ({ subject: toRound(result, category), baseline: BEST })),
    }),
  )
  const blocked = toMeasurement({
    suite: 'lighthouse',
    name: `${page.name}, blocked`,
    figure: 'tbtMs',
    target: { figureMax: BLOCKED_MAX_MS },
    rounds: results.map((result) => ({
      subject: toRound(result, 'performance'),
      baseline: { tbtMs: BLOCKED_MAX_MS },
    })),
  })
  return [...measurements, blocked]
}

interface Visit {
  readonly url: string
  readonly slowdown: number
  readonly categories: readonly Category[]
}

/**
 * Audits a page once in a new browser: the browser in `CHROMIUM_PATH`, or else the system's. Throws an error if the
 * audit fails.
 */
async function visit({ url, slowdown, categories }: Visit): Promise<Result> {
  const chromePath = process.env.CHROMIUM_PATH ?? (existsSync(DEBIAN_CHROMIUM) ? DEBIAN_CHROMIUM : undefined)
  const chrome = await launch({ chromeFlags: CHROME_FLAGS, ...(chromePath !== undefined && { chromePath }) })
  try {
    const run = await runLighthouse(url, {
      port: chrome.port,
      onlyCategories: [...categories],
      logLevel: 'error',
      throttling: { cpuSlowdownMultiplier: slowdown },
    })
    if (run === undefined) throw new Error(`Lighthouse said nothing of ${url}`)
    const { runtimeError } = run.lhr
    if (runtimeError !== undefined) throw new Error(`Lighthouse could not load ${url}: ${runtimeError.message}`)
    return run.lhr
  } finally {
    chrome.kill()
  }
}

function toRound({ categories, audits }: Result, category: Category): Round {
  const score = (categories[category]?.score ?? Number.NaN) * 100
  return { score, tbtMs: audits['total-blocking-time']?.numericValue ?? Number.NaN }
}
