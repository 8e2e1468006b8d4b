import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { ask, registerPlayer } from '../support/player.ts'
import { tradeRows } from '../support/screen.ts'
import { BROWSER, DESKTOP, expect, openTrade, PHONE, register, test } from './journey-test.ts'

const FOLDER = join(import.meta.dirname, '../../../.shots/journeys')
/** Chrome's "Slow 3G": 400 kbit/s and 400 ms of latency. */
const SLOW_3G = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 }
/** A window of 1280 × 800 at a zoom of 200 %. */
const ZOOMED = { width: 640, height: 400 }

test.skip(BROWSER !== 'chromium', 'These journeys use what only Chromium offers.')

test('colour-blind: chooses colours that differ, and trades', async ({ travelChromium, market }) => {
  const player = await registerPlayer(market.server.url)
  const { traveller, page } = await travelChromium(DESKTOP, player)
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setEmulatedVisionDeficiency', { type: 'deuteranopia' })
  await traveller.goto('/')
  await traveller.see('Market cap')
  await traveller.film('home, as seen with deuteranopia')
  await traveller.goto('/settings')
  await page.getByRole('radio', { name: /Blue and orange/ }).check()
  await traveller.film('the setting')
  expect(await page.evaluate(() => document.documentElement.dataset.upDown)).toContain('safe')
  await traveller.goto('/')
  await traveller.see('Market cap')
  await traveller.film('home, safe colours')
  await traveller.goto(`/token/${market.traded}`)
  await traveller.see('Market cap')
  await traveller.film('a token, safe colours')
  await traveller.finish('colour-blind-desktop-chromium')
})

test('zoom of 200 %: nothing is cut off or needs sideways scrolling', async ({ travelChromium, market }) => {
  const player = await registerPlayer(market.server.url)
  const { traveller, page } = await travelChromium(ZOOMED, player, { deviceScaleFactor: 2 })
  for (const [path, text] of [
    ['/', 'Blank Page'],
    ['/leaderboard', 'Leaderboard'],
    ['/portfolio', 'Total Value'],
    ['/settings', 'Settings'],
    [`/token/${market.traded}`, 'Market cap'],
  ] as const) {
    await traveller.goto(path)
    await traveller.see(text)
    await traveller.film(path)
    const tooWide = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(tooWide, `px that ${path} is wider than the window`).toBe(0)
  }
  await openTrade(traveller, 'Buy')
  await traveller.tap({ role: 'button', name: '1 SOL' })
  await traveller.film('the amount')
  await traveller.tap({ role: 'button', name: /^Buy MOON/ })
  await traveller.see('Purchase Successful!')
  await traveller.film('bought')
  await traveller.finish('zoom-desktop-chromium')
})

test('slow 3G: the page is read before it is complete, and a trade goes through', async ({
  travelChromium,
  market,
}) => {
  const player = await registerPlayer(market.server.url)
  const { traveller, page } = await travelChromium(PHONE, player)
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', SLOW_3G)
  const startMs = performance.now()
  await page.goto(`/token/${market.traded}`, { waitUntil: 'commit' })
  await traveller.see('Paper Moon')
  process.stdout.write(`slow 3G: the token's name after ${toSeconds(startMs)} s\n`)
  await traveller.film('first view')
  await expect(page.getByRole('banner').getByRole('status')).toHaveText('Live', { timeout: 120_000 })
  process.stdout.write(`slow 3G: live after ${toSeconds(startMs)} s\n`)
  await traveller.film('live')
  await openTrade(traveller, 'Buy')
  await traveller.tap({ role: 'button', name: '1 SOL' })
  const orderMs = performance.now()
  await traveller.tap({ role: 'button', name: /^Buy MOON/ })
  await traveller.see('Purchase Successful!')
  process.stdout.write(`slow 3G: an order was answered and told after ${toSeconds(orderMs)} s\n`)
  await traveller.film('bought')
  await traveller.finish('slow-3g-phone-chromium')
})

test('screen reader: what it reads out, from landing to a trade', async ({ travelChromium, market }) => {
  const player = await registerPlayer(market.server.url)
  const { traveller, page } = await travelChromium(DESKTOP, player)
  const spoken: string[] = []
  const listen = async (title: string) => {
    await expect(page.getByRole('main'), `${title}: one main landmark`).toHaveCount(1)
    spoken.push(`\n# ${title}\n${await page.locator('body').ariaSnapshot()}`)
    expect(await findNameless(page), `${title}: controls without a name`).toEqual([])
    expect(await page.getByRole('heading', { level: 1 }).count(), `${title}: one first heading`).toBe(1)
    await traveller.film(title)
  }
  await traveller.goto('/')
  await traveller.see('Market cap')
  await listen('home')
  await traveller.goto(`/token/${market.traded}`)
  await traveller.see('Market cap')
  await listen('a token')
  await page.getByRole('textbox', { name: 'Amount in SOL' }).fill('1')
  await page.getByRole('button', { name: /^Buy MOON/ }).click()
  const news = page.getByRole('region', { name: /Notifications/ }).getByRole('status')
  await expect(news).toContainText('Purchase Successful!')
  spoken.push(`\n# announced\n${await news.ariaSnapshot()}`)
  await traveller.film('announced')
  await traveller.goto('/portfolio')
  await traveller.see('Total Value')
  await listen('the portfolio')
  mkdirSync(FOLDER, { recursive: true })
  const path = join(FOLDER, 'screen-reader.txt')
  writeFileSync(path, spoken.join('\n'))
  process.stdout.write(`screen reader: ${path}\n`)
  await traveller.finish('screen-reader-desktop-chromium')
})

test('arena, phone: from home into it, a trade, the bell, the podium, again', async ({
  travel,
  market: { server },
}) => {
  const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString()
  await server.admin('fairs', 'create', 'Paper arena', '--at', inSeconds(30))
  const guest = await travel(PHONE)
  await guest.goto('/')
  await guest.see('Paper arena')
  await guest.film('landing: the next arena')
  await guest.tap({ role: 'button', name: 'Enter' })
  await guest.see('One form to go.')
  await guest.film('registration')
  await register(guest)
  await guest.arrive(/^\/fairs\/\d+$/)
  await guest.tap({ role: 'button', name: 'Enter' })
  await guest.film('the lobby')
  await guest.see('ends in')
  await guest.film('the gate opens')
  await guest.tap({ role: 'link', name: 'Launch a token' })
  await guest.type({ role: 'textbox', name: /^Coin Name/ }, 'Paper Hat')
  await guest.type({ role: 'textbox', name: /^Ticker/ }, 'hat')
  await guest.tap({ role: 'button', name: 'Launch Token' })
  await guest.see('Token Launched!')
  await guest.film('its token, under the bar of the fair')
  const rival = await registerPlayer(server.url)
  const tokenId = Number((await guest.page.run<string>('function () { return location.pathname }')).split('/').at(-1))
  const cookie = `${rival.session.name}=${rival.session.value}`
  const { fairId } = await (await ask(`${server.url}/api/tokens/${tokenId}`, {})).json()
  await ask(`${server.url}/api/fairs/${fairId}/enter`, { body: {}, cookie })
  await rival.buy(tokenId, '20')
  await openTrade(guest, 'Buy')
  await guest.tap({ role: 'button', name: '5 SOL' })
  await guest.tap({ role: 'button', name: /^Buy HAT/ })
  await guest.see('Purchase Successful!')
  await guest.goto(`/fairs/${fairId}`)
  await guest.see('Ranking')
  await guest.film('the ranking')
  await server.admin('fairs', 'create', 'Arena after it', '--at', inSeconds(600))
  await server.admin('fairs', 'end', String(fairId))
  await guest.see('The podium')
  await guest.film('the podium')
  await guest.tap({ role: 'button', name: 'Replay it' })
  await guest.film('the replay')
  await guest.lookAt({ role: 'button', name: 'Enter' })
  await guest.film('again?')
  await guest.tap({ role: 'button', name: 'Enter' })
  await guest.see('You are in: go there')
  await guest.finish('arena-phone-chromium')
})

test('offline and back: the page says so, keeps its figures, and catches up', async ({ travelChromium, market }) => {
  const { server } = market
  const [player, other] = [await registerPlayer(server.url), await registerPlayer(server.url)]
  const { traveller, page } = await travelChromium(PHONE, player)
  const state = page.getByRole('banner').getByRole('status')
  await traveller.goto(`/token/${market.traded}`)
  await expect(state).toHaveText('Live')
  await traveller.film('live')
  const figures = page.getByRole('region', { name: 'Chart' }).locator('dd')
  const shown = await figures.allTextContents()
  expect(shown.join('')).toMatch(/\d/)
  // Chromium's own switch leaves open sockets connected, so the server goes away.
  await server.stop()
  await expect(state).toHaveText('Offline')
  await expect(figures).toHaveText(shown)
  await traveller.film('offline')
  await openTrade(traveller, 'Buy')
  await traveller.tap({ role: 'button', name: '1 SOL' })
  await traveller.tap({ role: 'button', name: /^Buy MOON/ })
  await expect(page.getByText('No answer came. Your order may or may not have gone through.').first()).toBeVisible()
  await traveller.film('an order while offline')
  await server.withSibling((url) => other.at(url).buy(market.traded, '4'))
  await server.start()
  await expect(state).toHaveText('Live')
  await expect(tradeRows(page).first()).toContainText(other.username)
  // The order did not reach the server, and is not sent by itself.
  await expect(tradeRows(page).filter({ hasText: player.username })).toHaveCount(0)
  await traveller.film('back, and caught up')
  await traveller.finish('offline-phone-chromium')
})

/** Links, buttons and fields whose accessible name is empty. */
async function findNameless(page: Page): Promise<string[]> {
  const roles = ['link', 'button', 'textbox', 'searchbox', 'combobox', 'slider', 'tab', 'switch', 'checkbox'] as const
  const nameless = roles.map((role) =>
    page.getByRole(role, { name: /^\s*$/ }).evaluateAll((all) => all.map((it) => it.outerHTML)),
  )
  return (await Promise.all(nameless)).flat()
}

function toSeconds(sinceMs: number): string {
  return ((performance.now() - sinceMs) / 1_000).toFixed(1)
}
