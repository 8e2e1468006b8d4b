import { expect, test } from '../../support/test.ts'

test('the reference is searched, and an operation tried, within the security policy @nightly', async ({ visit }) => {
  const page = await visit('/api/reference')
  const search = page.getByRole('textbox', { name: 'Search operations' })
  await expect(search).toBeVisible()
  await search.fill('parameters caller')
  const operations = page.locator('.opblock')
  await expect(operations).toHaveCount(1)
  await expect(operations).toContainText('/api/parameters')
  await operations
    .getByRole('button', { name: /parameters/ })
    .first()
    .click()
  const answer = page.waitForResponse(/\/api\/parameters$/)
  await page.getByRole('button', { name: 'Execute' }).click()
  expect((await answer).status()).toBe(200)
  await expect(operations).toContainText('"startingBalance": "100"')
})
