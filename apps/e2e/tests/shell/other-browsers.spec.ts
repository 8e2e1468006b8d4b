import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { fetchId } from '../../support/holdings.ts'
import { fetchTrades, type Player, registerPlayer } from '../../support/player.ts'
import { balanceButton, liveIndicator, tradeRows } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

const ROUTER = new URL('../../../web/src/router.tsx', import.meta.url)
/** Returns every path of the router, with the id of the token or player in it. */
function listScreens(ids: { token: number; user: number }): string[] {
  const paths = readFileSync(ROUTER, 'utf8').matchAll(/(?:path: |addScreen\(\s*)'(\/[^']*)'/g)
  return [...paths].map(([, path = '']) =>
    path.replace('/{-$id}', '').replace('token/$id', `token/${ids.token}`).replace('user/$id', `user/${ids.user}`),
  )
}

/** Returns whether the texts at a path change by themselves. */
const isLively = (path: string) => path === '/' || path.startsWith('/token')

// Each of the two tests checks half of the screens whose texts do not change by themselves.
for (const [turn, way] of (['moves', 'replaces'] as const).entries()) {
  test(`every screen keeps working when a translator ${way} its texts: live trades, typing, selling @nightly`, async ({
    visit,
    server,
    player,
    expectedErrors,
  }) => {
    // For players without a role, this page responds with 404.
    expectedErrors.push(/admin/)
    const other = await registerPlayer(server.url)
    const token = await other.launch({ name: 'Lune', symbol: 'LUNE', initialBuyAmount: '1' })
    await player.buy(token, '1')
    const page = await visit('/docs', { as: player })
    const screens = listScreens({ token, user: await fetchId(player) })
    for (const path of screens.filter((path, index) => isLively(path) || index % 2 === turn)) {
      await page.goto(path)
      await expect(page.getByRole('heading').first()).toBeVisible()
      await expect(liveIndicator(page)).toHaveText('Live')
      await page.evaluate(translate, way)
      await other.buy(token, '0.1')
      for (const field of await page.getByRole('main').getByRole('textbox').all()) {
        if (await field.isEditable()) await field.fill('12')
      }
      if (path.startsWith('/token')) await trade(page, other, { url: server.url, token })
      if (path === '/') await expectOnTape(page, () => other.buy(token, '0.1'))
      await page.getByRole('link', { name: 'Docs' }).first().click()
      await expect(page.getByRole('heading', { level: 1, name: 'The docs' }), path).toBeVisible()
    }
  })
}

/** Buys until the trade slides in. The tape shows at most two trades per second. */
async function expectOnTape(page: Page, buy: () => Promise<unknown>): Promise<void> {
  await expect(async () => {
    await buy()
    await expect(page.getByRole('main')).toContainText('bought LUNE 0.10 SOL', { timeout: 3_000 })
  }).toPass()
}

/** Trades as another player and as the visitor. These trades change numbers that are beside words. */
async function trade(page: Page, other: Player, { url, token }: { url: string; token: number }): Promise<void> {
  const expectAll = async () => expect(tradeRows(page)).toHaveCount((await fetchTrades(url, token)).length)
  for (const amount of ['0.5', '0.25']) await other.buy(token, amount)
  await expectAll()
  await page.getByRole('tab', { name: 'Sell' }).click()
  await page.getByRole('button', { name: '50%' }).click()
  const sold = page.waitForResponse(/trading\.sell/)
  await page.getByRole('button', { name: /^Sell .*LUNE/ }).click()
  await sold
  await other.sell(token, '1000')
  await expectAll()
}

/** This function runs in the page. Changes existing and new texts in the same way as a browser's translator. */
function translate(way: 'moves' | 'replaces'): void {
  const skipped = 'script, style, textarea, option, svg, font'
  const visit = (root: Node) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const texts: Text[] = root instanceof Text ? [root] : []
    while (walker.nextNode()) texts.push(walker.currentNode as Text)
    for (const text of texts) {
      if (text.data.trim() === '' || text.parentElement === null || text.parentElement.closest(skipped)) continue
      const font = document.createElement('font')
      text.replaceWith(font)
      font.append(way === 'moves' ? text : text.data)
    }
  }
  visit(document.body)
  new MutationObserver((records) => {
    for (const { addedNodes } of records) for (const node of addedNodes) if (node.isConnected) visit(node)
  }).observe(document.body, { childList: true, subtree: true })
}

test('every screen opens even if the browser blocks storage and workers @nightly', async ({
  visit,
  player,
  expectedErrors,
}) => {
  expectedErrors.push(/admin/)
  const token = await player.launch({ name: 'Blocked Moon', symbol: 'BLOCK', initialBuyAmount: '1' })
  const page = await visit('/docs', { as: player, prepare: (it) => it.addInitScript(blockStorage) })
  for (const path of [...listScreens({ token, user: await fetchId(player) }), '/api/reference']) {
    await page.goto(path)
    await expect(page.getByRole('heading').first(), path).toBeVisible()
    if (path !== '/api/reference')
      await expect(page.getByRole('heading', { name: 'Something went wrong' })).toHaveCount(0)
  }
})

/** This function runs in the page. Blocks storage, as Chrome does for a site whose cookies are blocked. */
function blockStorage(): void {
  const get = () => {
    throw new DOMException('Access is denied for this document.', 'SecurityError')
  }
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches']) {
    Object.defineProperty(window, name, { get, configurable: true })
  }
  Object.defineProperty(navigator, 'serviceWorker', { get })
}

test('a page from the back-forward cache shows no old account', async ({ visit, player, expectedErrors }) => {
  expectedErrors.push(/401/)
  const page = await visit('/portfolio', { as: player })
  await expect(balanceButton(page)).toBeVisible()
  const other = await page.context().newPage()
  await other.goto('/docs')
  await balanceButton(other).click()
  const answer = other.waitForResponse(/auth\.logout/)
  await other.getByRole('menuitem', { name: 'Logout' }).click()
  expect(await (await answer).headerValue('clear-site-data')).toBe('"cache"')
  await expect(other).toHaveURL('/auth')
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await expect(page.getByRole('main')).toContainText(/log ?in/i)
  await expect(balanceButton(page)).toHaveCount(0)
})
