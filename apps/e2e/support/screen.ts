import { expect, type Locator, type Page } from '@playwright/test'
import type { Account } from './player.ts'

/** The toast that stands on the screen. */
function toast(page: Page): Locator {
  const area = page.getByRole('region', { name: /Notifications/ })
  return area.getByRole('status').or(area.getByRole('alert'))
}

export async function expectToast(page: Page, title: string, message: string): Promise<void> {
  await expect(toast(page).filter({ hasText: title })).toContainText(message)
  // The one before may still be on its way out.
  await expect(toast(page)).toHaveCount(1)
}

/** The form of the auth screen that is shown. */
export function authForm(page: Page, tab: 'Login' | 'Register'): Locator {
  return page.getByRole('tabpanel', { name: tab })
}

/** Fills in the registration; the passwords are the same unless `confirm` is given. */
export async function fillRegistration(page: Page, account: Account, confirm = account.password): Promise<void> {
  await page.getByRole('tab', { name: 'Register' }).click()
  const form = authForm(page, 'Register')
  await form.getByLabel('Username').fill(account.username)
  await form.getByLabel('Email').fill(account.email)
  await form.getByLabel('Wallet Address (for giveaways)').fill(account.wallet)
  await form.getByLabel('Password', { exact: true }).fill(account.password)
  await form.getByLabel('Confirm Password').fill(confirm)
}

/** What the bar says of the connection: Live or Offline. */
export function liveIndicator(page: Page): Locator {
  return page.getByRole('banner').getByRole('status')
}

/** The rows of the trading history, newest first, without the heading. */
export function tradeRows(page: Page): Locator {
  return page
    .getByRole('table', { name: 'Trading History' })
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
}

/** The tokens of the home page, in their order. */
export function tokenCards(page: Page): Locator {
  return page.getByRole('list', { name: 'Tokens' }).getByRole('link')
}

/** The player's menu; its title tells the exact balance. */
export function balanceButton(page: Page): Locator {
  return page.getByRole('banner').getByRole('button', { name: /^Account of/ })
}

/** A colour of the theme, by the name of its variable, as a computed style tells it. */
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

/** What has been asked of the server since, by path: live events bring news without any. */
export function countCalls(page: Page): string[] {
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/trpc/') || pathname.startsWith('/api/')) calls.push(pathname)
  })
  return calls
}

/** What is on the clipboard: the page may write there and not read, so it is pasted as a player pastes it. */
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
