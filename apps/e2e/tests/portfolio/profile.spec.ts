import type { Page } from '@playwright/test'
import { fetchHoldings, fetchId } from '../../support/holdings.ts'
import { figureCard, holdCalls, liveIndicator } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

const lines = (page: Page, list: string) => page.getByRole('region', { name: list }).getByRole('listitem')

test('a guest sees a player’s net worth, holdings and launches live, up to a rug pull', async ({ visit, player }) => {
  const tokenId = await player.launch({ name: 'Show Moon', symbol: 'SHOW', emoji: '🎡', initialBuyAmount: '1' })
  const page = await visit(`/user/${await fetchId(player)}`)
  await expect(page).toHaveTitle(new RegExp(`^${player.username}`))
  await expect(page.getByRole('heading', { level: 1, name: 'Trader Profile' })).toBeVisible()
  await expect(page.getByText(player.username, { exact: true })).toBeVisible()
  await expect(page.getByRole('main').getByText('P', { exact: true })).toBeVisible()
  await expect(figureCard(page, 'SOL Balance')).toContainText('98.98 SOL')
  await expect(figureCard(page, 'Tokens Created')).toContainText('1')
  const held = lines(page, 'Holdings')
  await expect(held).toContainText(/Show MoonSHOW32,164,403\.00≈ \d\.\d{6} SOL/)
  const [worth] = await held.getByText(/^≈/).allTextContents()
  await expect(figureCard(page, 'Portfolio Value')).toContainText(worth?.slice(2) ?? '')
  await expect(lines(page, 'Created Tokens')).toContainText(
    /🎡Show MoonSHOW.*0\.07320\.0000000320\d+.*SOL0\.99 SOL liquidity/,
  )

  await expect(liveIndicator(page)).toHaveText('Live')
  await player.buy(tokenId, '1')
  const [now] = await fetchHoldings(player)
  await expect(held).toContainText(now?.totalValue.slice(0, 8) ?? 'a holding')
  await expect(figureCard(page, 'SOL Balance')).toContainText('97.98 SOL')
  await player.rug(tokenId)
  for (const list of ['Holdings', 'Recent Trades'])
    await expect(lines(page, list).first()).toHaveText(/Show Moon.*Rugged/)

  await held.getByRole('link', { name: 'Show Moon' }).click()
  await expect(page).toHaveURL(`/token/${tokenId}`)
  await page.getByRole('main').getByRole('link', { name: player.username }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'Trader Profile' })).toBeVisible()
})

test('a profile shows a skeleton, then empty lists @nightly', async ({ visit, player }) => {
  const id = await fetchId(player)
  let answer = async () => {}
  const page = await visit(`/user/${id}`, {
    prepare: async (it) => {
      answer = await holdCalls(it, /users\.profile/)
    },
  })
  await expect(page.getByText('Loading profile')).toBeAttached()
  await expect(page.getByRole('heading', { level: 1, name: 'Trader Profile' })).toBeVisible()
  await expect(page.getByRole('term')).toHaveText(['SOL Balance', 'Portfolio Value', 'Tokens Created'])
  await answer()
  await expect(page.getByText(player.username, { exact: true })).toBeVisible()
  await expect(page.getByText('No holdings', { exact: true })).toBeVisible()
  await expect(page.getByText('No tokens created', { exact: true })).toBeVisible()
  await expect(figureCard(page, 'Portfolio Value')).toContainText('0.000000 SOL')
})
