import type { TestDatabase } from '@papermoon/db/testing'
import type { Page } from '@playwright/test'
import { type Player, registerPlayer } from '../../support/player.ts'
import { tokenCards } from '../../support/screen.ts'
import type { Server } from '../../support/server.ts'
import { expect, test, type Visit } from '../../support/test.ts'

const TOKENS = 5_000
const TRADERS = 12

// Each test creates a market with thousands of tokens.
test.slow()

test('5,000 tokens are scrolled through with a limited number of elements, and Back returns to the same token', {
  tag: '@chaos',
}, async ({ visit, ownServer }) => {
  const { page } = await openFlooded(visit, ownServer)
  for (let pages = 2; pages <= 12; pages++) {
    await wheelOn(page)
  }
  expect(await tokenCards(page).count()).toBeLessThan(120)

  const name = await openCardInTheMiddle(page)
  await page.goBack()
  await expect(tokenCards(page).filter({ hasText: name })).toBeInViewport()
})

test('while the market is flooded with trades, rendering stays limited and requests get responses', {
  tag: '@chaos',
}, async ({ visit, ownServer }) => {
  const traders = await Promise.all(Array.from({ length: TRADERS }, () => registerPlayer(ownServer.url)))
  const [creator] = traders
  if (creator === undefined) throw new Error('nobody to launch')
  await ownServer.rewrite((database) => addTokens(database, creator))
  const page = await visit(`${ownServer.url}/docs`)
  const events = countTrades(page)
  await page.goto(ownServer.url)
  await expect(tokenCards(page).first()).toContainText('Flood 5000')
  await expect(page.getByRole('complementary', { name: 'Market movers' }).getByRole('link').first()).toBeVisible()
  await page.evaluate(watchWork)

  const flood = new AbortController()
  const trading = Promise.all(traders.map((trader, index) => tradeUntil(flood.signal, trader, index)))
  await expect.poll(events, { timeout: 120_000 }).toBeGreaterThan(500)
  const search = page.getByPlaceholder('Search tokens...')
  await search.pressSequentially('flood 4321')
  await expect(tokenCards(page)).toContainText(['Flood 4321'])
  await expect(page).toHaveURL(/q=flood\+4321|q=flood%204321/)
  await search.clear()
  await page.getByLabel('Sort by...').selectOption('oldest')
  await expect(tokenCards(page).first()).toContainText('Flood 1')
  await page.getByRole('button', { name: 'Pause the latest trades' }).click()
  await expect(page.getByRole('button', { name: 'Resume the latest trades' })).toBeVisible()
  await expect.poll(events, { timeout: 120_000 }).toBeGreaterThan(2_000)
  flood.abort()
  await trading

  const { frames, changes } = await page.evaluate(() => (window as unknown as { work: Work }).work)
  // Thousands of events may cause only a few renders per frame, far fewer than one render per event.
  expect(changes).toBeLessThan(3 * frames)
  expect(await page.locator('main *').count()).toBeLessThan(5_000)
})

test('new launches wait while a player reads the list, until the player asks for them or leaves the list', {
  tag: '@chaos',
}, async ({ visit, ownServer }) => {
  const { page, creator } = await openFlooded(visit, ownServer)
  await page.mouse.wheel(0, 900)
  // Poll the position, because the wheel may scroll smoothly.
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(900)
  const card = tokenCards(page).filter({ hasText: 'Flood 4990' })
  await expect(card).toBeInViewport()
  const before = await card.boundingBox()
  await creator.launch({ name: 'Herald', symbol: 'HERALD' })
  await creator.launch({ name: 'Echo', symbol: 'ECHO' })
  const button = page.getByRole('button', { name: '2 new tokens' })
  await expect(button).toBeVisible()
  expect(await card.boundingBox()).toEqual(before)
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(tokenCards(page)).toContainText(['Echo', 'Herald', 'Flood 5000'])
  await expect(tokenCards(page).first()).toBeInViewport()
  await expect(page.getByRole('list', { name: 'Tokens' })).toBeFocused()

  await creator.launch({ name: 'Postscript', symbol: 'POST' })
  await expect(page.getByRole('button', { name: '1 new token' })).toBeVisible()
  await page.getByPlaceholder('Search tokens...').focus()
  await expect(tokenCards(page).first()).toContainText('Postscript')
})

/**
 * Opens one of the displayed cards and returns its name. While the list moves, a card may disappear before the click.
 */
async function openCardInTheMiddle(page: Page): Promise<string> {
  let name = ''
  await expect(async () => {
    const card = tokenCards(page).filter({ visible: true }).nth(30)
    name = (await card.locator('strong').textContent({ timeout: 5_000 })) ?? ''
    const title = page.locator('strong', { hasText: new RegExp(`^${name}$`) })
    await tokenCards(page).filter({ has: title }).click({ timeout: 5_000 })
  }).toPass({ timeout: 120_000 })
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  return name
}

/** Opens the home page of a market with thousands of tokens by one creator. */
async function openFlooded(
  visit: (path: string, visit?: Visit) => Promise<Page>,
  server: Server,
  how: Visit = {},
): Promise<{ page: Page; creator: Player }> {
  const creator = await registerPlayer(server.url)
  await server.rewrite((database) => addTokens(database, creator))
  return { page: await openHome(visit, server, how), creator }
}

async function openHome(
  visit: (path: string, visit?: Visit) => Promise<Page>,
  server: Server,
  how: Visit = {},
): Promise<Page> {
  const page = await visit(server.url, how)
  await expect(tokenCards(page).first()).toContainText('Flood 5000')
  return page
}

interface Work {
  frames: number
  changes: number
}

/** Counts frames and DOM changes. */
function watchWork(): void {
  const work: Work = { frames: 0, changes: 0 }
  const main = document.querySelector('main')
  if (main === null) throw new Error('no content')
  const options = { subtree: true, childList: true, characterData: true }
  new MutationObserver(() => work.changes++).observe(main, options)
  const frame = () => {
    work.frames++
    requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
  Object.assign(window, { work })
}

/** Counts the trades received over the page's live connection. */
function countTrades(page: Page): () => number {
  let trades = 0
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      trades += String(payload).split('"type":"trade"').length - 1
    }),
  )
  return () => trades
}

async function tradeUntil(signal: AbortSignal, trader: Player, index: number): Promise<void> {
  for (let turn = 0; !signal.aborted; turn++) {
    // Half of the trades are in tokens that are visible in the window.
    const tokenId = turn % 2 === 0 ? TOKENS - ((turn + index) % 24) : 1 + ((turn * 7_919 + index * 131) % TOKENS)
    await trader.buy(tokenId, '0.0001').catch((error: unknown) => {
      // On a busy machine, the queue may be full, so skip the order.
      if (!String(error).includes('answered 503')) throw error
    })
  }
}

/** Inserts tokens without trades, launched one second apart. */
async function addTokens({ pool }: TestDatabase, creator: Player): Promise<void> {
  await pool.query(
    `with launched as (
       insert into tokens (creator_id, name, symbol, emoji, supply, launch_price, launch_fee, created_at)
       select u.id, 'Flood ' || n, 'F' || n, '🌊', 1000000000, 0.00000003, 0.02, now() - ($2::int - n) * interval '1 second'
         from users u, generate_series(1, $2::int) n where u.email = $1 order by n returning id, created_at
     )
     insert into pools (token_id, sol_reserve, virtual_sol, token_reserve, price, last_event_at, chain_head)
     select id, 30, 30, 1000000000, 0.00000003, created_at, sha256('') from launched`,
    [creator.email, TOKENS],
  )
}

/** Turns the wheel until another page is loaded, because turns have no effect before the page grows. */
async function wheelOn(page: Page): Promise<void> {
  const last = await lastPlace(page)
  const again = page.getByRole('button', { name: 'Try again' })
  await expect(async () => {
    // Limit the time for the click, because the button may disappear before the click.
    if (await again.isVisible()) await again.click({ timeout: 2_000 })
    await page.mouse.wheel(0, 6_000)
    expect(await lastPlace(page)).toBeGreaterThan(last)
  }).toPass()
}

/** Returns the last rendered card's position in the list. */
async function lastPlace(page: Page): Promise<number> {
  const cards = page.getByRole('list', { name: 'Tokens' }).locator('> li')
  // A list that is rendered completely has no `aria-posinset`.
  return Number((await cards.last().getAttribute('aria-posinset')) ?? (await cards.count()))
}
