import { expectGoodLooks, windows } from '../../support/looks.ts'
import { newAccount } from '../../support/player.ts'
import { expectToast, paste, register } from '../../support/screen.ts'
import type { Server } from '../../support/server.ts'
import { expect, test } from '../../support/test.ts'

/** Sets how long every player's game has been running. */
const setElapsed = (server: Server, seconds: number) =>
  server.change((db) =>
    db
      .updateTable('tape_plays')
      .set({ started_at: new Date(Date.now() - seconds * 1_000) })
      .execute(),
  )

test('a guest plays yesterday’s tape on a phone, shares the strip and keeps it by registering', {
  tag: '@looks',
}, async ({ visit, ownServer }) => {
  const look = () => expectGoodLooks(page)
  const page = await visit(`${ownServer.url}/`, {
    viewport: windows.phone,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await page.getByRole('link', { name: 'Today’s tape' }).click()
  await expect(page.getByText('this site does not have enough history yet', { exact: false })).toBeVisible()
  await look()
  await page.getByRole('button', { name: 'Start the tape' }).click()
  const tape = page.getByRole('region', { name: 'The tape' })
  await expect(tape).toContainText('You have not bought yet')
  await setElapsed(ownServer, 60)
  await expect(tape.getByRole('timer')).toHaveText(/^[01]:\d\d$/)
  await tape.getByRole('button', { name: 'Buy' }).click()
  await expect(tape.getByText(/[+−]?\d+(\.\d+)?%$/)).toBeVisible()
  await look()
  // After a reload, the same game continues.
  await page.reload()
  await tape.getByRole('button', { name: 'Sell' }).focus()
  await setElapsed(ownServer, 90)
  await page.keyboard.press('Enter')
  const result = page.getByRole('region', { name: 'A made-up market' })
  await expect(
    result.getByRole('img', { name: /^Strip: not bought, not bought, not bought, (rose|fell|unchanged), / }),
  ).toBeVisible()
  await expect(result).toContainText('Nobody else has played today.')
  await result.getByRole('button', { name: 'Share your result' }).click()
  await expectToast(page, 'Copied!', 'Your result copied to clipboard')
  expect(await paste(page)).toMatch(/^Papermoon tape \d{4}-\d\d-\d\d · .*%\n⬛⬛⬛(🟩|🟥|⬜)+⬛+\nhttp.*\/tape$/u)
  await look()
  await expect(page.getByRole('heading', { name: 'Streak of 1 day' })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Days played' }).getByRole('listitem')).toHaveCount(1)
  // The home page shows the result instead of asking again.
  await page.getByRole('link', { name: 'Papermoon, home' }).click()
  const daily = page.getByRole('link', {
    name: /^Today’s tape [+−]?[\d.]+% · streak of 1 day Next tape in \d+ (h|min)$/,
  })
  await look()
  await daily.click()
  await result.getByRole('link', { name: 'Keep my result' }).click()
  await expect(page.getByRole('tab', { name: 'Register' })).toHaveAttribute('aria-selected', 'true')
  await register(page, newAccount())
  await expect(page).toHaveURL(`${ownServer.url}/tape`)
  await expect(result).toContainText('Nobody else has played today.')
})

test('a tape that nobody sells ends by itself, in every tab', async ({ visit, player, server }) => {
  const page = await visit('/tape', { as: player })
  await page.getByRole('button', { name: 'Start the tape' }).click()
  await page.getByRole('button', { name: 'Buy' }).click()
  const second = await page.context().newPage()
  await second.goto(`${server.url}/tape`)
  await expect(second.getByRole('button', { name: 'Sell' })).toBeVisible()
  await setElapsed(server, 180)
  for (const tab of [page, second]) await expect(tab.getByRole('button', { name: 'Share your result' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Keep my result' })).toHaveCount(0)
})
