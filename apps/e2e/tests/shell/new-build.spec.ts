import type { Page } from '@playwright/test'
import { expect, test } from '../../support/test.ts'

const keysButton = (page: Page) => page.getByRole('button', { name: 'Keyboard shortcuts' })
const shortcutsDialog = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' })

for (const isReplaced of [true, false]) {
  const title = isReplaced ? 'a page of a replaced build reloads once' : 'a page of the current build does not reload'
  test(`${title} when one of its files does not load`, { tag: '@chaos' }, async ({ visit, expectedErrors }) => {
    expectedErrors.push(isReplaced ? /status of 404/ : /ERR_FAILED/)
    const page = await visit('/')
    await mark(page)
    await page.route(/\/shortcuts-di/, (route) => (isReplaced ? route.fulfill({ status: 404 }) : route.abort()))
    if (isReplaced) {
      await answerWithBuild(page, 'index-another')
      await keysButton(page).click()
      await expect.poll(() => isMarked(page)).toBe(false)
      // The file is still missing, and the server still serves the other build.
      await mark(page)
    }
    const asked = countRequests(page)
    await keysButton(page).click()
    await expect.poll(() => asked.length).toBeGreaterThan(1)
    expect(await isMarked(page)).toBe(true)
    await page.unrouteAll({ behavior: 'wait' })
    await expect(shortcutsDialog(page)).toBeVisible()
  })
}

/** Changes the name of the entry script in pages that scripts fetch, while navigations still get the real page. */
async function answerWithBuild(page: Page, entry: string): Promise<void> {
  await page.route('/', async (route) => {
    if (route.request().resourceType() !== 'fetch') return await route.continue()
    const answer = await route.fetch()
    const html = await answer.text()
    await route.fulfill({ response: answer, body: html.replaceAll(/index-[\w-]+(?=\.js)/g, entry) })
  })
}

function countRequests(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    if (/\/shortcuts-di.*\.js/.test(request.url())) asked.push(request.url())
  })
  return asked
}

/** Sets a marker in the page that a reload removes. */
function mark(page: Page): Promise<void> {
  return page.evaluate(() => {
    document.documentElement.dataset.marked = 'true'
  })
}

function isMarked(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.dataset.marked === 'true').catch(() => true)
}
