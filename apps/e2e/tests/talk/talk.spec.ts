import type { Page } from '@playwright/test'
import { windows } from '../../support/looks.ts'
import { registerPlayer } from '../../support/player.ts'
import { holdCalls } from '../../support/screen.ts'
import { expect, test } from '../../support/test.ts'

const getTalk = (page: Page) => page.getByRole('region', { name: 'Talk', exact: true })
const say = async (page: Page, words: string) => {
  await getTalk(page).getByRole('textbox', { name: 'Say something' }).fill(words)
  await page.keyboard.press('Enter')
}

test('posts, replies and reactions appear at once, and can be deleted', async ({ visit, server, player }) => {
  const tokenId = await player.launch({ name: 'Talking Tent', symbol: 'TALK', initialBuyAmount: '1' })
  const other = await registerPlayer(server.url)
  const mine = await visit(`/token/${tokenId}`, { as: player })
  const theirs = await visit(`/token/${tokenId}`, { as: other, viewport: windows.phone, scheme: 'light' })
  const guest = await visit(`/token/${tokenId}`)
  await expect(getTalk(theirs)).toContainText('No posts yet.')
  await say(mine, 'To the moon, and back before breakfast')
  for (const page of [mine, theirs, guest]) {
    const post = getTalk(page).getByRole('article')
    await expect(post).toContainText('back before breakfast')
    await expect(post).toContainText('creator')
    await expect(post).toContainText('holds 3.21%')
  }
  await player.buy(tokenId, '1')
  for (const page of [mine, theirs, guest])
    await expect(getTalk(page).getByRole('article')).toContainText('holds 6.23%')
  await getTalk(theirs).getByRole('button', { name: 'Reply' }).click()
  await getTalk(theirs)
    .getByRole('textbox', { name: `Reply to ${player.username}` })
    .fill('Count me in')
  await theirs.keyboard.press('Enter')
  // Open pages update the counts of reactions. Each page keeps its own player's reaction.
  await getTalk(theirs).getByRole('button', { name: 'React' }).first().click()
  await getTalk(theirs).getByRole('button', { name: 'moon: 0' }).click()
  for (const page of [mine, guest])
    await expect(getTalk(page).getByRole('button', { name: 'moon: 1' })).toHaveAttribute('aria-pressed', 'false')
  await expect(getTalk(theirs).getByRole('button', { name: 'moon: 1' })).toHaveAttribute('aria-pressed', 'true')
  await getTalk(mine).getByRole('button', { name: '1 reply' }).click()
  await expect(getTalk(mine).getByRole('article', { name: `Post by ${other.username}` })).toContainText('Count me in')
  // Markup appears as plain text.
  await say(mine, '<b>bold</b> and [elsewhere](javascript:alert(1))')
  await expect(getTalk(guest)).toContainText('<b>bold</b>')
  await expect(getTalk(guest).getByRole('link', { name: /elsewhere/ })).toHaveCount(0)
  const last = getTalk(mine).getByRole('article').filter({ hasText: '<b>bold</b>' })
  await last.getByRole('button', { name: 'Delete' }).click()
  await expect(getTalk(guest)).not.toContainText('<b>bold</b>')
})

test('a mention is completed, and its notice leads to the post @nightly', async ({ visit, server, player }) => {
  const tokenId = await player.launch({ name: 'Naming Tent', symbol: 'NAME', initialBuyAmount: '1' })
  const other = await registerPlayer(server.url)
  const page = await visit(`/token/${tokenId}`, { as: player, viewport: windows.phone })
  const named = await visit('/docs', { as: other })
  const field = getTalk(page).getByRole('textbox', { name: 'Say something' })
  await field.fill(`Look, @${other.username.slice(0, -1)}`)
  const option = getTalk(page).getByRole('option', { selected: true })
  await expect(option).toHaveText(`@${other.username}`)
  await page.keyboard.press('Shift+Tab')
  await expect(field).not.toBeFocused()
  await field.focus()
  // While new names are loading, the list shows the names for the previous text.
  const answer = await holdCalls(page, /search\.everything/)
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Enter')
  await answer()
  await expect(field).toHaveValue(`Look, @${other.username} `)
  await expect(getTalk(page).getByRole('option')).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(getTalk(page).getByRole('link', { name: `@${other.username}` })).toBeVisible()
  for (const text of ['Apples for everybody', 'Trains leave at noon', 'My hat is on fire', 'Rain on Sunday']) {
    await say(page, text)
    await expect(getTalk(page)).toContainText(text)
  }
  await named.getByRole('button', { name: 'Notifications, 1 unread' }).click()
  await named.getByRole('link', { name: `${player.username} mentioned you in NAME’s discussion “Look, @` }).click()
  await expect(named).toHaveURL(/#post-\d+$/)
  const post = getTalk(named).getByRole('listitem').filter({ hasText: 'Look, @' })
  await expect(post).toBeFocused()
  await expect(post).toBeInViewport()
})

test('the URL of an old post or reply finds it @nightly', async ({ visit, server, player }) => {
  const tokenId = await player.launch({ name: 'Deep Tent', symbol: 'DEEP', initialBuyAmount: '1' })
  const writing = await visit(`/token/${tokenId}`, { as: player })
  await say(writing, 'The first words')
  await expect(getTalk(writing).getByRole('article')).toHaveCount(1)
  const ids: number[] = []
  await server.change(async (db) => {
    const first = await db.selectFrom('posts').selectAll().where('topic', '=', tokenId).executeTakeFirstOrThrow()
    const { id, position, changed_position, ...post } = first
    const more = (count: number, changes: object) =>
      Array.from({ length: count }, (_, n) => ({ ...post, created_at: new Date(+post.created_at + n), ...changes }))
    const add = (rows: object[]) =>
      db
        .insertInto('posts')
        .values(rows as never)
        .returning('id')
        .execute()
    await add(more(40, {}))
    const replies = await add(more(230, { parent_id: id }))
    await db.updateTable('posts').set({ replies: replies.length }).where('id', '=', id).execute()
    ids.push(id, replies.at(-1)?.id ?? 0)
  })
  const [first, reply] = ids
  const page = await visit(`/token/${tokenId}#post-${first}`)
  await expect(page.locator(`#post-${first}`)).toBeFocused()
  const other = await visit(`/token/${tokenId}#post-${first}-${reply}`)
  await expect(other.locator(`#post-${first}-${reply}`)).toBeFocused()
  await expect(other.getByRole('list', { name: /^Replies to/ }).getByRole('article')).toHaveCount(230)
})

test('a token’s page shows three posts, and keeps the text of a rejected post @nightly', async ({
  visit,
  player,
  expectedErrors,
}) => {
  expectedErrors.push(/409/)
  const tokenId = await player.launch({ name: 'Busy Tent', symbol: 'BUSY', initialBuyAmount: '1' })
  const page = await visit(`/token/${tokenId}`, { as: player, viewport: windows.phone })
  const words = ['Apples for everybody', 'Trains leave at noon', 'My hat is on fire', 'Rain again on Sunday']
  for (const [n, text] of words.entries()) {
    await say(page, text)
    await expect(getTalk(page).getByRole('article')).toHaveCount(Math.min(n + 1, 3))
  }
  await expect(getTalk(page)).not.toContainText('Apples')
  await getTalk(page).getByRole('button', { name: 'Show all' }).click()
  await expect(getTalk(page).getByRole('article')).toHaveCount(4)
  // The talk comes right after the chart, before trades and holders.
  const tops = await Promise.all(
    ['Chart', 'Talk', 'Trading History'].map(async (name) => {
      const box = await page.getByRole('region', { name, exact: true }).boundingBox()
      return box?.y ?? 0
    }),
  )
  expect(tops).toEqual(tops.toSorted((a, b) => a - b))

  const field = getTalk(page).getByRole('textbox', { name: 'Say something' })
  await say(page, 'My hat is on fire')
  await expect(getTalk(page).getByRole('alert')).toHaveText('You have said this already.')
  await expect(field).toHaveValue('My hat is on fire')
  const send = await holdCalls(page, /talk\.write/)
  await say(page, 'The first of two')
  await field.fill('The second of them')
  await send()
  await expect(getTalk(page).getByRole('article')).toHaveCount(5)
  await expect(field).toHaveValue('The second of them')
})

test('tokens, names and posts are reported by keyboard @nightly', async ({ visit, server, player }) => {
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
  await expect(page.getByText('You’ll find the outcome in Settings.')).toBeVisible()
  await press('Report')
  await expect(page.getByRole('group', { name: 'What is wrong with the post' })).toBeVisible()
  await press('spam')
  await getTalk(page).getByRole('link', { name: player.username }).click()
  await press(`Report ${player.username}`)
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
})
