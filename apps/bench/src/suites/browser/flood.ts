import { setTimeout as delay } from 'node:timers/promises'
import type { BenchContext, Suite } from '../../bench.ts'
import { BrowserPage } from '../../browser/browser-page.ts'
import { launchChromium } from '../../browser/launch-chromium.ts'
import { type WatchedWork, watchWork } from '../../browser/watched-work.ts'
import { busiestToken, unevenMarket } from '../../dataset/market-plan.ts'
import { onScratchMarket } from '../../dataset/on-scratch-market.ts'
import { interleave } from '../../load/interleave.ts'
import { LoadGenerator } from '../../load/load-generator.ts'
import { type Measurement, type Round, type Target, toMeasurement } from '../../report/measurement.ts'
import { quantile } from '../../report/median.ts'
import { buildWeb } from '../../servers/build-web.ts'
import { startPapermoon } from '../../servers/papermoon-server.ts'
import { openRunDatabase } from '../../servers/run-database.ts'
import { signInPlayers } from '../../servers/sign-in-players.ts'

const BUYERS = 16
const TRADES_PER_SECOND = 500
/** Warm-up between the first buy and the measurement. */
const RISE_MS = 300
/** Pause between two actions of the player. */
const PAUSE_MS = 60
const CLICK_TARGET: Target = { figureMax: 50 }
const KEY_TARGET: Target = { figureMax: 100 }

/** A screen and the actions of a player on it during the flood. */
interface FloodCase {
  readonly name: string
  readonly path: string
  readonly width: number
  readonly height: number
  /** Selectors clicked once, before the measurement. */
  readonly opens?: readonly string[]
  /** Selectors clicked in turn; the last is a field, where a digit is typed and deleted. */
  readonly clicks: readonly string[]
  /** Selector of the text that changes with a digit. */
  readonly answer: string
  /** Whether Escape closes again what the clicks open. */
  readonly closes?: boolean
}

const TRADE_PANEL = {
  clicks: ['[data-side="sell"]', '[data-side="buy"]', '[aria-label="Quick buy"] button', '[role="tabpanel"] input'],
  // The fee depends on the amount only, so other players' trades do not change it.
  answer: '[role="tabpanel"] dl > :nth-child(2) dd',
}
const TOKEN_LIST = {
  clicks: ['[aria-label="Latest trades"] button', 'input[type="search"]'],
  answer: 'input[type="search"]',
}
const SEARCH_FIELD = 'input[aria-label="Search tokens, players, pages and actions"]'
/** The search of everything opens over the page, as the leaderboard has nothing else to press but links. */
const SEARCH = {
  clicks: ['button[aria-label="Search everything"]', SEARCH_FIELD],
  answer: SEARCH_FIELD,
  closes: true,
}
const DESKTOP = { width: 1280, height: 800 }
const PHONE = { width: 375, height: 812 }

export const flood: Suite = {
  name: 'flood',
  about: `how long a player waits on a page that receives ${TRADES_PER_SECOND} trades a second, against the same page without trades`,
  run: async (context) => {
    buildWeb()
    const plan = unevenMarket({ tokens: 50, players: 500, trades: 5_000 })
    return await onScratchMarket({ name: 'flood', plan, say: context.say }, (dataDir) =>
      measureOn(context, dataDir, busiestToken(plan)),
    )
  },
}

interface FloodBench {
  readonly context: BenchContext
  readonly port: number
  readonly debugPort: number
  /** Sessions of the viewer and of the traders. */
  readonly viewer: string
  readonly cookies: readonly string[]
  /** The traded token. */
  readonly tokenId: number
  readonly buying: LoadGenerator
}

async function measureOn(context: BenchContext, dataDir: string, tokenId: number): Promise<Measurement[]> {
  const papermoon = await startPapermoon(dataDir)
  const chromium = await launchChromium()
  const buying = new LoadGenerator()
  try {
    const database = await openRunDatabase(dataDir)
    const signedIn = await signInPlayers(database.db, BUYERS + 1).finally(() => database.close())
    const [viewer = '', ...cookies] = signedIn
    const { port } = papermoon
    const bench = { context, port, debugPort: chromium.port, viewer, cookies, tokenId, buying }
    const measurements: Measurement[] = []
    for (const one of listCases(tokenId).filter(({ name }) => name.includes(context.only))) {
      measurements.push(...(await measureCase(bench, one)))
    }
    return measurements
  } finally {
    await buying.close()
    chromium.kill()
    await papermoon.stop()
  }
}

function listCases(tokenId: number): FloodCase[] {
  const path = `/token/${tokenId}`
  return [
    { name: 'token, 1280 px', path, ...DESKTOP, ...TRADE_PANEL },
    { name: 'token, 375 px', path, ...PHONE, ...TRADE_PANEL, opens: ['[aria-label="Trade bar"] button'] },
    { name: 'home, 1280 px', path: '/', ...DESKTOP, ...TOKEN_LIST },
    { name: 'leaderboard, 1280 px', path: '/leaderboard', ...DESKTOP, ...SEARCH },
  ]
}

/** The page stays open over all rounds, so leftovers of a flood count against the next one. */
async function measureCase(bench: FloodBench, one: FloodCase): Promise<Measurement[]> {
  const { context, debugPort, viewer } = bench
  const { width, height, path } = one
  const url = `http://127.0.0.1:${bench.port}${path}`
  const page = await BrowserPage.open({ debugPort, url, cookie: viewer, width, height })
  await page.waitFor('[data-state="live"]')
  for (const selector of one.opens ?? []) await clickShown(page, selector)
  const takeWork = await watchWork(page, one.answer)
  const seconds = context.roundSeconds * 4
  const play = async (): Promise<PlayRound> => {
    await takeWork()
    const [beforeMs, sinceMs] = [await page.workedMs(), performance.now()]
    await playFor(page, one, seconds)
    const busyMs = ((await page.workedMs()) - beforeMs) / ((performance.now() - sinceMs) / 1_000)
    return { ...(await takeWork()), busyMs, tradesPerSecond: 0 }
  }
  const rounds = await interleave(context.rounds, { baseline: play, subject: () => inFlood(bench, seconds, play) })
  await page.close()
  const rates = rounds.map(({ subject }) => subject.tradesPerSecond.toFixed(0))
  context.say(`  ${one.name}: beside ${rates.join(', ')} trades a second`)
  return toMeasurements(one, rounds)
}

function toMeasurements(
  { name }: FloodCase,
  rounds: readonly { readonly subject: PlayRound; readonly baseline: PlayRound }[],
): Measurement[] {
  const compare = (what: string, figure: string, target: Target | null, toRound: (round: PlayRound) => Round) =>
    toMeasurement({
      suite: 'flood',
      name: `${name}, ${what}`,
      figure,
      target,
      rounds: rounds.map(({ subject, baseline }) => ({ subject: toRound(subject), baseline: toRound(baseline) })),
    })
  return [
    compare('click to frame, p98', 'p98Ms', CLICK_TARGET, ({ clicksMs }) => computeLatency(clicksMs)),
    compare('key to answer, p98', 'p98Ms', KEY_TARGET, ({ keysMs }) => computeLatency(keysMs)),
    compare('frames', 'perSecond', null, ({ framesPerSecond }) => ({ perSecond: framesPerSecond })),
    compare('longest task', 'taskMs', null, ({ longestTaskMs }) => ({ taskMs: longestTaskMs })),
    compare('CPU of the page a second', 'busyMs', null, ({ busyMs }) => ({ busyMs })),
  ]
}

interface PlayRound extends WatchedWork {
  /** CPU time of the page's main thread per second, in ms; independent of other load on the machine. */
  readonly busyMs: number
  readonly tradesPerSecond: number
}

function computeLatency(delaysMs: readonly number[]): Round {
  return { p50Ms: quantile(delaysMs, 0.5), p98Ms: quantile(delaysMs, 0.98), p99Ms: quantile(delaysMs, 0.99) }
}

/** Acts as the player while everyone trades. */
async function inFlood(
  { port, tokenId, cookies, buying }: FloodBench,
  playSeconds: number,
  play: () => Promise<PlayRound>,
): Promise<PlayRound> {
  const seconds = playSeconds + (2 * RISE_MS) / 1_000
  const order = { port, transport: 'rest' as const, tokenId, cookies }
  const trading = buying.run({ ...order, seconds, perSecond: TRADES_PER_SECOND, listeners: null })
  const [round, { perSecond }] = await Promise.all([delay(RISE_MS).then(play), trading])
  return { ...round, tradesPerSecond: perSecond }
}

async function playFor(page: BrowserPage, { clicks, closes = false }: FloodCase, seconds: number): Promise<void> {
  const untilMs = performance.now() + seconds * 1_000
  while (performance.now() < untilMs) {
    for (const selector of clicks) {
      await clickShown(page, selector)
      await delay(PAUSE_MS)
    }
    for (const key of ['2', 'Backspace', ...(closes ? (['Escape'] as const) : [])] as const) {
      await page.press(key)
      await delay(PAUSE_MS)
    }
  }
}

async function clickShown(page: BrowserPage, selector: string): Promise<void> {
  await page.waitFor(selector)
  await page.click(selector)
}
