import { randomUUID } from 'node:crypto'
import { windows } from '../../support/looks.ts'
import { registerPlayer } from '../../support/player.ts'
import { tokenCards } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

test('tokens are found and sorted, and the way back restores the search', async ({ visit, server, player }) => {
  const mark = randomUUID().slice(0, 6)
  const [old, dear, fresh] = [`Old ${mark}`, `Dear ${mark}`, `Fresh ${mark}`]
  await player.launch({ name: old, symbol: 'OLD', initialBuyAmount: '1' })
  const symbol = `D${mark}`.toUpperCase()
  await player.launch({ name: dear, symbol, initialBuyAmount: '5' })
  await player.launch({ name: fresh, symbol: 'FRESH' })

  const page = await visit(server.url)
  const search = page.getByPlaceholder('Search tokens...')
  await search.fill(mark.toUpperCase())
  await expect(tokenCards(page)).toContainText([fresh, dear, old])
  await page.getByLabel('Sort by...').selectOption({ label: 'Market Cap (Low)' })
  await expect(tokenCards(page)).toContainText([fresh, old, dear])

  await search.fill(symbol.toLowerCase())
  await expect(tokenCards(page)).toHaveCount(1)
  await expect(tokenCards(page)).toContainText([dear])
  await expect(search).toBeFocused()
  await expect(page).toHaveURL(new RegExp(`q=${symbol}`, 'i'))
  await tokenCards(page).first().click()
  await expect(page.getByRole('heading', { level: 1, name: dear })).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
  await page.goBack()
  await expect(search).toHaveValue(symbol.toLowerCase())
  await expect(page.getByLabel('Sort by...')).toHaveValue('mcap-low')
  await expect(tokenCards(page)).toContainText([dear])
  // Opens the home page without search parameters.
  await page.getByRole('banner').getByRole('link', { name: 'Explore' }).first().click()
  await expect(search).toHaveValue('')
  await expect(page.getByLabel('Sort by...')).toHaveValue('newest')
})

test('an empty market invites players to launch, and then shows each launch and trade @nightly', async ({
  visit,
  ownServer,
}) => {
  const creator = await registerPlayer(ownServer.url)
  const player = await registerPlayer(ownServer.url)
  const page = await visit(ownServer.url, { as: creator, reducedMotion: 'no-preference' })
  await expect(page.getByRole('heading', { name: 'No tokens found' })).toBeVisible()
  await expect(page.getByText('Be the first to launch a token!')).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'Launch Token' })).toHaveAttribute('href', '/launch')
  const column = (name: string) =>
    page.getByRole('complementary', { name: 'Market movers' }).getByRole('region', { name })
  for (const name of ['New', 'Rising', 'Hot']) await expect(column(name)).toHaveCount(0)
  const tape = page.getByRole('region', { name: 'Latest trades' })
  await expect(tape).toContainText('No trades yet')

  const id = await creator.launch({ name: 'Fresh Paint', symbol: 'PAINT' })
  await expect(tokenCards(page)).toContainText([/Fresh Paint.*\$6\.0K/])
  await player.buy(id, '10')
  const entries = tape.getByRole('listitem')
  await expect(entries).toContainText([`${player.username} bought PAINT 10.00 SOL`])
  await expect(entries.getByRole('link')).toHaveAttribute('href', `/token/${id}`)
  // The server's columns may be 10 seconds old, and the page fetches them again only after 15 seconds.
  const fetchMovers = async () => await (await fetch(`${ownServer.url}/api/tokens/movers`)).json()
  await expect.poll(fetchMovers).toMatchObject({ rising: [{ id }], hot: [{ id }] })
  await page.reload()
  await expect(column('Rising').getByRole('listitem')).toContainText(['+77.5'])
  await expect(column('Hot').getByRole('listitem')).toContainText(['$2.0K'])
  // The grid shows the newest tokens first, so the column repeats them only beside another order.
  await expect(column('New')).toHaveCount(0)
  await page.getByLabel('Sort by...').selectOption('oldest')
  await expect(column('New').getByRole('link')).toHaveText(['Fresh Paint'])
  await expect(entries).toHaveCount(1)
  const slides = page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        addEventListener('transitionend', ({ propertyName }) => propertyName === 'transform' && resolve())
      }),
  )
  await player.buy(id, '10')
  await expect(column('Hot').getByRole('listitem')).toContainText(['$4.0K'])
  await slides
  await expect(entries).toHaveText([/10\.00 SOL/, /10\.00 SOL/])
  expect(await entries.first().evaluate((entry) => entry.getAnimations().length)).toBe(0)

  await tape.getByRole('button', { name: 'Pause the latest trades' }).click()
  const card = tokenCards(page).first()
  const before = (await card.textContent()) ?? ''
  await player.buy(id, '1')
  await expect(card).not.toHaveText(before)
  // Wait longer than the ticker waits between two moves.
  await page.waitForTimeout(1_500)
  await expect(entries).toHaveCount(2)
  await tape.getByRole('button', { name: 'Resume the latest trades' }).click()
  await expect(entries).toContainText([/1\.00 SOL/, /10\.00 SOL/, /10\.00 SOL/])
  await expect(page.locator('main [aria-live] li')).toHaveCount(0)

  // A single press of the Tab key skips the whole ticker.
  await tape.getByRole('button', { name: 'Pause the latest trades' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(entries.first().getByRole('link')).toBeFocused()
  await page.keyboard.press('End')
  await expect(entries.last().getByRole('link')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByPlaceholder('Search tokens...')).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(entries.last().getByRole('link')).toBeFocused()
})

test('on a phone the columns are tabs @nightly', async ({ visit, player }) => {
  const name = `Tab ${randomUUID().slice(0, 6)}`
  await player.launch({ name, symbol: 'TAB', initialBuyAmount: '1' })
  const page = await visit('/', { viewport: { width: 375, height: 812 } })
  await expect(tokenCards(page).first()).toBeVisible()
  await page.getByRole('group', { name: 'Tokens to show' }).getByRole('button', { name: 'New' }).click()
  await expect(page).toHaveURL('/?tab=new')
  await expect(page.getByRole('region', { name: 'New' }).getByRole('link', { name })).toBeVisible()
  await expect(tokenCards(page)).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('region', { name: 'New' }).getByRole('link', { name })).toBeVisible()
  // The search finds all tokens, not only the loaded ones.
  await page.getByPlaceholder('Search tokens...').fill(name)
  await expect(tokenCards(page)).toContainText([name])
  await expect(page.getByRole('button', { name: 'All' })).toHaveAttribute('aria-pressed', 'true')
})

test('a player who returns after an hour is told once what happened @nightly', async ({ visit, server, player }) => {
  const tokenId = await player.launch({ name: 'Waiting Tent', symbol: 'WAIT' })
  await (await registerPlayer(server.url)).buy(tokenId, '2')
  const page = await visit('/', { as: player, viewport: windows.phone })
  const game = page.getByRole('region', { name: 'Tonight' }).getByRole('link', { name: /^Today’s tape/ })
  await expect(game).toBeVisible()
  await expect(page.getByRole('button', { name: /^Notifications/ })).toBeVisible()
  await page.evaluate(() => {
    const [id, ms] = (localStorage.getItem('papermoon-seen') ?? '').split(' ')
    localStorage.setItem('papermoon-away', `${id} ${Number(ms) - 2 * 3_600_000}`)
  })
  await page.reload()
  const ticket = page.getByRole('region', { name: 'Welcome back' })
  await expect(ticket).toContainText('You were away for 2 hours.')
  // The most traded tokens come first, until the player chooses all tokens.
  await expect(page.getByRole('region', { name: 'Hot' })).toBeVisible()
  await page.getByRole('group', { name: 'Tokens to show' }).getByRole('button', { name: 'All' }).click()
  await expect(page).toHaveURL('/')
  await expect(ticket.getByRole('link', { name: '1 player bought WAIT for 2.00 SOL' })).toHaveAttribute(
    'href',
    `/token/${tokenId}`,
  )
  // A line of the news and the button for the next action lead to the tape.
  for (const link of await ticket.getByRole('link', { name: /^Play today’s tape/ }).all())
    await expect(link).toHaveAttribute('href', '/tape')
  await expect(game).toHaveCount(0)
  await ticket.getByRole('button', { name: 'Dismiss the news' }).click()
  await expect(ticket).toHaveCount(0)
  await expect(game).toBeVisible()
  await page.reload()
  await expect(game).toBeVisible()
  await expect(ticket).toHaveCount(0)
})
