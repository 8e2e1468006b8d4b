import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, type Page, test } from '@playwright/test'
import { fetchTrades, type Player, registerPlayer } from '../support/player.ts'
import { startServer } from '../support/server.ts'
import { Recorder } from './recorder.ts'

const FILM = fileURLToPath(new URL('../../../docs/images/fair.webp', import.meta.url))
const BYTES_MAX = 3_000_000
const VIEWPORT = { width: 1180, height: 700 }
const FILM_WIDTH = 900

/** The demo world for ten seconds, a buy, a bot's answer, and a rug pull. */
test('films the fair', async ({ browser }) => {
  const server = await startServer({ DEMO: 'on' })
  try {
    await expect.poll(() => countTokens(server.url), { timeout: 120_000 }).toBeGreaterThan(30)
    const [player, creator] = [await registerPlayer(server.url, 'Ada'), await registerPlayer(server.url, 'Mister Brim')]
    const context = await browser.newContext({ baseURL: server.url, viewport: VIEWPORT, serviceWorkers: 'block' })
    await context.addCookies([{ ...player.session, url: server.url, httpOnly: true, sameSite: 'Lax' }])
    const page = await context.newPage()
    const startMs = Date.now()
    await page.goto('/')
    await expect(page.getByRole('list', { name: 'Tokens' }).getByRole('link').first()).toBeVisible()
    const recorder = new Recorder(page)
    // The house bots take some seconds to begin.
    await expect.poll(() => countNewTrades(server.url, startMs), { timeout: 60_000 }).toBeGreaterThan(4)
    await recorder.record(3_000)
    await page.mouse.wheel(0, 340)
    await recorder.record(7_000)
    const tokenId = await launch(creator)
    await page
      .getByRole('list', { name: 'Tokens' })
      .getByRole('link', { name: /Paper Kite/ })
      .click()
    await expect(page.getByRole('heading', { level: 1, name: 'Paper Kite' })).toBeVisible()
    await recorder.record(1_500)
    await buy(page, recorder)
    const names = [player.username, creator.username]
    await recorder.recordUntil(() => isAnswered(server.url, tokenId, names), { keptMs: 1_500, maxMs: 120_000 })
    expect(await isAnswered(server.url, tokenId, names), 'a bot trades the new token').toBe(true)
    await recorder.record(3_000)
    await creator.rug(tokenId)
    await recorder.record(4_000)
    const film = await recorder.toWebp(FILM_WIDTH)
    mkdirSync(dirname(FILM), { recursive: true })
    writeFileSync(FILM, film)
    process.stdout.write(`${FILM}: ${film.length} bytes\n`)
    expect(film.length).toBeLessThan(BYTES_MAX)
    await context.close()
  } finally {
    await server.remove()
  }
})

async function launch(creator: Player): Promise<number> {
  return await creator.launch({ name: 'Paper Kite', symbol: 'KITE', emoji: '🪁', initialBuyAmount: '0.5' })
}

async function buy(page: Page, recorder: Recorder): Promise<void> {
  const panel = page.getByRole('region', { name: 'Trade' })
  await panel.getByRole('textbox').first().pressSequentially('2', { delay: 200 })
  await recorder.record(1_200)
  await panel.getByRole('button', { name: /^Buy/ }).last().click()
  await recorder.record(1_500)
}

/** Whether somebody else traded the token. */
async function isAnswered(url: string, tokenId: number, names: readonly string[]): Promise<boolean> {
  const trades = await fetchTrades(url, tokenId)
  return trades.some(({ username }) => !names.includes(username))
}

async function countNewTrades(url: string, sinceMs: number): Promise<number> {
  const trades: { createdAt: string }[] = await (await fetch(`${url}/api/tokens/tape`)).json()
  return trades.filter(({ createdAt }) => Date.parse(createdAt) > sinceMs).length
}

async function countTokens(url: string): Promise<number> {
  const tokens: unknown[] = await (await fetch(`${url}/api/tokens`)).json()
  return tokens.length
}
