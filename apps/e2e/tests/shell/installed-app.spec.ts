import type { Page } from '@playwright/test'
import { expectGoodLooksAsIs } from '../../support/looks.ts'
import { liveIndicator } from '../../support/screen.ts'
import { expect, SERVER_DOWN, test } from '../../support/test.ts'

const withWorker = { serviceWorkers: 'allow' } as const
const phone = { width: 375, height: 812 }

test('a browser can install the app, and a new worker clears the old cache @nightly', async ({ visit }) => {
  const page = await visit('/', withWorker)
  await waitForWorker(page)
  const browser = await page.context().newCDPSession(page)
  const { data, errors } = await browser.send('Page.getAppManifest')
  expect(errors).toEqual([])
  const manifest = JSON.parse(data ?? '{}')
  expect(manifest).toMatchObject({ name: 'Papermoon', short_name: 'Papermoon', start_url: '/', display: 'standalone' })
  const { installabilityErrors } = await browser.send('Page.getInstallabilityErrors')
  // Apps cannot be installed in test browsers, because these have no profile.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
  for (const { src, sizes } of manifest.icons as { src: string; sizes: string }[]) {
    if (sizes !== 'any') expect([src, await readSize(page, src)]).toEqual([src, sizes])
  }
  const touchIcon = await page.locator('link[rel="apple-touch-icon"]').getAttribute('href')
  expect(await readSize(page, touchIcon ?? '')).toBe('180x180')

  await page.evaluate(async () => {
    await (await caches.open('shell-of-an-old-build')).put('/offline.html', new Response('old'))
    await (await navigator.serviceWorker.ready).unregister()
  })
  await page.goto('/docs')
  await waitForWorker(page)
  await expect.poll(() => page.evaluate(() => caches.keys())).toHaveLength(1)
  expect(await keptPaths(page)).toEqual(['/offline.html', '/offline.js'])
  const answer = await page.evaluate(async () => (await fetch('/api/tokens')).status)
  expect(answer).toBe(200)
  expect(await keptPaths(page)).toEqual(['/offline.html', '/offline.js'])
})

test('without a network a page says so, and the screen comes back', async ({ visit, expectedErrors }) => {
  expectedErrors.push(/ERR_INTERNET_DISCONNECTED/)
  const page = await visit('/', { ...withWorker, viewport: phone })
  await waitForWorker(page)
  await page.context().setOffline(true)
  for (const scheme of ['dark', 'light']) {
    // This is the key under which the app stores the colour scheme.
    await page.evaluate((it) => localStorage.setItem('mantine-color-scheme-value', it), scheme)
    await page.goto('/leaderboard')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('You are offline')
    await expect(page.getByText('Papermoon shows live prices only')).toBeVisible()
    await expect(page).toHaveURL('/leaderboard')
    await expectGoodLooksAsIs(page)
  }
  expect(await keptPaths(page)).toEqual(['/offline.html', '/offline.js'])
  await page.context().setOffline(false)
  await expect(page.getByRole('heading', { level: 1, name: /Leaderboard/ })).toBeVisible()
  await expect(liveIndicator(page)).toHaveText('Live')
})

test('an unreachable server is distinguished from a missing network, and waited for', { tag: '@chaos' }, async ({
  visit,
  ownServer,
  expectedErrors,
}) => {
  expectedErrors.push(...SERVER_DOWN)
  const page = await visit(ownServer.url, withWorker)
  await waitForWorker(page)
  await ownServer.stop()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Papermoon cannot be reached')
  await ownServer.start()
  await expect(liveIndicator(page)).toHaveText('Live')
})

test('the bar of a phone is of the paper that the navigation is of @nightly', async ({ visit }) => {
  const page = await visit('/', { viewport: phone })
  for (const name of ['Switch to light colours', 'Switch to dark colours']) {
    await expect.poll(() => readColors(page)).toMatchObject({ areSame: true })
    await page.getByRole('button', { name }).click()
  }
  await expect.poll(() => readColors(page)).toMatchObject({ areSame: true })
})

/** Waits until the service worker controls the next page. */
async function waitForWorker(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready
    if (active === null || active.state === 'activated') return
    await new Promise<void>((resolve) =>
      active.addEventListener('statechange', () => active.state === 'activated' && resolve()),
    )
  })
}

/** Returns the paths of everything that is in a cache. */
function keptPaths(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const cached = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
    return cached.flat().map(({ url }) => new URL(url).pathname)
  })
}

/** Returns the width and height of an image that the page may load, as `192x192`. */
function readSize(page: Page, src: string): Promise<string> {
  return page.evaluate(async (address) => {
    const picture = new Image()
    picture.src = address
    await picture.decode()
    return `${picture.naturalWidth}x${picture.naturalHeight}`
  }, src)
}

function readColors(page: Page): Promise<{ bar: string | null; areSame: boolean }> {
  return page.evaluate(() => {
    const bar = document.querySelector('meta[name="theme-color"]')?.getAttribute('content') ?? null
    const probe = document.body.appendChild(document.createElement('span'))
    const [shown, surface] = [bar ?? '', 'var(--pm-surface)'].map((color) => {
      probe.style.color = color
      return getComputedStyle(probe).color
    })
    probe.remove()
    return { bar, areSame: shown === surface }
  })
}
