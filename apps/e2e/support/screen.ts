import { expect, type Locator, type Page, type Route } from '@playwright/test'
import type { Account } from './player.ts'
import { listToasts, type ShownToast, takeToast } from './toasts.ts'

/** Returns the toasts that are on screen now. */
export function findToasts(page: Page): Locator {
  // Search only in the page's permanent live region, because screen readers announce only its content.
  return page
    .locator('#spoken')
    .getByRole('region', { name: /Notifications/ })
    .getByRole('group')
}

/**
 * Waits until the page has shown a toast that no earlier call found. The toast may be gone when this function returns,
 * so a test that needs it on the screen must stop the clock.
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
  // The previous toast may not have disappeared completely.
  await expect.poll(() => findToasts(page).count(), { intervals: [50] }).toBeLessThanOrEqual(1)
  return found as unknown as ShownToast
}

/** Returns the visible form on the login screen. */
export function authForm(page: Page, tab: 'Login' | 'Register'): Locator {
  return page.getByRole('tabpanel', { name: tab })
}

/**
 * Presses "Try again" in `part` until `result` is visible. The page may also retry by itself, which removes the button.
 */
export async function tryAgain(part: Page | Locator, result: Locator): Promise<void> {
  const button = part.getByRole('button', { name: 'Try again' })
  await expect(async () => {
    if (await button.isVisible()) await button.click({ timeout: 5_000 })
    await expect(result).toBeVisible({ timeout: 5_000 })
  }).toPass()
}

/** Fills in the registration form. If `confirm` is undefined, the form gets the password twice. */
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

/** Returns the connection state in the bar: Live or Offline. */
export function liveIndicator(page: Page): Locator {
  return page.getByRole('banner').getByRole('status')
}

/** Returns the rows of the trading history, newest first, without the header. */
export function tradeRows(page: Page): Locator {
  return page
    .getByRole('table', { name: 'Trading History' })
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
}

/** Returns the cards on the home page, in order. */
export function tokenCards(page: Page): Locator {
  return page.getByRole('list', { name: 'Tokens' }).getByRole('link')
}

/** Returns the value below a label, in the cards at the top of a screen. */
export function figureCard(page: Page, label: string): Locator {
  return page
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${label}$`) })
    .locator('xpath=following-sibling::dd')
}

/** Returns the button that opens the account menu. The button's title is the exact balance. */
export function balanceButton(page: Page): Locator {
  return page.getByRole('banner').getByRole('button', { name: /^Account: / })
}

/** Returns a theme colour by its CSS variable, in the format of computed styles. */
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

/** Collects the paths of API requests from now on. (Live events cause no requests.) */
export function countCalls(page: Page): string[] {
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/trpc/') || pathname.startsWith('/api/')) calls.push(pathname)
  })
  return calls
}

/** Holds matching requests back, and returns a function that sends them or makes them fail without a response. */
export async function holdCalls(page: Page, calls: RegExp): Promise<(end?: 'send' | 'abort') => Promise<void>> {
  const { promise, resolve } = Promise.withResolvers<'send' | 'abort'>()
  const held: Promise<void>[] = []
  const hold = (route: Route) => {
    held.push(promise.then((end) => (end === 'abort' ? route.abort() : route.fallback())))
  }
  await page.route(calls, hold)
  return async (end = 'send') => {
    resolve(end)
    // Wait for the held requests before the handler is removed, because Chromium would otherwise send them.
    await Promise.all(held)
    await page.unroute(calls, hold)
  }
}

/** Reads the clipboard by pasting, because the page may not read it. */
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
