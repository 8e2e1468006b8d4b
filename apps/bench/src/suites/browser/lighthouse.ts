import runLighthouse, { type Result } from 'lighthouse'
import { pageFunctions } from 'lighthouse/core/lib/page-functions.js'
import type { BenchContext, Suite } from '../../bench.ts'
import { DebugConnection } from '../../browser/debug-connection.ts'
import { launchChromium } from '../../browser/launch-chromium.ts'
import { busiestToken, unevenMarket } from '../../dataset/market-plan.ts'
import { provideDataset } from '../../dataset/provide-dataset.ts'
import { type Measurement, type Round, toMeasurement } from '../../report/measurement.ts'
import { median } from '../../report/median.ts'
import { buildWeb } from '../../servers/build-web.ts'
import { startPapermoon } from '../../servers/papermoon-server.ts'

const BEST: Round = { score: 100 }
const BLOCKED_MAX_MS = 100
/** Lighthouse's slowdown of the processor, and the `benchmarkIndex` of the machine on which it is right. */
const SLOWDOWN = { usual: 4, atIndex: 2_300 }
const INDEX_ROUNDS = 5
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
type Category = (typeof CATEGORIES)[number]
/** Audits reported beside a performance score. */
const FIGURES = {
  fcpMs: 'first-contentful-paint',
  lcpMs: 'largest-contentful-paint',
  tbtMs: 'total-blocking-time',
  speedIndexMs: 'speed-index',
  shift: 'cumulative-layout-shift',
}

interface PageCase {
  readonly name: string
  readonly path: string
  /** Min score, of 100. */
  readonly performanceMin: number
}

export const lighthouse: Suite = {
  name: 'lighthouse',
  about: 'scores of pages with the mobile setting of Lighthouse, of 100',
  run: async (context) => {
    const plan = unevenMarket({ tokens: 200, players: 200, trades: 5_000 })
    const { dataDir } = await provideDataset(plan, context.say)
    buildWeb()
    const pages: PageCase[] = [
      { name: 'home', path: '/', performanceMin: 98 },
      { name: 'leaderboard', path: '/leaderboard', performanceMin: 98 },
      { name: 'token with trades', path: `/token/${busiestToken(plan)}`, performanceMin: 98 },
    ]
    const slowdown = await calibrateSlowdown(context)
    const papermoon = await startPapermoon(dataDir)
    try {
      const origin = `http://127.0.0.1:${papermoon.port}`
      const measurements: Measurement[] = []
      for (const page of pages.filter(({ name }) => name.includes(context.only))) {
        measurements.push(...(await measurePage(context, { ...page, url: `${origin}${page.path}`, slowdown })))
      }
      return measurements
    } finally {
      await papermoon.stop()
    }
  },
}

/**
 * The slowdown that makes this machine's processor the phone that it is on a machine of index 2,300: Lighthouse multiplies the
 * page's own times, so with one number for all machines a slow one counts twice.
 */
async function calibrateSlowdown(context: BenchContext): Promise<number> {
  const chrome = await launchChromium()
  try {
    const page = await DebugConnection.open(chrome.port)
    const indexes: number[] = []
    for (let round = 0; round < INDEX_ROUNDS; round++) {
      const expression = `(${pageFunctions.computeBenchmarkIndex})()`
      const { result } = await page.send<{ result: { value: number } }>('Runtime.evaluate', { expression })
      indexes.push(result.value)
    }
    const index = median(indexes)
    const slowdown = Math.max(1, (SLOWDOWN.usual * index) / SLOWDOWN.atIndex)
    context.say(
      `  benchmarkIndex ${index.toFixed(0)} (${indexes.join(', ')}), so the processor counts as ${slowdown.toFixed(2)} × slower`,
    )
    context.note('lighthouse', `benchmarkIndex ${index.toFixed(0)}, slowdown ${slowdown.toFixed(2)}`)
    return slowdown
  } finally {
    chrome.kill()
  }
}

interface Visit {
  readonly url: string
  readonly slowdown: number
}

/** A page's scores, one measurement per category, and how long it is blocked. */
async function measurePage(context: BenchContext, page: PageCase & Visit): Promise<Measurement[]> {
  const results: Result[] = []
  for (let round = 0; round < context.rounds; round++) results.push(await visit(page))
  for (const loss of lossesIn(results)) context.say(`  ${page.name}: ${loss}`)
  const measurements = CATEGORIES.map((category) =>
    toMeasurement({
      suite: 'lighthouse',
      name: `${page.name}, ${category}`,
      figure: 'score',
      target: { min: (category === 'performance' ? page.performanceMin : 100) / 100 },
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
  const index = median(results.map(({ environment }) => environment.benchmarkIndex))
  context.say(`  ${page.name}, medians: ${figuresText(blocked.subject)}; benchmarkIndex ${index.toFixed(0)} meanwhile`)
  return [...measurements, blocked]
}

/** Audits a page once in a fresh browser. Throws if that fails. */
async function visit({ url, slowdown }: Visit): Promise<Result> {
  const chrome = await launchChromium()
  try {
    const run = await runLighthouse(url, {
      port: chrome.port,
      onlyCategories: [...CATEGORIES],
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
  if (category !== 'performance') return { score }
  const figures = Object.entries(FIGURES).map(([name, audit]) => [name, audits[audit]?.numericValue ?? Number.NaN])
  return { score, ...Object.fromEntries(figures) }
}

/** The metrics of a performance score in ms; layout shift has no unit. */
function figuresText(figures: Round): string {
  const texts = Object.keys(FIGURES).map((name) => {
    const figure = figures[name] ?? Number.NaN
    return name.endsWith('Ms') ? `${name.slice(0, -2)} ${figure.toFixed(0)}` : `${name} ${figure.toFixed(3)}`
  })
  return texts.join(', ')
}

/** Titles of the failed audits in a category other than performance. */
function lossesIn(results: readonly Result[]): Set<string> {
  const losses = results.flatMap(({ categories, audits }) =>
    CATEGORIES.filter((category) => category !== 'performance').flatMap((category) =>
      (categories[category]?.auditRefs ?? [])
        .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
        .map(({ id }) => `${category} loses by ${id} (${audits[id]?.title})`),
    ),
  )
  return new Set(losses)
}
