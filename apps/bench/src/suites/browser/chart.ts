import type { BenchContext, Suite } from '../../bench.ts'
import { BrowserPage, type Place } from '../../browser/browser-page.ts'
import { launchChromium } from '../../browser/launch-chromium.ts'
import { answerWithCandles } from '../../browser/long-chart.ts'
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

const CANDLES = 10_000
const BASELINE_CANDLES = 60
const BUYERS = 4
/** The page redraws the chart at most every 150 ms, so more trades do not redraw it more often. */
const TRADES_PER_SECOND = 20
/** Notches of the wheel that leave a few hundred of the candles on screen. */
const NOTCHES = 16
const NOTCH = -120
/** Pixels a frame. */
const PAN_STEP = 6
const HALF_A_FRAME: Target = { figureMax: 8 }
const CHART = '[role="slider"]'
const DESKTOP = { width: 1280, height: 800 }

export const chart: Suite = {
  name: 'chart',
  about: `script a frame while a chart of ${CANDLES} candles moves, against one of ${BASELINE_CANDLES}`,
  run: async (context) => {
    buildWeb()
    const plan = unevenMarket({ tokens: 5, players: 20, trades: 200 })
    return await onScratchMarket({ name: 'chart', plan, say: context.say }, (dataDir) =>
      measureOn(context, dataDir, busiestToken(plan)),
    )
  },
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
    const url = `http://127.0.0.1:${port}/token/${tokenId}`
    const open = (candles: number) => openChart({ debugPort: chromium.port, url, cookie: viewer }, candles)
    const pages = { subject: await open(CANDLES), baseline: await open(BASELINE_CANDLES) }
    const frames = context.isQuick ? 30 : 120
    const trade = async (seconds: number) => {
      const order = { port, transport: 'rest' as const, tokenId, cookies }
      await buying.run({ ...order, seconds, perSecond: TRADES_PER_SECOND, listeners: null })
    }
    const measurements: Measurement[] = []
    for (const one of CASES.filter(({ name }) => name.includes(context.only))) {
      const side = (page: ChartPage) => async () => {
        await page.page.show()
        return await one.play({ page, frames, trade, seconds: context.roundSeconds })
      }
      const rounds = await interleave(context.rounds, { baseline: side(pages.baseline), subject: side(pages.subject) })
      measurements.push(
        toMeasurement({ suite: 'chart', name: one.name, figure: 'p95Ms', target: HALF_A_FRAME, rounds }),
      )
    }
    return measurements
  } finally {
    await buying.close()
    chromium.kill()
    await papermoon.stop()
  }
}

interface ChartPage {
  readonly page: BrowserPage
  readonly centre: Place
}

async function openChart(
  view: { debugPort: number; url: string; cookie: string },
  candles: number,
): Promise<ChartPage> {
  const page = await BrowserPage.open({ ...view, ...DESKTOP, script: answerWithCandles(candles) })
  await page.waitFor('[data-state="live"]')
  await page.waitFor(CHART)
  const centre = await page.evaluate((selector) => {
    const element = document.querySelector(selector)
    if (element === null) throw new Error('the page has no chart')
    element.scrollIntoView({ block: 'center', behavior: 'instant' })
    const { x, y, width, height } = element.getBoundingClientRect()
    return { x: x + width / 2, y: y + height / 3 }
  }, CHART)
  await page.moveMouse(centre)
  await page.waitFor(`${CHART} [data-drawn="true"] canvas`)
  return { page, centre }
}

interface Play {
  readonly page: ChartPage
  /** Measured frames, while the player acts. */
  readonly frames: number
  /** Trades on the token. */
  readonly trade: (seconds: number) => Promise<void>
  readonly seconds: number
}

const CASES: readonly { readonly name: string; readonly play: (play: Play) => Promise<Round> }[] = [
  { name: 'pan, some of the candles', play: (play) => panZoomed(play) },
  { name: 'zoom from all to some', play: (play) => zoom(play) },
  { name: 'live, all on screen', play: (play) => watchTrades(play) },
]

/** Zooms in, drags to and fro, and shows everything again. */
async function panZoomed({ page: { page, centre }, frames }: Play): Promise<Round> {
  for (let notch = 0; notch < NOTCHES; notch++) await page.zoomByWheel(centre, NOTCH)
  await page.pressMouse(centre)
  const round = await measureFrames(page, frames, (frame) => {
    const away = frame % 40 < 20 ? frame % 20 : 20 - (frame % 20)
    return page.moveMouse({ x: centre.x + away * PAN_STEP, y: centre.y }, true)
  })
  await page.releaseMouse(centre)
  await showAll(page)
  return round
}

async function zoom({ page: { page, centre }, frames }: Play): Promise<Round> {
  const round = await measureFrames(page, frames, (frame) => page.zoomByWheel(centre, frame % 40 < 20 ? NOTCH : -NOTCH))
  await showAll(page)
  return round
}

/** Every frame of some seconds of trading, with a new chart in about one of nine. */
async function watchTrades({ page: { page }, trade, seconds }: Play): Promise<Round> {
  const trading = { isOver: false }
  const over = trade(seconds).finally(() => {
    trading.isOver = true
  })
  const [round] = await Promise.all([measureFrames(page, Number.POSITIVE_INFINITY, async () => !trading.isOver), over])
  return round
}

/** CPU time of all the page's scripts a frame; stops early when `act` returns false. */
async function measureFrames(
  page: BrowserPage,
  count: number,
  act: (frame: number) => Promise<unknown>,
): Promise<Round> {
  const scriptsMs: number[] = []
  let before = await page.scriptMs()
  for (let frame = 0; frame < count; frame++) {
    if ((await act(frame)) === false) break
    await page.nextFrame()
    const now = await page.scriptMs()
    scriptsMs.push(now - before)
    before = now
  }
  return { p50Ms: quantile(scriptsMs, 0.5), p95Ms: quantile(scriptsMs, 0.95), maxMs: Math.max(...scriptsMs) }
}

/** Zooms out entirely, so that the rounds are alike. */
async function showAll(page: BrowserPage): Promise<void> {
  await page.evaluate((selector) => {
    const element = document.querySelector(selector)
    element?.dispatchEvent(new KeyboardEvent('keydown', { key: '0', bubbles: true }))
  }, CHART)
  await page.nextFrame()
}
