import { expect, test } from '../../support/test.ts'

test('a screen whose code could not be loaded appears when the network is back', async ({ visit, expectedErrors }) => {
  expectedErrors.push(/ERR_INTERNET_DISCONNECTED/, /Could not load a part of this site/, /dynamically imported module/)
  // Use context options that no other test uses, because a reused context may have cached the app's code.
  const page = await visit('/', { locale: 'en-GB' })
  const title = page.getByRole('heading', { level: 1 })
  await expect(page.getByRole('link', { name: 'Leaderboard' }).first()).toBeVisible()
  // Run the test twice, because the first visit could leave state behind.
  for (const [link, arrived] of [
    ['Leaderboard', /Leaderboard/],
    ['Docs', /.+/],
  ] as const) {
    await page.context().setOffline(true)
    await page.getByRole('link', { name: link }).first().click()
    await expect(title).toHaveText('You are offline')
    await expect(page.getByText('It will load by itself once the connection is back.')).toBeVisible()
    // Move the pointer away, because a link under the pointer would load its screen's code.
    await page.mouse.move(0, 0)
    await page.context().setOffline(false)
    await expect(title).not.toHaveText(/You are offline|Papermoon cannot be reached|Something went wrong/)
    await expect(title).toHaveText(arrived)
  }
})
