import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { balanceButton } from '../support/screen.ts'
import { test as base, expect, type Visit } from '../support/test.ts'
import { type MadeMarket, makeMarket } from './made-market.ts'

/** Output folder. */
const FOLDER = join(import.meta.dirname, '../../../.shots')
const WIDTHS = { desktop: { width: 1280, height: 800 }, phone: { width: 375, height: 812 } }
const SCHEMES = ['dark', 'light'] as const
/** How long to wait for changes without an end event, such as a drawing chart or a counting number, ms. */
const SETTLE_MS = 700
const PNG = { name: 'moon.png', mimeType: 'image/png' }

const test = base.extend<object, { market: MadeMarket }>({
  market: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from the first parameter.
    async ({}, use) => {
      const market = await makeMarket()
      await use(market)
      await market.server.remove()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

type Role = 'trader' | 'newcomer'

interface Shot {
  /** The file's name. */
  readonly name: string
  readonly path: string | ((market: MadeMarket) => string)
  /** The player whose session is used; a guest by default. */
  readonly as?: Role
  /** Runs before navigation, on another page in the same browser context. */
  readonly before?: (page: Page) => Promise<unknown>
  /** Runs on the page before the picture is taken. */
  readonly act?: (page: Page, market: MadeMarket) => Promise<unknown>
  /** Console errors that the picture provokes. */
  readonly expected?: RegExp
  /** Takes only the visible part, for dialogs and endless pages. */
  readonly isWindow?: boolean
}

const token = (market: MadeMarket) => `/token/${market.traded}`
const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()
/** Never responds, so that the screen stays in its waiting state. */
const hold = (calls: RegExp) => (page: Page) => page.route(calls, () => new Promise(() => {}))
const refuse = (calls: RegExp) => (page: Page) => page.route(calls, (route) => route.abort())

const SHOTS: readonly Shot[] = [
  { name: 'home', path: '/' },
  { name: 'home-signed-in', path: '/', as: 'trader' },
  { name: 'home-nothing-found', path: '/?q=no+token+has+such+a+name' },
  { name: 'home-loading', path: '/', before: hold(/tokens\.list/) },
  { name: 'home-failed', path: '/', before: refuse(/tokens\.list/), expected: /ERR_FAILED/ },
  { name: 'loading', path: '/', before: hold(/auth\.me/) },
  { name: 'auth-login', path: '/auth' },
  { name: 'auth-register', path: '/auth', act: (page) => page.getByRole('tab', { name: 'Register' }).click() },
  { name: 'forgot-password', path: '/forgot-password' },
  { name: 'forgot-password-code', path: '/forgot-password', act: askForCode },
  { name: 'reset-password', path: '/reset-password?email=moon@papermoon.example' },
  { name: 'verify-email', path: '/verify-email' },
  { name: 'token', path: token, act: drawChart },
  { name: 'token-trader', path: token, as: 'trader', act: drawChart },
  { name: 'token-sell', path: token, as: 'trader', act: sellSome },
  { name: 'token-ticks', path: token, as: 'trader', act: press('Ticks') },
  { name: 'token-question', path: token, as: 'newcomer', act: buyTooMuch },
  { name: 'token-rug-dialog', path: token, as: 'trader', act: press(/rug/i), isWindow: true },
  { name: 'token-without-trades', path: (market) => `/token/${market.untraded}` },
  { name: 'token-rugged', path: (market) => `/token/${market.rugged}`, act: drawChart },
  { name: 'token-past', path: (market) => `${token(market)}?at=120`, as: 'trader', act: drawChart },
  { name: 'token-past-bar', path: (market) => `${token(market)}?at=120`, isWindow: true },
  { name: 'token-past-launch', path: (market) => `${token(market)}?at=0` },
  { name: 'token-past-rug', path: (market) => `/token/${market.rugged}`, act: openRug },
  { name: 'token-past-not-yet', path: (market) => `${token(market)}?at=9999999`, expected: /status of 404/ },
  { name: 'token-wide', path: (market) => `/token/${market.wide}`, as: 'trader', act: drawChart },
  { name: 'token-loading', path: token, before: hold(/tokens\.get/) },
  { name: 'token-not-found', path: '/token/2000000000', expected: /status of 404/ },
  { name: 'user', path: (market) => `/user/${market.traderId}` },
  { name: 'user-empty', path: (market) => `/user/${market.newcomerId}` },
  { name: 'user-not-found', path: '/user/2000000000', expected: /status of 404/ },
  { name: 'launch', path: '/launch', as: 'trader' },
  { name: 'launch-filled', path: '/launch', as: 'trader', act: fillLaunch },
  { name: 'dashboard', path: '/dashboard', as: 'trader' },
  { name: 'dashboard-empty', path: '/dashboard', as: 'newcomer' },
  { name: 'dashboard-guest', path: '/dashboard' },
  { name: 'portfolio', path: '/portfolio', as: 'trader' },
  { name: 'portfolio-sell', path: '/portfolio', as: 'trader', act: press(/^Sell/) },
  { name: 'portfolio-empty', path: '/portfolio', as: 'newcomer' },
  { name: 'following-empty', path: '/following', as: 'newcomer' },
  { name: 'admin', path: '/admin', as: 'trader' },
  { name: 'leaderboard', path: '/leaderboard' },
  { name: 'leaderboard-loading', path: '/leaderboard', before: hold(/leaderboard\.get/) },
  { name: 'tape', path: '/tape' },
  { name: 'fairs', path: '/fairs' },
  { name: 'settings', path: '/settings', as: 'trader' },
  { name: 'settings-upload', path: '/settings', as: 'trader', act: press('Upload Picture'), isWindow: true },
  { name: 'settings-refused', path: '/settings', as: 'trader', act: uploadNoPicture, isWindow: true },
  { name: 'settings-guest', path: '/settings' },
  { name: 'docs', path: '/docs' },
  { name: 'developers', path: '/developers' },
  { name: 'developers-signed-in', path: '/developers', as: 'trader' },
  { name: 'proof', path: '/proof' },
  { name: 'proof-verified', path: (market) => `/proof?token=${market.traded}`, act: press('Verify') },
  { name: 'proof-loading', path: '/proof', before: hold(/proof\./) },
  { name: 'proof-failed', path: '/proof', before: refuse(/proof\./), expected: /ERR_FAILED/ },
  { name: 'not-found', path: '/no/such/tent', expected: /status of 404/ },
  { name: 'account-menu', path: '/docs', as: 'trader', act: (page) => balanceButton(page).click(), isWindow: true },
  { name: 'key-sheet', path: '/docs', act: press('Keyboard shortcuts'), isWindow: true },
  { name: 'toast', path: '/launch', as: 'trader', act: (page) => press('Launch Token')(page), isWindow: true },
]

for (const [device, viewport] of Object.entries(WIDTHS)) {
  for (const scheme of SCHEMES) {
    for (const shot of SHOTS) {
      test(`${shot.name}, ${device}, ${scheme}`, async ({ visit, market, expectedErrors }) => {
        await take(shot, { visit, market, expectedErrors, look: { viewport, scheme }, device })
      })
    }
    for (const [name, path] of Object.entries({
      'home-empty': '/',
      'leaderboard-empty': '/leaderboard',
      'proof-empty': '/proof',
    })) {
      test(`${name}, ${device}, ${scheme}`, async ({ visit, ownServer }) => {
        await keep(await visit(`${ownServer.url}${path}`, { viewport, scheme }), `${name}-${device}-${scheme}`)
      })
    }
  }
}

interface Taking {
  readonly visit: (path: string, visit?: Visit) => Promise<Page>
  readonly market: MadeMarket
  readonly expectedErrors: RegExp[]
  readonly look: Pick<Visit, 'viewport' | 'scheme'>
  readonly device: string
}

async function take(shot: Shot, { visit, market, expectedErrors, look, device }: Taking): Promise<void> {
  if (shot.expected) expectedErrors.push(shot.expected)
  const { url } = market.server
  const path = typeof shot.path === 'string' ? shot.path : shot.path(market)
  const session = shot.as && { as: market[shot.as] }
  const page = await visit(`${url}${shot.before ? '/docs' : path}`, { ...look, ...session })
  if (shot.before) {
    await shot.before(page)
    await page.goto(`${url}${path}`)
  }
  // The first view that the server renders is not the complete screen yet.
  await page.waitForFunction(() => document.querySelector('#root > *') && !document.querySelector('#root > [inert]'))
  if (shot.act) {
    await page.waitForTimeout(SETTLE_MS)
    await shot.act(page, market)
  }
  await keep(page, `${shot.name}-${device}-${look.scheme}`, shot.isWindow)
}

/** Draws the chart, because charts draw only once they are in the viewport. */
async function drawChart(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Chart' }).scrollIntoViewIfNeeded()
  await page.mouse.wheel(0, 300)
  await expect(page.getByRole('slider', { name: /^Chart of/ })).toBeVisible()
  await page.evaluate(() => window.scrollTo(0, 0))
}

async function openRug(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Watch the rug pull happen' }).click()
  await expect(page.getByRole('region', { name: 'Time machine' })).toContainText('the rug pull')
}

/** Takes the picture and checks that the page does not scroll sideways. */
async function keep(page: Page, name: string, isWindow = false): Promise<void> {
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
  await page.waitForTimeout(SETTLE_MS)
  // Scroll up, because the sticky bar would otherwise be drawn in the middle of the page.
  if (!isWindow) await page.evaluate(() => window.scrollTo(0, 0))
  mkdirSync(FOLDER, { recursive: true })
  await page.screenshot({ path: join(FOLDER, `${name}.png`), fullPage: !isWindow })
  const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(tooWide, 'pixels by which the page is wider than its window').toBe(0)
}

async function askForCode(page: Page, market: MadeMarket): Promise<void> {
  await page.getByLabel('Email').fill(market.newcomer.email)
  await page.getByRole('button', { name: 'Send Reset Code' }).click()
  await expect(page.getByText('Code expires in 15 minutes')).toBeVisible()
}

async function sellSome(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Sell' }).click()
  await page.getByRole('button', { name: '50%' }).click()
}

async function buyTooMuch(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Amount in SOL' }).fill('90')
  await page.getByRole('textbox', { name: 'Amount in SOL' }).press('Enter')
}

async function fillLaunch(page: Page): Promise<void> {
  await page.getByLabel('Coin Name').fill('Cardboard Sea')
  await page.getByLabel('Ticker').fill('sea')
  await page.getByLabel('Initial Buy (optional, SOL)').fill('2.5')
  await page.getByRole('button', { name: /Choose an emoji/ }).click()
}

async function uploadNoPicture(page: Page): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Upload Picture' }).click()
  await (await chooser).setFiles({ ...PNG, mimeType: 'text/plain', buffer: Buffer.from('only paper') })
}
