import runLighthouse, { type Result } from 'lighthouse'
import type { BenchContext, Suite } from '../../bench.ts'
import { launchChromium } from '../../browser/launch-chromium.ts'
import { busiestToken, unevenMarket } from '../../dataset/market-plan.ts'
import { provideDataset } from '../../dataset/provide-dataset.ts'
import { type Measurement, type Round, toMeasurement } from '../../report/measurement.ts'
import { median } from '../../report/median.ts'
import { buildWeb } from '../../servers/build-web.ts'
import { startPapermoon } from '../../servers/papermoon-server.ts'

const BEST: Round = { score: 100 }
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
    const papermoon = await startPapermoon(dataDir)
    try {
      const origin = `http://127.0.0.1:${papermoon.port}`
      const measurements: Measurement[] = []
      for (const page of pages.filter(({ name }) => name.includes(context.only))) {
        measurements.push(...(await measurePage(context, origin, page)))
      }
      return measurements
    } finally {
      await papermoon.stop()
    }
  },
}

/** A page's scores, one measurement per category. */
async function measurePage(context: BenchContext, origin: string, page: PageCase): Promise<Measurement[]> {
  const results: Result[] = []
  for (let round = 0; round < context.rounds; round++) results.push(await visit(`${origin}${page.path}`))
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
  // Scores fall with the machine's own speed: without it they say nothing.
  const speed = median(results.map(({ environment }) => environment.benchmarkIndex))
  context.say(
    `  ${page.name}, medians: ${figuresText(measurements[0]?.subject ?? {})}; benchmarkIndex ${speed.toFixed(0)}`,
  )
  return measurements
}

/** Audits a page once in a fresh browser. Throws if that fails. */
async function visit(url: string): Promise<Result> {
  const chrome = await launchChromium()
  try {
    const run = await runLighthouse(url, { port: chrome.port, onlyCategories: [...CATEGORIES], logLevel: 'error' })
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
