import { fetchTrades, registerPlayer } from '../support/player.ts'
import { type Server, startServer } from '../support/server.ts'
import { openChromium } from './browsers/chromium.ts'
import { BROWSER, DESKTOP, expect, openTrade, PHONE, register, test } from './journey-test.ts'
import { Traveller } from './traveller.ts'

/** Others' SOL in the sealed launch, from when it counts as alive. */
const ALIVE_SOL = 1
const DEMO_MAX_MS = 240_000
const DAY_MS = 86_400_000

test.skip(BROWSER !== 'chromium', 'This journey needs Chromium’s storage.')
test.setTimeout(900_000)

/** A player's first evening and the next day, in the demo world with its house bots. */
for (const [device, window] of Object.entries({ phone: PHONE, desktop: DESKTOP }))
  for (const scheme of ['dark', 'light'])
    test(`evening, ${device}, ${scheme}: from landing to the next day’s streak`, async ({ browser }) => {
      const server = await startServer({ DEMO: 'on' })
      try {
        await expect.poll(() => countTokens(server.url), { timeout: DEMO_MAX_MS }).toBeGreaterThan(10)
        const { page, browserPage } = await openChromium(browser, { url: server.url, ...window })
        await page.addInitScript((it) => localStorage.setItem('mantine-color-scheme-value', it), scheme)
        const guest = new Traveller(browserPage)
        await tradeFirst(guest)
        await launchSealed(guest, server)
        await beRugged(guest, server)
        await playTape(guest, server, 'the first day')
        await moveToNextDay(server)
        await playTape(guest, server, 'the next day')
        await lookAround(guest)
        await guest.finish(`evening-${device}-${scheme}`)
      } finally {
        await Promise.all(browser.contexts().map((context) => context.close()))
        await server.remove()
      }
    })

async function tradeFirst(guest: Traveller): Promise<void> {
  await guest.goto('/')
  await guest.see('Market cap')
  await guest.film('landing')
  await guest.tap({ role: 'link', name: /./, within: 'Tokens' })
  await guest.arrive(/^\/token\/\d+$/)
  await guest.see('Market cap')
  await guest.film('a token')
  await openTrade(guest, 'Buy')
  await guest.tap({ role: 'button', name: '1 SOL' })
  await guest.tap({ role: 'button', name: /^Buy / })
  await guest.arrive('/auth')
  await guest.film('registration')
  await register(guest)
  await guest.see('Continue: buy 1 SOL of')
  await guest.film('back, with an offer')
  await guest.tap({ role: 'link', name: /^Continue: buy/ })
  await guest.arrive(/^\/token\/\d+$/)
  await guest.see(/moves the price/)
  await guest.tap({ role: 'button', name: /^Buy / })
  await guest.see('Purchase Successful!')
  await guest.film('bought')
  await guest.page.run('function () { return new Promise((resolve) => setTimeout(() => resolve(null), 20000)) }')
  await guest.film('twenty seconds later')
  await openTrade(guest, 'Sell')
  await guest.tap({ role: 'button', name: '100%' })
  await guest.film('all of it')
  await guest.tap({ role: 'button', name: /^Sell / })
  await guest.see('Sale Successful!')
  await guest.film('the told gain')
}

async function launchSealed(guest: Traveller, server: Server): Promise<void> {
  await guest.goto('/launch')
  await guest.type({ role: 'textbox', name: /^Coin Name/ }, 'Paper Boat')
  await guest.type({ role: 'textbox', name: /^Ticker/ }, 'boat')
  await guest.type({ role: 'textbox', name: /^Initial Buy/ }, '1')
  await guest.tap({ role: 'button', name: '1 day' })
  await guest.page.run(`function () { document.querySelector('input[type=checkbox]').click(); return null }`)
  await guest.film('a launch that promises')
  await guest.tap({ role: 'button', name: 'Launch Token' })
  await guest.arrive(/^\/token\/\d+$/)
  await guest.see('Paper Boat')
  await guest.film('launched and sealed')
  const address = await guest.page.run<string>('function () { return location.pathname }')
  const tokenId = Number(address.split('/').at(-1))
  await expect.poll(() => countSol(server.url, tokenId), { timeout: DEMO_MAX_MS }).toBeGreaterThan(ALIVE_SOL)
  await guest.film('others came')
}

async function beRugged(guest: Traveller, server: Server): Promise<void> {
  const creator = await registerPlayer(server.url)
  const tokenId = await creator.launch({ name: 'Thin Ice', symbol: 'ICE', emoji: '🧊', initialBuyAmount: '2' })
  await guest.goto(`/token/${tokenId}`)
  await guest.see('Market cap')
  await openTrade(guest, 'Buy')
  await guest.tap({ role: 'button', name: '5 SOL' })
  await guest.tap({ role: 'button', name: /^Buy ICE/ })
  await guest.see('Purchase Successful!')
  await guest.film('bought from a stranger')
  await creator.rug(tokenId)
  await guest.see('Rugged')
  await guest.film('the rug')
  await guest.tap({ role: 'link', name: 'Go back to the moment it happened' })
  await guest.see('the rug pull')
  await guest.film('its story')
}

async function playTape(guest: Traveller, server: Server, day: string): Promise<void> {
  await guest.goto('/tape')
  await guest.tap({ role: 'button', name: 'Start the tape' })
  await guest.see('Not in yet')
  await guest.film(`${day}’s tape`)
  await setElapsed(server, 60)
  await guest.tap({ role: 'button', name: 'Buy' })
  await guest.lookAt({ role: 'button', name: 'Sell' })
  await setElapsed(server, 110)
  await guest.page.run('function () { return new Promise((resolve) => setTimeout(() => resolve(null), 1500)) }')
  await guest.film('in')
  await guest.tap({ role: 'button', name: 'Sell' })
  await guest.see('Share your strip')
  await guest.film(`${day}’s strip`)
}

async function lookAround(guest: Traveller): Promise<void> {
  await guest.see('2 days in a row')
  await guest.goto('/dashboard')
  await guest.see('Total PnL')
  await guest.film('the dashboard')
  await guest.goto('/leaderboard')
  await guest.see('Top 3 Winners from Last 6 Hours')
  await guest.film('the leaderboard')
  await guest.goto('/portfolio')
  await guest.see('Total Value')
  await guest.film('the portfolio')
}

/** Everybody's play of today has gone on for so long now. */
const setElapsed = (server: Server, seconds: number) =>
  server.change((db) =>
    db
      .updateTable('tape_plays')
      .set({ started_at: new Date(Date.now() - seconds * 1_000) })
      .where('day', '=', toDay(0))
      .execute(),
  )

/** Moves what was played today to the day before, as if the clock had gone on by a day. */
const moveToNextDay = (server: Server) =>
  server.change(async (db) => {
    const tape = await db.selectFrom('tapes').selectAll().where('day', '=', toDay(0)).executeTakeFirstOrThrow()
    await db
      .insertInto('tapes')
      .values({ ...tape, day: toDay(-1), points: JSON.stringify(tape.points) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await db
      .updateTable('tape_plays')
      .set({ day: toDay(-1), started_at: new Date(Date.now() - DAY_MS) })
      .execute()
  })

/** The UTC day that is `days` after today. */
const toDay = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

async function countTokens(url: string): Promise<number> {
  const tokens: unknown[] = await (await fetch(`${url}/api/tokens`)).json()
  return tokens.length
}

/** SOL that others than the creator paid, less what they took out. */
async function countSol(url: string, tokenId: number): Promise<number> {
  const trades = await fetchTrades(url, tokenId)
  const [first] = trades.slice(-1)
  const others = trades.filter(({ username }) => username !== first?.username)
  return others.reduce((sum, { side, solAmount }) => sum + (side === 'buy' ? 1 : -1) * Number(solAmount), 0)
}
