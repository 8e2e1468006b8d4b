import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '../../support/test.ts'

const PAGE = readFileSync(new URL('../../support/statistics-site.html', import.meta.url))

/** Serves the demo page from an origin of its own. */
async function serveSite(): Promise<{ readonly site: Server; readonly url: string }> {
  const site = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(PAGE))
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  return { site, url: `http://localhost:${(site.address() as AddressInfo).port}` }
}

test('a page of another origin draws live charts, and reads nothing of an account', async ({
  browser,
  server,
  player,
}) => {
  const tokenId = await player.launch({ name: 'Open Moon', symbol: 'OPEN', emoji: '🌕', initialBuyAmount: '0.5' })
  await player.buy(tokenId, '0.1')
  const { site, url } = await serveSite()
  const context = await browser.newContext()
  await context.addCookies([{ ...player.session, url: server.url, httpOnly: true, sameSite: 'Lax' }])
  try {
    const page = await context.newPage()
    await page.goto(`${url}/?market=${server.url}`)
    const card = page.getByRole('article').filter({ hasText: '🌕 Open Moon (OPEN)' })
    await expect(card.getByRole('img', { name: '2 prices' })).toBeVisible()
    await expect(page.getByRole('status')).toHaveText('Live')
    await player.buy(tokenId, '1')
    await expect(card.getByRole('img', { name: '3 prices' })).toBeVisible()
    // Launched while the page is open: its name comes with the event.
    const later = await player.launch({ name: 'Later Moon', symbol: 'LATER', emoji: '🌒' })
    await player.buy(later, '0.2')
    await expect(page.getByRole('article').filter({ hasText: '🌒 Later Moon (LATER)' }).getByText(/SOL$/)).toBeVisible()
    const denied = await page.evaluate(async (market) => {
      const read = (path: string, credentials: RequestCredentials) =>
        fetch(market + path, { credentials }).then(
          () => 'read',
          () => 'denied',
        )
      return [
        await read('/api/auth/user', 'include'),
        await read('/api/portfolio', 'omit'),
        await read('/api/site', 'omit'),
      ]
    }, server.url)
    expect(denied).toEqual(['denied', 'denied', 'read'])
  } finally {
    await context.close()
    site.closeAllConnections()
    site.close()
  }
})
