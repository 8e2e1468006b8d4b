import type { Page } from '@playwright/test'
import { fetchId, sellAll } from '../../support/holdings.ts'
import { windows } from '../../support/looks.ts'
import { registerPlayer } from '../../support/player.ts'
import { expect, test } from '../../support/test.ts'

/** A name with the max length in the widest letters. */
const LONG_NAME = 'W'.repeat(32)

const board = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test('below the Top 3 are the viewer’s rank, the bots’ league, and three boards with links to profiles and rugs @nightly', async ({
  visit,
  ownServer: { url },
}) => {
  const [winner, rugger, first, second] = await Promise.all([
    registerPlayer(url, LONG_NAME),
    registerPlayer(url, LONG_NAME.slice(1)),
    registerPlayer(url),
    registerPlayer(url),
  ])
  const tokenId = await winner.launch({ name: 'Lantern', symbol: 'LAMP', initialBuyAmount: '5' })
  const rugged = await rugger.launch({ name: 'Carpet', symbol: 'RUG' })
  await first.buy(tokenId, '6')
  await second.buy(tokenId, '4')
  await first.buy(rugged, '2')
  await second.buy(rugged, '1')
  await sellAll(winner, tokenId)
  await rugger.rug(rugged)

  const page = await visit(`${url}/leaderboard`, { as: second, viewport: windows.phone })
  await expect(board(page, 'Your rank')).toContainText(
    /Not ranked.*Result of the last 6 hours: .*−\d.* SOL\. Right now, any profit is enough/,
  )
  await expect(board(page, 'Your rank')).toContainText(/giveaway window \(\d\d:00–\d\d:00 UTC\) ends in \d h \d\d min/)
  await expect(board(page, 'All time').getByRole('listitem')).toContainText(
    new RegExp(`${winner.username}2 trades\\+\\d.* SOL`),
  )
  await expect(board(page, 'Creators').getByRole('listitem')).toContainText(
    /Tokens launched: 1, rugged: 0.*SOL2 backers/,
  )
  await expect(board(page, 'Rugs').getByRole('listitem')).toContainText(
    new RegExp(`Carpetby${rugger.username}.*0\\.99 SOL2 holders lost`),
  )
  await board(page, 'Rugs').getByRole('link', { name: 'Carpet' }).click()
  await expect(page).toHaveURL(`${url}/token/${rugged}?at=3`)

  await page.goto(`${url}/user/${await fetchId(winner)}`)
  await expect(board(page, 'Six-hour rank')).toContainText(
    /1st the only player with a profit.*Nobody is ranked below yet/,
  )
  await expect(board(page, 'Track record')).toContainText(
    /\+\d.* SOL1 closed position, 1 wonThis player launched 1 token in the main market and rugged none\./,
  )
  await expect(board(page, 'Recent Trades').getByRole('listitem')).toHaveText([/ SOLsold /, /5\.000000 SOLbought /])
  await page.goto(`${url}/user/${await fetchId(rugger)}`)
  await expect(board(page, 'Track record')).toContainText(
    'This player launched 1 token in the main market, rugged 1 and took 2.991000 SOL.',
  )
  await expect(board(page, 'Recent Trades')).toContainText('No trades yet')

  await winner.call('/trpc/account.declareBot', { json: { isBot: true } })
  await page.goto(`${url}/leaderboard`)
  await expect(board(page, 'Bots’ league')).toContainText(`${winner.username} bot`)
  await expect(page.getByRole('heading', { name: 'No Winners Yet' })).toBeVisible()
})
