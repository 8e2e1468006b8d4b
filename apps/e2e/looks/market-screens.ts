import { expect, type Locator, type Page } from '@playwright/test'
import { registerPlayer } from '../support/player.ts'
import { tokenCards } from '../support/screen.ts'
import { LONG_NAME } from './made-market.ts'
import type { Scene, Screen, Setting } from './scene.ts'

const token = ({ market }: Setting) => `/token/${market.traded}`
const wide = ({ market }: Setting) => `/token/${market.wide}`
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()
/** Waits for a part of the page. */
const see = (find: (page: Page) => Locator) => async (scene: Scene) => await expect(find(scene.page)).toBeVisible()
const region = (page: Page, name: string | RegExp) => page.getByRole('region', { name })

/** Screens of the market, its tokens, its fairs and its boards. */
export const MARKET_SCREENS: readonly Screen[] = [
  { name: 'home', path: '/', act: see((page) => tokenCards(page).first()) },
  { name: 'home-player', path: `/?q=${LONG_NAME}`, as: 'trader', act: see((page) => tokenCards(page).first()) },
  { name: 'launch', path: '/launch', as: 'trader', act: fillLaunch },
  { name: 'docs', path: '/docs', act: see((page) => page.getByRole('heading', { level: 1 })) },
  { name: 'developers', path: '/developers', as: 'trader', act: readDevelopers },
  { name: 'not-found', path: '/no/such/tent', expected: /status of 404/ },
  { name: 'token', path: token, act: drawChart },
  { name: 'token-wide', path: wide, as: 'trader', act: tradeWide },
  { name: 'token-past', path: (setting) => `${token(setting)}?at=120`, as: 'trader', act: drawChart },
  {
    name: 'token-hidden',
    path: hideToken,
    as: 'new',
    expected: /status of 404/,
    act: see((page) => region(page, 'Sell VEIL')),
  },
  { name: 'token-rug', path: launchForRug, as: 'new', act: pullRug },
  { name: 'token-seal', path: launchForSeal, as: 'new', act: sealToken },
  { name: 'token-waiting', path: placeOrders, as: 'new', act: orderLater },
  { name: 'token-talk', path: ({ player }) => launch(player, 'TALK'), as: 'new', act: talk },
  { name: 'proof', path: ({ market }) => `/proof?token=${market.traded}`, act: verify },
  { name: 'leaderboard', path: '/leaderboard', hasTables: true, act: see(findPlaces) },
  { name: 'fairs', path: '/fairs?make=room', as: 'new', act: makeRoom },
  { name: 'shortcuts', path: '/', act: openShortcuts, isWindow: true },
  { name: 'search', path: '/docs', act: searchRugged, isWindow: true },
]

/** The ranks, which are blank while they load. */
function findPlaces(page: Page): Locator {
  return page.getByRole('main').getByRole('listitem').filter({ hasText: 'medal, rank' }).first()
}

async function launch(player: Setting['player'], symbol: string, name = 'Looked-at Moon'): Promise<string> {
  return `/token/${await player.launch({ name, symbol, initialBuyAmount: '3' })}`
}

async function fillLaunch({ page, look }: Scene): Promise<void> {
  await expect(page.getByLabel('Coin Name')).toBeVisible()
  await look('empty')
  await page.getByLabel('Coin Name').fill('Cardboard Sea')
  await page.getByLabel('Ticker').fill('sea')
  await page.getByLabel('Initial Buy (optional, SOL)').fill('2.5')
  await press(page, '1 day')
}

async function readDevelopers({ page }: Scene): Promise<void> {
  await expect(page.getByLabel('Key name')).toBeVisible()
  await page.getByRole('navigation', { name: 'Chapters' }).getByRole('link', { name: 'Errors' }).click()
  await expect(page.getByRole('heading', { level: 2, name: 'Errors' })).toBeInViewport()
}

/** Scrolls to the chart, because a chart is drawn only when it is visible. */
async function drawChart({ page }: Scene): Promise<void> {
  await region(page, 'Chart').scrollIntoViewIfNeeded()
  await page.mouse.wheel(0, 300)
  await expect(page.getByRole('slider', { name: /^Chart of/ })).toBeVisible()
  await page.evaluate(() => window.scrollTo(0, 0))
}

async function tradeWide({ page, device }: Scene): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: LONG_NAME })).toBeVisible()
  if (device === 'phone') await page.getByRole('button', { name: 'Buy', exact: true }).click()
  await page.getByRole('textbox', { name: 'Amount in SOL' }).fill('1.25')
}

async function hideToken({ market: { server }, player }: Setting): Promise<string> {
  const path = await launch(player, 'VEIL')
  await server.admin('hide', path.replace('/token/', ''))
  await expect
    .poll(async () => (await fetch(`${server.url}/api/tokens/${path.replace('/token/', '')}`)).status)
    .toBe(404)
  return path
}

async function launchForRug({ market, player }: Setting): Promise<string> {
  const path = await launch(player, 'WWWWWWWWWW')
  await (await registerPlayer(market.server.url)).buy(Number(path.replace('/token/', '')), '50')
  return path
}

async function pullRug({ page, look }: Scene): Promise<void> {
  await press(page, 'Pull the rug…')
  const dialog = page.getByRole('dialog', { name: /^Pull the rug on/ })
  await expect(dialog.getByRole('textbox')).toBeFocused()
  for (const name of ['Keep the token open', 'Type WWWWWWWWWW first'])
    await expect(dialog.getByRole('button', { name })).toBeInViewport({ ratio: 1 })
  await look('question')
  await dialog.getByRole('textbox').fill('WWWWWWWWWW')
  await look('typed')
  await dialog.getByRole('button', { name: 'Pull the rug' }).click()
  await expect(region(page, 'The rug was pulled')).toBeVisible()
  await expect(dialog).toHaveCount(0)
}

async function launchForSeal({ player }: Setting): Promise<string> {
  return await launch(player, 'WAX')
}

async function sealToken({ page, look }: Scene): Promise<void> {
  const dialog = page.getByRole('dialog', { name: /seal/i })
  await press(page, 'Seal the token…')
  await dialog.getByRole('checkbox').check()
  await look('question')
  await dialog.getByRole('button', { name: 'Seal for 1 day' }).click()
  await expect(dialog).toHaveCount(0)
}

async function placeOrders({ market: { server }, player }: Setting): Promise<string> {
  const others = [await registerPlayer(server.url), await registerPlayer(server.url)]
  const path = await launch(others[0] ?? player, 'WWWWWWWWWW')
  const tokenId = Number(path.replace('/token/', ''))
  await player.buy(tokenId, '2')
  for (const maker of [player, ...others]) await maker.placeBuy(tokenId, '2', '0.00000003')
  return path
}

async function orderLater({ page, device, look }: Scene): Promise<void> {
  await expect(region(page, 'Waiting orders by price')).toContainText('6.00 SOL')
  if (device === 'phone') await page.getByRole('button', { name: 'Buy', exact: true }).click()
  await page.getByRole('button', { name: 'Limit', exact: true }).click()
  await page.getByRole('button', { name: '−10%', exact: true }).click()
  await look('form')
  await page.goto(new URL('/portfolio', page.url()).href)
  await press(page, /^Sell /)
  await expect(page.getByRole('group', { name: 'Sell later' })).toBeVisible()
}

/** Tests long words and right-to-left text. */
async function talk({ page }: Scene): Promise<void> {
  const posts = page.getByRole('region', { name: 'Talk', exact: true })
  const texts = ['Onewordwithoutanyspace'.repeat(12), 'مرحبا بالجميع في هذا القمر الورقي']
  for (const [n, text] of texts.entries()) {
    await posts.getByRole('textbox', { name: 'Say something' }).fill(text)
    await page.keyboard.press('Enter')
    await expect(posts.getByRole('article')).toHaveCount(n + 1)
  }
}

async function verify({ page }: Scene): Promise<void> {
  const check = region(page, 'Verify a token')
  await check.getByRole('button', { name: /^Verify/ }).click()
  await expect(check).toContainText('✓ Verified')
}

async function makeRoom({ page, look, market: { server }, player }: Scene): Promise<void> {
  const winner = await registerPlayer(server.url)
  await expect(page.getByRole('form', { name: 'Make a room' })).toBeVisible()
  await look('form')
  const room = { kind: 'room', name: 'W'.repeat(40), minutes: 30, stake: '10' }
  const { fair, invite } = await player.call('/api/fairs', room)
  await page.goto(new URL('/fairs', page.url()).href)
  await expect(page.getByText('W'.repeat(40))).toBeVisible()
  await look('list')
  await page.goto(new URL(`/fairs/${fair.id}#invite=${invite}`, page.url()).href)
  await expect(page.getByRole('img', { name: 'The room’s link as a QR code' })).toBeVisible()
  await look('room')
  await winner.call(`/api/fairs/${fair.id}/enter`, { invite })
  await press(page, 'Start now')
  await expect(page.getByRole('heading', { name: 'Ranking' })).toBeVisible()
  const hat = { name: 'Paper Hat', symbol: 'HAT', fairId: fair.id, initialBuyAmount: '5' }
  const { id } = await winner.call('/api/tokens/launch', hat)
  await winner.buy(id, '4.9')
  await winner.sell(id, '10000000')
  await expect(page.getByText('HAT').first()).toBeVisible()
  await look('running')
  await page.goto(new URL(`/token/${id}`, page.url()).href)
  await expect(page.getByRole('navigation', { name: 'Fair' }).getByText('#')).toBeVisible()
  await look('token')
  await server.admin('fairs', 'end', String(fair.id))
  await page.goto(new URL(`/fairs/${fair.id}`, page.url()).href)
  await expect(region(page, 'The podium')).toBeVisible()
  await look('podium')
  await press(page, 'Watch the replay')
  await expect(page.getByRole('slider', { name: 'Time in the fair' })).toBeVisible()
}

/** Presses the key, because phones hide the button. */
async function openShortcuts({ page }: Scene): Promise<void> {
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
}

async function searchRugged({ page }: Scene): Promise<void> {
  await press(page, 'Search everything')
  const palette = page.getByRole('dialog', { name: 'Search everything' })
  await palette.getByRole('combobox').fill('CARPET')
  await expect(palette.getByRole('option', { name: /Rugged/ }).first()).toBeVisible()
}
