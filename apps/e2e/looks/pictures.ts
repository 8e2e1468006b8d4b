import type { Page } from '@playwright/test'
import { balanceButton } from '../support/screen.ts'
import type { Scene, Screen, Setting } from './scene.ts'

const PNG = { name: 'moon.png', mimeType: 'image/png' }

const token = ({ market }: Setting) => `/token/${market.traded}`
const press =
  (name: string | RegExp) =>
  ({ page }: Scene) =>
    page.getByRole('button', { name }).first().click()
/** Leaves requests without a response, so that the screen stays in its waiting state. */
const hold = (calls: RegExp) => (page: Page) => page.route(calls, () => new Promise(() => {}))
const refuse = (calls: RegExp) => (page: Page) => page.route(calls, (route) => route.abort())

/** States for which pictures are taken, but nothing is checked. */
export const PICTURES: readonly Screen[] = [
  { name: 'home-nothing-found', path: '/?q=no+token+has+such+a+name' },
  { name: 'home-loading', path: '/', before: hold(/tokens\.list/) },
  { name: 'home-failed', path: '/', before: refuse(/tokens\.list/), expected: /ERR_FAILED/ },
  { name: 'verify-email', path: '/verify-email' },
  { name: 'reset-password', path: '/reset-password?email=moon@papermoon.example' },
  { name: 'admin', path: '/admin', as: 'trader', expected: /404/ },
  { name: 'token-ticks', path: token, as: 'trader', act: press('Ticks') },
  { name: 'token-question', path: token, as: 'newcomer', act: buyTooMuch },
  { name: 'token-without-trades', path: ({ market }) => `/token/${market.untraded}` },
  { name: 'token-rugged', path: ({ market }) => `/token/${market.rugged}` },
  { name: 'token-past-launch', path: (setting) => `${token(setting)}?at=0` },
  { name: 'token-past-not-yet', path: (setting) => `${token(setting)}?at=9999999`, expected: /status of 404/ },
  { name: 'token-loading', path: token, before: hold(/tokens\.get/) },
  { name: 'token-not-found', path: '/token/2000000000', expected: /status of 404/ },
  { name: 'user-empty', path: ({ market }) => `/user/${market.newcomerId}` },
  { name: 'user-not-found', path: '/user/2000000000', expected: /status of 404/ },
  { name: 'dashboard-empty', path: '/dashboard', as: 'newcomer' },
  { name: 'dashboard-guest', path: '/dashboard' },
  { name: 'portfolio-empty', path: '/portfolio', as: 'newcomer' },
  { name: 'following-empty', path: '/following', as: 'newcomer' },
  { name: 'leaderboard-loading', path: '/leaderboard', before: hold(/leaderboard\.get/) },
  { name: 'tape', path: '/tape' },
  { name: 'settings-refused', path: '/settings', as: 'trader', act: uploadNoPicture, isWindow: true },
  { name: 'settings-guest', path: '/settings' },
  { name: 'proof-failed', path: '/proof', before: refuse(/proof\./), expected: /ERR_FAILED/ },
  { name: 'account-menu', path: '/docs', as: 'trader', act: ({ page }) => balanceButton(page).click(), isWindow: true },
  { name: 'toast', path: '/launch', as: 'trader', act: press('Launch Token'), isWindow: true },
]

async function buyTooMuch({ page }: Scene): Promise<void> {
  await page.getByRole('textbox', { name: 'Amount in SOL' }).fill('90')
  await page.getByRole('textbox', { name: 'Amount in SOL' }).press('Enter')
}

async function uploadNoPicture({ page }: Scene): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Upload Picture' }).click()
  await (await chooser).setFiles({ ...PNG, mimeType: 'text/plain', buffer: Buffer.from('only paper') })
}
