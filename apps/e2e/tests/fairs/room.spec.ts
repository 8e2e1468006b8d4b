import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { type Player, registerPlayer } from '../../support/player.ts'
import { expect, test } from '../../support/test.ts'

const hostPanel = (page: Page) => page.getByRole('region', { name: 'You are the host' })

/** Creates a room with a stake of 1 SOL and these players. The first player is the host. */
async function makeRoom(players: readonly Player[]): Promise<{ id: number; name: string; invite: string }> {
  const [host] = players as [Player]
  const name = `Room ${randomUUID().slice(0, 6)}`
  const made = { kind: 'room', name, minutes: 30, stake: '1' }
  const { fair, invite } = await host.call('/api/fairs', made)
  for (const player of players) await player.call(`/api/fairs/${fair.id}/enter`, { invite })
  return { id: fair.id, name, invite }
}

async function start(host: Page): Promise<void> {
  await hostPanel(host).getByRole('button', { name: 'Start now' }).click()
  await expect(host.getByRole('region', { name: 'Ranking' })).toBeVisible()
}

/** Returns only the upcoming fairs that this player hosts, because other tests create cups on the same server. */
async function listHosted(player: Player) {
  const { upcoming } = await player.call('/api/fairs')
  return upcoming.filter(({ host }: { host: { username: string } | null }) => host?.username === player.username)
}

test('the form of a room rejects stakes that the server rejects, and says which are valid @nightly', async ({
  visit,
  player,
}) => {
  const page = await visit('/fairs', { as: player })
  await page.getByRole('link', { name: 'Make a room' }).click()
  const field = page.getByLabel('Stake (SOL)')
  const make = page.getByRole('button', { name: 'Make the room' })
  for (const wrong of ['-5', '1e5', 'abc', '', '0.5', '10001']) {
    await field.fill(wrong)
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await expect(page.getByText('Enter 1 to 10000 SOL')).toBeVisible()
    await field.press('Enter')
  }
  expect(await listHosted(player)).toEqual([])

  await field.fill('250')
  await page.getByLabel('Name').fill('ab')
  await expect(page.getByText('Use at least 3 characters')).toBeVisible()
  await page.getByLabel('Name').press('Enter')
  expect(await listHosted(player)).toEqual([])

  await page.getByLabel('Name').fill('Class 7b')
  await page.getByRole('group', { name: 'Allow entry after the start' }).getByRole('button', { name: 'No' }).click()
  await make.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Class 7b' })).toBeVisible()
  const [room] = await listHosted(player)
  expect(room).toMatchObject({ stake: '250', lateEntry: false, bots: 0 })
  // There is no countdown to a start that nobody has set.
  await expect(page.getByText('waiting for you to start it')).toBeVisible()

  // This device shows the link again when the host opens the page without it.
  const link = (await hostPanel(page).getByRole('code').textContent()) ?? ''
  await page.goto(`/fairs/${room.id}`)
  await expect(hostPanel(page).getByRole('code')).toHaveText(link)
  await hostPanel(page).getByRole('button', { name: 'Create a new link' }).click()
  await expect(hostPanel(page).getByRole('code')).not.toHaveText(link)
  const renewed = (await hostPanel(page).getByRole('code').textContent()) ?? ''
  await page.goto(`/fairs/${room.id}`)
  await expect(hostPanel(page).getByRole('code')).toHaveText(renewed)
  const elsewhere = await visit(`/fairs/${room.id}`, { as: player })
  await expect(hostPanel(elsewhere)).toContainText('We showed the link only once')
})

test('results can be downloaded, and a player who left is not on the podium @nightly', async ({
  visit,
  server,
  player,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 404/)
  const pupil = await registerPlayer(server.url)
  const gone = await registerPlayer(server.url)
  const { id, name, invite } = await makeRoom([player, pupil, gone])
  const host = await visit(`/fairs/${id}`, { as: player })
  await start(host)
  const guest = await visit(`/fairs/${id}#invite=${invite}`, { as: gone })
  await guest.getByRole('button', { name: 'Leave for good' }).click()
  await guest.getByRole('button', { name: 'Yes, leave for good' }).click()
  await expect(guest.getByRole('heading', { name: `You are no longer in ${name}` })).toBeVisible()
  const launched = { name: 'Paper Cup', symbol: 'CUP', fairId: id, initialBuyAmount: '0.5' }
  const { id: tokenId } = await pupil.call('/api/tokens/launch', launched)
  const { trade } = await pupil.call('/api/tokens/buy', { tokenId, solAmount: '0.4' })
  await pupil.call('/api/tokens/sell', { tokenId, tokenAmount: trade.tokenAmount })
  await player.call('/api/tokens/buy', { tokenId, solAmount: '0.01' })

  const download = host.waitForEvent('download')
  await hostPanel(host).getByRole('link', { name: 'Download results (CSV)' }).click()
  expect((await download).suggestedFilename()).toBe(`papermoon-${name.replace(' ', '-')}-ranking.csv`)
  expect(await (await download).failure()).toBeNull()

  await hostPanel(host).getByRole('button', { name: 'End the fair now' }).click()
  await host.getByRole('button', { name: 'Yes, end the fair now' }).click()
  const podium = host.getByRole('region', { name: 'The podium' }).getByRole('listitem')
  await expect(podium).toContainText([player.username, pupil.username])
  await expect(podium).toHaveCount(2)
  for (const [who, result] of [
    [player, /^1st · 2 players$/],
    [pupil, new RegExp(`^2nd, won by ${player.username} · 2 players$`)],
  ] as const) {
    const list = (await visit('/fairs', { as: who })).getByRole('region', { name: 'Results' })
    await expect(list.getByRole('listitem').filter({ hasText: name }).getByText(result)).toBeVisible()
  }

  // Nobody can sell any more, so the page shows no proceeds.
  const page = await visit(`/token/${tokenId}`, { as: pupil })
  await expect(page.getByText(`${name} has ended. Nobody can trade here any more.`)).toBeVisible()
  await expect(page.getByText('You hold')).toBeVisible()
  await expect(page.getByText('Value if sold now')).toHaveCount(0)
})

test('any player starts or joins a rematch with one press, and a notice leads others there @nightly', async ({
  visit,
  server,
  player,
}) => {
  const [friend, third] = [await registerPlayer(server.url), await registerPlayer(server.url)]
  const { id, name } = await makeRoom([player, friend, third])
  const host = await visit(`/fairs/${id}`, { as: player })
  await start(host)
  await hostPanel(host).getByRole('button', { name: 'End the fair now' }).click()
  await host.getByRole('button', { name: 'Yes, end the fair now' }).click()
  await host.getByRole('button', { name: 'Rematch' }).click()
  await expect(host).not.toHaveURL(new RegExp(`/fairs/${id}$`))
  await expect(host.getByRole('heading', { level: 1, name })).toBeVisible()
  const next = new URL(host.url()).pathname

  const page = await visit('/', { as: friend })
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await page.getByRole('link', { name: `${player.username} wants a rematch` }).click()
  await expect(page).toHaveURL(new RegExp(`${next}$`))
  await page.getByRole('button', { name: 'Enter' }).click()
  await expect(page.getByRole('region', { name: 'Players' }).getByRole('listitem')).toHaveCount(2)

  const results = await visit(`/fairs/${id}`, { as: third })
  await results.getByRole('button', { name: 'Rematch' }).click()
  await expect(results).toHaveURL(new RegExp(`${next}$`))
  await expect(host.getByRole('region', { name: 'Players' }).getByRole('listitem')).toHaveCount(3)
})

test('a removed player is told about the removal on the pages of the room and its tokens @nightly', async ({
  visit,
  server,
  player,
  expectedErrors,
}) => {
  expectedErrors.push(/status of 404/)
  const rowdy = await registerPlayer(server.url)
  const { id, name } = await makeRoom([player, rowdy])
  const host = await visit(`/fairs/${id}`, { as: player })
  await start(host)
  const launched = { name: 'Paper Cup', symbol: 'CUP', fairId: id }
  const { id: tokenId } = await rowdy.call('/api/tokens/launch', launched)
  const room = await visit(`/fairs/${id}`, { as: rowdy })
  await expect(room.getByRole('region', { name: 'Ranking' })).toContainText(rowdy.username)
  const token = await visit(`/token/${tokenId}`, { as: rowdy })
  await expect(token.getByRole('navigation', { name: 'Fair' })).toContainText(name)
  await expect(token).toHaveTitle(/CUP · Paper Cup · Papermoon/)

  await host.getByRole('button', { name: 'Remove players' }).click()
  await host.getByRole('button', { name: `Remove ${rowdy.username}` }).click()
  await host.getByRole('button', { name: `Yes, remove ${rowdy.username}` }).click()
  await expect(room.getByRole('heading', { name: `You are no longer in ${name}` })).toBeVisible()
  await expect(token.getByText('its host removed you')).toBeVisible()
})

test('the page of a room’s token follows what its player does elsewhere @nightly', async ({ visit, player }) => {
  const { id } = await makeRoom([player])
  await start(await visit(`/fairs/${id}`, { as: player }))
  const launched = { name: 'Paper Plate', symbol: 'PLATE', fairId: id }
  const { id: tokenId } = await player.call('/api/tokens/launch', launched)
  const other = await player.call('/api/tokens/launch', { ...launched, name: 'Paper Cup', symbol: 'CUP' })
  const page = await visit(`/token/${tokenId}`, { as: player })
  await expect(page.getByText('Balance: 0.96 SOL')).toBeVisible()
  await player.buy(tokenId, '0.5')
  await expect(page.getByText('Balance: 0.46 SOL')).toBeVisible()
  await player.buy(other.id, '0.2')
  await expect(page.getByText('Balance: 0.26 SOL')).toBeVisible()
  await player.buy(other.id, '0.1')
  await expect(page.getByText('Balance: 0.16 SOL')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Trade PLATE' })).toContainText('You hold')
})
