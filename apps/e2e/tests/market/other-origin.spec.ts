import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '../../support/test.ts'

test('a page of another origin reads and follows the market, and reads nothing of an account', async ({
  browser,
  server,
  player,
}) => {
  const tokenId = await player.launch({ name: 'Open Moon', symbol: 'OPEN', initialBuyAmount: '0.5' })
  const site = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<p>A site'))
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const context = await browser.newContext()
  await context.addCookies([{ ...player.session, url: server.url, httpOnly: true, sameSite: 'Lax' }])
  try {
    const page = await context.newPage()
    await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`)
    const heard = await page.evaluateHandle(async (market) => {
      const source = new EventSource(`${market}/api/events?types=trade`)
      const trade = new Promise<string>((resolve) =>
        source.addEventListener('trade', ({ data }) => resolve(data), { once: true }),
      )
      await new Promise((resolve) => source.addEventListener('open', resolve, { once: true }))
      return { trade }
    }, server.url)
    await player.buy(tokenId, '1')
    expect(JSON.parse(await heard.evaluate(({ trade }) => trade))).toMatchObject({ tokenId, trade: { side: 'buy' } })
    const reads = await page.evaluate(async (market) => {
      const read = (path: string, credentials: RequestCredentials) =>
        fetch(market + path, { credentials }).then(
          () => 'read',
          () => 'denied',
        )
      return [
        await read('/api/auth/user', 'include'),
        await read('/api/portfolio', 'omit'),
        await read('/api/site', 'omit'),
        await read('/api/tokens', 'omit'),
      ]
    }, server.url)
    expect(reads).toEqual(['denied', 'denied', 'read', 'read'])
  } finally {
    await context.close()
    site.closeAllConnections()
    site.close()
  }
})
