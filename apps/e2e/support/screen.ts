import { expect, type Locator, type Page, type Route } from '@playwright/test'
import type { Account } from './player.ts'
import { listToasts, type ShownToast, takeToast } from './toasts.ts'

/** The toasts that are on screen now. */
export function findToasts(page: Page): Locator {
  // Only what the page's lasting live region says is heard.
  return page
    .locator('#spoken')
    .getByRole('region', { name: /Notifications/ })
    .getByRole('group')
}

/**
 * Waits until the page has shown a toast that no earlier call found. It may be gone by now: tests that need it on
 * screen stop the clock.
 */
export async function expectToast(page: Page, title: string, message: string): Promise<ShownToast> {
  let found: ShownToast | null = null
  await expect
    .poll(
      () => {
        found ??= takeToast(page, [title, message])
        return found ? [`${title} ${message}`] : listToasts(page)
      },
      { intervals: [50] },
    )
    .toContain(`${title} ${message}`)
  // The previous toast may still be animating out.
  await expect.poll(() => findToasts(page).count(), { intervals: [50] }).toBeLessThanOrEqual(1)
  return found as unknown as ShownToast
}

/** The visible form of the auth screen. */
export function authForm(page: Page, tab: 'Login' | 'Register'): Locator {
  return page.getByRole('tabpanel', { name: tab })
}

/**
 * Presses "Try again" in `part` until `result` is visible. A page may also try by itself, and then the button disappears.
 */
export async function tryAgain(part: Page | Locator, result: Locator): Promise<void> {
  const button = part.getByRole('button', { name: 'Try again' })
  await expect(async () => {
    if (await button.isVisible()) await button.click({ timeout: 5_000 })
    await expect(result).toBeVisible({ timeout: 5_000 })
  }).toPass()
}

/** Fills in the registration; `confirm` defaults to the password. */
export async function fillRegistration(page: Page, account: Account, confirm = account.password): Promise<void> {
  await page.getByRole('tab', { name: 'Register' }).click()
  const form = authForm(page, 'Register')
  await form.getByLabel('Username').fill(account.username)
  await form.getByLabel('Email').fill(account.email)
  await form.getByLabel('Wallet Address (for giveaways)').fill(account.wallet)
  await form.getByLabel('Password', { exact: true }).fill(account.password)
  await form.getByLabel('Confirm Password').fill(confirm)
}

/** Registers on the auth screen. */
export async function register(page: Page, account: Account): Promise<void> {
  await fillRegistration(page, account)
  await page.getByRole('button', { name: 'Create Account' }).click()
}

/** The bar's connection state: Live or Offline. */
export function liveIndicator(page: Page): Locator {
  return page.getByRole('banner').getByRole('status')
}

/** Rows of the trading history without the header, newest first. */
export function tradeRows(page: Page): Locator {
  return page
    .getByRole('table', { name: 'Trading History' })
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
}

/** Cards on the home page, in order. */
export function tokenCards(page: Page): Locator {
  return page.getByRole('list', { name: 'Tokens' }).getByRole('link')
}

/** The figure below a label in the cards on top of a screen. */
export function figureCard(page: Page, label: string): Locator {
  return page
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${label}$`) })
    .locator('xpath=following-sibling::dd')
}

/** The button of the account menu; its title is the exact balance. */
export function balanceButton(page: Page): Locator {
  return page.getByRole('banner').getByRole('button', { name: /^Account: / })
}

/** A theme colour by its CSS variable, as a computed style returns it. */
export function themeColor(page: Page, variable: string): Promise<string> {
  return page.evaluate((name) => {
    const probe = document.createElement('span')
    probe.style.color = `var(${name})`
    document.body.append(probe)
    const { color } = getComputedStyle(probe)
    probe.remove()
    return color
  }, variable)
}

/** Waits for the part of a token's page whose code and call come last. */
export async function expectDangerPanel(page: Page): Promise<void> {
  await expect(page.getByRole('region', { name: 'If large holders sold everything' })).toContainText('has launched')
}

/** Collects the paths of API calls from now on; live events cause none. */
export function countCalls(page: Page): string[] {
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/trpc/') || pathname.startsWith('/api/')) calls.push(pathname)
  })
  return calls
}

/** Holds the calls that match back until the returned function sends them, or lets them fail without an answer. */
export async function holdCalls(page: Page, calls: RegExp): Promise<(end?: 'send' | 'abort') => Promise<void>> {
  const { promise, resolve } = Promise.withResolvers<'send' | 'abort'>()
  const held: Promise<void>[] = []
  const hold = (route: Route) => {
    held.push(promise.then((end) => (end === 'abort' ? route.abort() : route.fallback())))
  }
  await page.route(calls, hold)
  return async (end = 'send') => {
    resolve(end)
    // Without a route Chromium would send what is still held.
    await Promise.all(held)
    await page.unroute(calls, hold)
  }
}

/** Reads the clipboard by pasting, because the page has no permission to read it. */
export async function paste(page: Page): Promise<string> {
  const field = await page.evaluateHandle(() => {
    const made = document.createElement('textarea')
    document.body.append(made)
    made.focus()
    return made
  })
  await page.keyboard.press('ControlOrMeta+V')
  const text = await field.evaluate(({ value }) => value)
  await field.evaluate((made) => made.remove())
  return text
}
