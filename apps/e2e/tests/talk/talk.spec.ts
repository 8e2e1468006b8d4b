import type { Page } from '@playwright/test'
import { expectGoodLooks, windows } from '../../support/looks.ts'
import { registerPlayer } from '../../support/player.ts'
import { expect, test } from '../../support/test.ts'

const getTalk = (page: Page) => page.getByRole('region', { name: 'Talk', exact: true })
const say = async (page: Page, words: string) => {
  await getTalk(page).getByRole('textbox', { name: 'Say something' }).fill(words)
  await page.keyboard.press('Enter')
}

test('what one player says another one reads at once, answers, and reads no more once it is deleted', async ({
  visit,
  server,
  player,
}) => {
  const tokenId = await player.launch({ name: 'Talking Tent', symbol: 'TALK', initialBuyAmount: '1' })
  const other = await registerPlayer(server.url)
  const mine = await visit(`/token/${tokenId}`, { as: player })
  const theirs = await visit(`/token/${tokenId}`, { as: other, viewport: windows.phone, scheme: 'light' })
  const guest = await visit(`/token/${tokenId}`)
  await expect(getTalk(theirs)).toContainText('Nobody has said a word yet.')
  await say(mine, 'To the moon, and back before breakfast')
  for (const page of [mine, theirs, guest]) {
    const post = getTalk(page).getByRole('article')
    await expect(post).toContainText('back before breakfast')
    await expect(post).toContainText('creator')
    await expect(post).toContainText('holds 3.21%')
  }
  await getTalk(theirs).getByRole('button', { name: 'Answer' }).click()
  await getTalk(theirs)
    .getByRole('textbox', { name: `Answer ${player.username}` })
    .fill('Count me in')
  await theirs.keyboard.press('Enter')
  await getTalk(mine).getByRole('button', { name: '1 answer' }).click()
  await expect(getTalk(mine).getByRole('article', { name: `Post of ${other.username}` })).toContainText('Count me in')
  // Markup is text.
  await say(mine, '<b>bold</b> and [elsewhere](javascript:alert(1))')
  await expect(getTalk(guest)).toContainText('<b>bold</b>')
  await expect(getTalk(guest).getByRole('link', { name: /elsewhere/ })).toHaveCount(0)
  const last = getTalk(mine).getByRole('article').filter({ hasText: '<b>bold</b>' })
  await last.getByRole('button', { name: 'Delete' }).click()
  await expect(getTalk(guest)).not.toContainText('<b>bold</b>')
})

test('what is refused stays in the field, with the server’s words', async ({ visit, player, expectedErrors }) => {
  expectedErrors.push(/409/)
  const tokenId = await player.launch({ name: 'Echo Tent', symbol: 'ECHO' })
  const page = await visit(`/token/${tokenId}`, { as: player })
  await say(page, 'Twice is once too often for me')
  await expect(getTalk(page).getByRole('article')).toHaveCount(1)
  await say(page, 'Twice is once too often for me')
  await expect(getTalk(page).getByRole('alert')).toHaveText('You have said this already.')
  await expect(getTalk(page).getByRole('textbox', { name: 'Say something' })).toHaveValue(/Twice/)
})

test('what is typed while a post is on its way stays in the field', async ({ visit, player }) => {
  const tokenId = await player.launch({ name: 'Slow Tent', symbol: 'SLOW' })
  const page = await visit(`/token/${tokenId}`, { as: player })
  let letPass = () => {}
  const passing = new Promise<void>((resolve) => {
    letPass = resolve
  })
  await page.route('**/trpc/talk.write**', async (route) => {
    await passing
    await route.continue()
  })
  await say(page, 'The first of two')
  const field = getTalk(page).getByRole('textbox', { name: 'Say something' })
  await field.fill('The second of them')
  letPass()
  await expect(getTalk(page).getByRole('article')).toHaveCount(1)
  await expect(field).toHaveValue('The second of them')
  await page.unrouteAll({ behavior: 'wait' })
})

for (const [device, viewport] of Object.entries(windows)) {
  test(`the talk fits and is accessible on a ${device}, also with long words and other directions`, {
    tag: '@looks',
  }, async ({ visit, player }) => {
    const tokenId = await player.launch({ name: 'Wide Tent', symbol: 'WIDE', initialBuyAmount: '1' })
    const page = await visit(`/token/${tokenId}`, { as: player, viewport })
    await say(page, 'Onewordwithoutanyspace'.repeat(12))
    await expect(getTalk(page).getByRole('article')).toHaveCount(1)
    await say(page, 'مرحبا بالجميع في هذا القمر الورقي')
    await expect(getTalk(page).getByRole('article')).toHaveCount(2)
    await expectGoodLooks(page)
  })
}

test('there is nothing at /admin for players and guests', async ({ visit, player, expectedErrors }) => {
  expectedErrors.push(/404/, /401/)
  for (const as of [undefined, player]) {
    const page = await visit('/admin', as === undefined ? {} : { as })
    await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible()
  }
})

test('tokens, names and posts are reported by keys, and the name of a player without a picture only', async ({
  visit,
  server,
  player,
}) => {
  const tokenId = await player.launch({ name: 'Dubious Tent', symbol: 'DUB' })
  const other = await registerPlayer(server.url)
  await say(await visit(`/token/${tokenId}`, { as: player }), 'Words that somebody may report')
  const page = await visit(`/token/${tokenId}`, { as: other })
  const press = async (name: string) => {
    await page.getByRole('button', { name, exact: true }).first().focus()
    await page.keyboard.press('Enter')
  }
  await press('Report this token')
  await expect(page.getByRole('group', { name: 'What is wrong with the token' })).toBeVisible()
  await press('scam')
  await expect(page.getByText('What came of it is in your settings.')).toBeVisible()
  await press('Report')
  await expect(page.getByRole('group', { name: 'What is wrong with the post' })).toBeVisible()
  await press('spam')
  await getTalk(page).getByRole('link', { name: player.username }).click()
  await press('Report this player')
  await expect(page.getByRole('group', { name: 'What is wrong with the picture' })).toHaveCount(0)
  await press('abuse')
  const readKinds = async () => {
    const kinds: string[] = []
    await server.change(async (db) => {
      kinds.push(...(await db.selectFrom('cases').select('kind').execute()).map(({ kind }) => kind))
    })
    return kinds
  }
  await expect.poll(readKinds).toEqual(expect.arrayContaining(['token', 'post', 'name']))
  await expectGoodLooks(page)
})
