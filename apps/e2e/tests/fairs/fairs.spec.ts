import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { windows } from '../../support/looks.ts'
import { newAccount, type Player, registerPlayer } from '../../support/player.ts'
import { register } from '../../support/screen.ts'
import type { Server } from '../../support/server.ts'
import { expect, test } from '../../support/test.ts'

interface Room {
  readonly id: number
  /** URL of the room, which contains the invite code. */
  readonly link: string
  readonly name: string
}

/** Creates a room through the API, with `host` as its host. */
async function makeRoom(host: Player): Promise<Room> {
  const name = `Room ${randomUUID().slice(0, 6)}`
  const { fair, invite } = await host.call('/api/fairs', { kind: 'room', name, minutes: 30 })
  return { id: fair.id, link: `/fairs/${fair.id}#invite=${invite}`, name }
}

const ranking = (page: Page) => page.getByRole('region', { name: /^(Players|Ranking|Results)$/ })
const rows = (page: Page) => ranking(page).getByRole('listitem')

test('a newcomer on a phone plays an arena, and is asked to play again @nightly', async ({ visit, ownServer }) => {
  const [arena, next] = ['Paper arena', 'Arena after it']
  const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString()
  await addLaterArena(ownServer)
  const phone = { viewport: { width: 375, height: 667 }, hasTouch: true, isMobile: true }
  const page = await visit(ownServer.url, phone)
  // Before the lobby opens, the page says when the fair begins.
  await expect(page.getByRole('link', { name: 'Later arena' }).getByRole('timer')).toHaveText(/^starts in \d\d:\d\d$/)
  await ownServer.admin('fairs', 'create', arena, '--at', inSeconds(600))
  await page.goto(ownServer.url)
  const strip = page.getByRole('link', { name: arena })
  await expect(strip.getByText(arena)).toBeInViewport()
  await expect(strip.getByRole('timer')).toHaveText(/^starts in \d\d:\d\d$/)
  await page.getByRole('button', { name: 'Enter' }).tap()
  await expect(page.getByText(`${arena} is waiting for you`)).toBeVisible()
  const newcomer = newAccount()
  await register(page, newcomer)
  await expect(rows(page)).toContainText([newcomer.username])

  await ownServer.change((db) =>
    db.updateTable('fairs').set({ starts_at: new Date() }).where('name', '=', arena).execute(),
  )
  await expect(page.getByRole('heading', { name: 'Tokens' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('timer')).toHaveText(/^\d\d:\d\d$/)
  await page.getByRole('link', { name: 'Launch a token' }).tap()
  await page.getByLabel('Coin Name').fill('Paper Hat')
  await page.getByLabel('Ticker').fill('HAT')
  await page.getByRole('main').getByRole('button', { name: 'Launch Token' }).tap()
  const bar = page.getByRole('navigation', { name: 'Fair' })
  await expect(bar).toContainText('Score 99.98')
  await bar.getByRole('link').tap()
  await expect(page).toHaveURL(/\/fairs\/\d+$/)
  const id = page.url().split('/').at(-1) ?? ''
  const rival = await tradeAgainst(ownServer, id)

  await ownServer.admin('fairs', 'end', id)
  await expect(page.getByRole('region', { name: 'The podium' })).toContainText('nobody traded 100 SOL in time')
  const again = page.getByRole('region', { name: 'Next fair' })
  await expect(again).toContainText(/The next arena starts in \d\d:\d\d/)
  await expect(again.getByRole('link', { name: 'Make a room' })).toBeVisible()
  await ownServer.admin('fairs', 'create', next, '--at', inSeconds(900))
  await page.goto(`${ownServer.url}/fairs/${id}`)
  await page.getByRole('button', { name: 'Watch the replay' }).tap()
  const replay = page.getByRole('region', { name: 'The replay' })
  // With reduced motion, the replay starts at the bell and does not play.
  const moment = replay.getByRole('slider', { name: 'Time in the fair' })
  await expect(moment).toHaveValue('59')
  await expect(replay.getByRole('listitem')).toHaveCount(2)
  await moment.fill('0')
  await expect(replay.getByRole('listitem')).toContainText(['+0.00'])
  await expect(page.getByRole('img', { name: `Result card: ${newcomer.username}` })).toHaveJSProperty(
    'naturalWidth',
    1_200,
  )

  await again.getByRole('button', { name: 'Enter the next arena' }).tap()
  await expect(page.getByRole('heading', { level: 1, name: next })).toBeVisible()
  await expect(rows(page)).toContainText([newcomer.username])

  // A room may contain house bots if the server has any.
  const house = { kind: 'house', username: 'Calm Clam', username_key: 'calm clam' } as const
  await ownServer.change((db) => db.updateTable('users').set(house).where('username', '=', rival.username).execute())
  const old = { created_at: new Date(Date.now() - 2 * 24 * 3_600_000) as never }
  await ownServer.change((db) => db.updateTable('users').set(old).where('username', '=', newcomer.username).execute())
  await page.goto(`${ownServer.url}/fairs`)
  await page.getByRole('link', { name: 'Make a room' }).tap()
  await page.getByRole('group', { name: 'House bots' }).getByRole('button', { name: '4' }).tap()
  await page.getByRole('button', { name: 'Make the room' }).tap()
  await expect(page.getByText('waiting for')).toBeVisible()
})

/** Adds a house arena whose lobby is not open yet. */
async function addLaterArena(server: Server): Promise<void> {
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000)
  const later = { lobby_at: inMinutes(40), starts_at: inMinutes(50), ends_at: inMinutes(65) }
  const fair = {
    stake: '100',
    entrants_max: 500,
    limits_bots: false,
    secret: Buffer.alloc(32, 1),
    kind: 'arena',
    name: 'Later arena',
  } as const
  await server.change((db) =>
    db
      .insertInto('fairs')
      .values({ ...fair, ...later })
      .execute(),
  )
}

/** Another player enters and buys the fair's first token. */
async function tradeAgainst({ url }: Server, id: string): Promise<Player> {
  const rival = await registerPlayer(url)
  await rival.call(`/api/fairs/${id}/enter`, {})
  const [token] = await rival.call(`/api/fairs/${id}/tokens`)
  await rival.buy(token.id, '10')
  return rival
}

test('a guest plays a quick arena with one press and a form, and again @nightly', async ({ visit, ownServer }) => {
  await ownServer.admin('bots', 'create')
  const page = await visit(ownServer.url, { viewport: windows.phone })
  await page.getByRole('link', { name: 'Play a quick arena' }).click()
  await expect(page.getByText('Your quick arena begins when you have logged in or registered.')).toBeVisible()
  const newcomer = newAccount()
  await register(page, newcomer)
  const title = page.getByRole('heading', { level: 1, name: /^Quick arena of / })
  await expect(title).toBeVisible()
  await expect(rows(page)).toContainText([newcomer.username])
  await expect(page.getByText('8 players, including 7 bots')).toBeAttached()
  await expect(page.getByText(/ · 5 minutes, until /)).toBeAttached()
  await expect(page.getByRole('region', { name: 'Tokens' }).getByRole('row')).toHaveCount(4)
  await expect(page.getByRole('banner').getByText('Fair', { exact: true })).toBeVisible()

  // A tap on the home page opens the arena that the player has joined.
  const first = page.url()
  await page.goto(ownServer.url)
  await page.getByRole('link', { name: 'You’re in. Go to the fair' }).click()
  await expect(page).toHaveURL(first)
  await ownServer.admin('fairs', 'end', first.split('/').at(-1) ?? '')
  await page
    .getByRole('region', { name: 'Next fair' })
    .getByRole('button', { name: 'Play another quick arena' })
    .click()
  await expect(page).not.toHaveURL(first)
  await expect(title).toBeVisible()
  await expect(rows(page)).toContainText([newcomer.username])
})

test('a guest registers to make a cup, which only bots can enter @nightly', async ({ visit }) => {
  const page = await visit('/fairs', { viewport: windows.phone })
  await page.getByRole('link', { name: 'Make a cup' }).click()
  await register(page, newAccount())
  await expect(page.getByRole('form', { name: 'Make a cup' })).toBeFocused()
  const name = `Cup ${randomUUID().slice(0, 6)}`
  await page.getByLabel('Name').fill(name)
  await expect(page.getByRole('group', { name: 'House bots' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Make the cup' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Only bots can enter' })).toHaveAttribute('aria-disabled', 'true')
  await expect(page.getByText(/POST \/api\/fairs\/\d+\/enter/)).toBeVisible()
  const guest = await visit('/fairs')
  await expect(guest.getByRole('region', { name: 'Cups' })).toContainText(name)
})

test('two browsers play a room by its link, from the form to the podium', async ({ visit, server, player }) => {
  const host = await visit('/fairs', { as: player })
  await host.getByRole('link', { name: 'Make a room' }).click()
  const name = `Friday ${randomUUID().slice(0, 6)}`
  await host.getByLabel('Name').fill(name)
  // This server has no house bots.
  await expect(host.getByRole('group', { name: 'Rug pulls' })).toBeVisible()
  await expect(host.getByRole('group', { name: 'House bots' })).toHaveCount(0)
  await host.getByRole('button', { name: 'Make the room' }).click()
  await expect(host.getByRole('heading', { level: 1, name })).toBeInViewport()
  await expect(host.getByRole('img', { name: 'The room’s link as a QR code' })).toBeVisible()
  const code = host.getByRole('region', { name: 'You are the host' }).getByRole('code')
  const link = (await code.textContent()) ?? ''
  await expect(rows(host)).toContainText([player.username])

  const friend = await registerPlayer(server.url)
  const guest = await visit(link, { as: friend })
  await guest.getByRole('button', { name: 'Enter' }).click()
  await expect(rows(guest)).toHaveCount(2)
  // The host sees the new player without a reload.
  await expect(rows(host)).toHaveCount(2)

  await host.getByRole('button', { name: 'Start now' }).click()
  await expect(guest.getByText('Trading has started', { exact: false }).first()).toBeAttached()
  await guest.getByRole('link', { name: 'Launch a token' }).click()
  await guest.getByLabel('Coin Name').fill('Room Moon')
  await guest.getByLabel('Ticker').fill('ROOM')
  await guest.getByRole('main').getByRole('button', { name: 'Launch Token' }).click()
  await expect(guest.getByRole('navigation', { name: 'Fair' })).toContainText(name)
  await guest.getByRole('button', { name: '10 SOL' }).click()
  await guest.getByRole('button', { name: 'Buy ROOM' }).click()
  // The balance is the stake minus the launch fee and the first buy.
  await expect(guest.getByText('Balance: 89.98 SOL')).toBeVisible()
  await expect(guest.getByRole('banner').getByText('Fair', { exact: true })).toBeVisible()
  await expect(guest.getByRole('banner').getByText('89.98')).toBeVisible()

  await expect(rows(host).first()).toContainText(friend.username)
  await expect(rows(host).first()).toContainText('−0.05')
  await expect(rows(host).last()).toContainText('no trades')
  // The host trades from the list of tokens, with one press for each order.
  const sellAll = host.getByRole('button', { name: 'Sell all ROOM' })
  await expect(sellAll).toHaveAttribute('aria-disabled', 'true')
  await host.getByRole('button', { name: 'Buy ROOM for 10 SOL' }).click()
  await expect(host.getByText('You hold 9.9', { exact: false })).toBeVisible()
  await sellAll.click()
  await expect(sellAll).toHaveAttribute('aria-disabled', 'true')
  await expect(rows(host).last()).toContainText('−0.06')
  await host.getByRole('button', { name: 'End the fair now' }).click()
  // The guest, who is on a token's page, gets the result in a toast, and the host sees it on the fair's page. Look for
  // the toast at once, because it stays for only five seconds.
  await Promise.all([
    expect(guest.getByText(`${name} has ended`, { exact: true })).toBeVisible(),
    host.getByRole('button', { name: 'Yes, end the fair now' }).click(),
  ])
  await expect(host.getByRole('region', { name: 'The podium' })).toContainText(friend.username)
  await expect(host.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible()
  await guest.getByRole('link', { name: 'See the results' }).click()
  await expect(guest.getByText('You won!', { exact: true })).toBeVisible()
  await expect(guest.getByRole('region', { name: 'Your result' })).toContainText('You made 1 trade')
})

test('a guest cannot see a room without its link @nightly', async ({ visit, player, expectedErrors }) => {
  expectedErrors.push(/status of 404/)
  const room = await makeRoom(player)
  const guest = await visit(`/fairs/${room.id}`)
  await expect(guest.getByRole('heading', { name: 'Fair not found' })).toBeVisible()
  await guest.goto(room.link)
  await guest.getByRole('button', { name: 'Enter' }).click()
  await expect(guest.getByRole('tab', { name: 'Register' })).toHaveAttribute('aria-selected', 'true')
  await register(guest, newAccount())
  // The player has pressed Enter once and has joined the fair.
  await expect(guest.getByRole('heading', { level: 1, name: room.name })).toBeVisible()
  await expect(rows(guest)).toHaveCount(2)
})

test('a room is used by keyboard alone, and the focus stays where the player acted', async ({
  visit,
  server,
  player,
}) => {
  const page = await visit('/fairs', { as: player })
  const press = async (button: Locator) => {
    await button.focus()
    await page.keyboard.press('Enter')
  }
  await press(page.getByRole('link', { name: 'Make a room' }))
  await expect(page.getByRole('form', { name: 'Make a room' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('Name')).toBeFocused()
  const name = `Keys ${randomUUID().slice(0, 6)}`
  await page.getByLabel('Name').fill(name)
  await page.keyboard.press('Enter')
  const title = page.getByRole('heading', { level: 1, name })
  await expect(title).toBeVisible()
  const friend = await registerPlayer(server.url)
  const invite = new URL(page.url()).hash.replace('#invite=', '')
  await friend.call(`/api/fairs/${page.url().match(/\d+(?=#)/)}/enter`, { invite })
  await press(page.getByRole('button', { name: 'Remove players' }))
  const remove = page.getByRole('button', { name: `Remove ${friend.username}` })
  await press(remove)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Players' })).toBeFocused()
  await press(page.getByRole('button', { name: 'Start now' }))
  await expect(title).toBeFocused()
  await expect(page.getByRole('status').filter({ hasText: 'Trading has started' })).toBeAttached()
})
